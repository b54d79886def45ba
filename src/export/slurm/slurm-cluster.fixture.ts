import { execFile, spawn, type ChildProcess } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import type { ExportedFile } from "../exporter.ts";

const exec = promisify(execFile);

/** Debian's packages slurmctld and slurmd; only root may start jobs of others. */
export const hasSlurm =
  ["/usr/sbin/slurmctld", "/usr/sbin/slurmd", "/usr/bin/sbatch"].every((path) => existsSync(path)) &&
  process.getuid?.() === 0;

const CORES_PER_NODE = 4;
/** Far more than anything here takes: a machine may be busy. */
const PATIENCE_SECONDS = 60;

export interface SlurmJob {
  readonly id: string;
  readonly partition: string;
  readonly state: string;
  /** Empty while it waits. */
  readonly node: string;
}

/**
 * A real Slurm on the loopback interface: a controller and a few nodes of 4 cores, all
 * on this machine, jobs dispatched to the least loaded node. Nobody is authenticated
 * (auth/none), for the seconds that it lives.
 */
export class SlurmCluster {
  private readonly folder = mkdtempSync(join(tmpdir(), "croft-slurm-"));
  private newest = Math.floor(Date.now() / 1000);
  private readonly daemons: ChildProcess[] = [];
  private readonly environment = { ...process.env, SLURM_CONF: join(this.folder, "slurm.conf") };

  constructor() {
    // Where the tests are broken off: daemons end at once, jobs within three minutes.
    process.once("exit", () => {
      for (const daemon of this.daemons) daemon.kill("SIGKILL");
    });
  }

  /** Installs an export as its README says, with other paths. */
  install(files: readonly ExportedFile[]): void {
    this.newest += 2;
    for (const { name, text, isExecutable } of files) {
      const path = join(this.folder, name);
      writeFileSync(path, this.installed(text));
      chmodSync(path, isExecutable ? 0o755 : 0o644);
      // slurmctld reads job_submit.lua again where that is newer, by whole seconds, than what it has read.
      utimesSync(path, this.newest, this.newest);
    }
  }

  /** A file's text with the paths of this cluster. */
  installed(text: string): string {
    return text
      .replaceAll("/etc/slurm/croft/croft-packing", join(this.folder, "croft-packing"))
      .replace("state_dir=/var/lib/croft-packing", `state_dir=${join(this.folder, "packing")}`)
      .replace(/^# export SLURM_CONF=.*$/m, `export SLURM_CONF=${join(this.folder, "slurm.conf")}`);
  }

  async start(nodes: number, partitions: readonly string[], settings: string): Promise<void> {
    const [controllerPort, ...nodePorts] = await freePorts(nodes + 1);
    const folder = this.folder;
    for (const name of ["controller", "spool"]) mkdirSync(join(folder, name));
    const nodeNames = nodePorts.map((_, at) => `n${at + 1}`);
    writeFileSync(
      this.environment.SLURM_CONF,
      `
ClusterName=croft
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=${controllerPort}
SlurmUser=root
AuthType=auth/none
CredType=cred/none
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmdParameters=config_overrides
ProctrackType=proctrack/pgid
TaskPlugin=task/none
StateSaveLocation=${folder}/controller
SlurmdSpoolDir=${folder}/spool/%n
SlurmctldPidFile=${folder}/controller.pid
SlurmdPidFile=${folder}/%n.pid
SlurmctldLogFile=${folder}/controller.log
SlurmdLogFile=${folder}/%n.log
SelectType=select/cons_tres
SelectTypeParameters=CR_Core,CR_LLN
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2
MpiDefault=none
KillWait=1
MailProg=/bin/true
${nodePorts.map((port, at) => `NodeName=n${at + 1} NodeHostname=localhost NodeAddr=127.0.0.1 Port=${port} CPUs=${CORES_PER_NODE} RealMemory=1000`).join("\n")}
${partitions.map((name, at) => `PartitionName=${name} Nodes=${nodeNames.join(",")} MaxTime=INFINITE State=UP${at === 0 ? " Default=YES" : ""}`).join("\n")}
${settings}
`,
    );
    this.spawn("/usr/sbin/slurmctld", ["-D"]);
    await this.until("the controller is up", async () =>
      (await this.run("scontrol", "ping").catch(() => "")).includes("UP"),
    );
    for (const name of nodeNames) this.spawn("/usr/sbin/slurmd", ["-D", "-N", name]);
    await this.until("all nodes are idle", async () => {
      const states = (await this.run("sinfo", "-h", "-N", "-p", partitions[0], "-o", "%t")).split("\n");
      return states.length === nodes && states.every((state) => state === "idle");
    });
  }

  private spawn(program: string, args: readonly string[]): void {
    this.daemons.push(spawn(program, args, { env: this.environment, cwd: this.folder, stdio: "ignore" }));
  }

  async run(program: string, ...args: string[]): Promise<string> {
    const { stdout } = await exec(program, args, { env: this.environment, cwd: this.folder });
    return stdout.trim();
  }

  /** The program of the export. */
  packing(command: string): Promise<string> {
    return this.run(join(this.folder, "croft-packing"), command);
  }

  async submit(count: number, ...args: string[]): Promise<string[]> {
    const ids: string[] = [];
    for (let i = 0; i < count; i++)
      ids.push(
        await this.run(
          "sbatch",
          "--parsable",
          "-o",
          "/dev/null",
          "--mem=1",
          ...args,
          "--wrap",
          "exec sleep 180",
        ),
      );
    return ids;
  }

  async jobs(): Promise<SlurmJob[]> {
    const text = await this.run("squeue", "-h", "-o", "%A|%P|%T|%N");
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const [id, partition, state, node] = line.split("|") as [string, string, string, string];
        return { id, partition, state, node };
      });
  }

  /** A partition's jobs that have a node, be it that the prolog still runs: the nodes. */
  async nodesOf(partition: string): Promise<string[]> {
    const started = (await this.jobs()).filter(
      (job) => job.partition === partition && ["CONFIGURING", "RUNNING"].includes(job.state),
    );
    return started.map(({ node }) => node).sort();
  }

  /** Looks again and again until it is so. */
  async until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const end = Date.now() + PATIENCE_SECONDS * 1000;
    while (!(await isSo())) {
      if (Date.now() > end) {
        const jobs = await this.run("squeue", "-o", "%A %P %T %R %v").catch(String);
        const reservations = await this.run("scontrol", "-o", "show", "reservation").catch(String);
        throw new Error(`not within ${PATIENCE_SECONDS} s: ${what}\n${jobs}\n${reservations}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async cancel(...which: string[]): Promise<void> {
    await this.run("scancel", ...which);
  }

  async cancelAll(): Promise<void> {
    await this.cancel("-u", "root");
    await this.until("no job is left", async () => (await this.jobs()).length === 0);
  }

  /** Ends the jobs, the nodes and the controller, whatever state they are in. */
  async stop(): Promise<void> {
    if (this.daemons.length > 0) await this.cancelAll().catch(() => undefined);
    for (const daemon of this.daemons.toReversed()) await ended(daemon);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function ended(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return;
  const exit = new Promise((resolve) => daemon.once("exit", resolve));
  daemon.kill("SIGTERM");
  const impatience = setTimeout(() => daemon.kill("SIGKILL"), 5000);
  await exit;
  clearTimeout(impatience);
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
