import { execFile, spawn, type ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const exec = promisify(execFile);

/** Debian's packages slurmctld and slurmd; only root may start jobs of others. */
export const hasSlurm =
  ["/usr/sbin/slurmctld", "/usr/sbin/slurmd", "/usr/bin/sbatch"].every((path) => existsSync(path)) &&
  process.getuid?.() === 0;

/** Far more than anything here takes: a machine may be busy. */
const PATIENCE_SECONDS = 60;

export interface ClusterShape {
  readonly nodes: number;
  readonly cores: number;
  readonly memoryMiB: number;
  /** The first is the default. */
  readonly partitions: readonly string[];
  /** Nodes that are configured and have no daemon: `down-1`, … */
  readonly missingNodes?: number;
  /** Further lines of slurm.conf. */
  readonly settings: string;
}

/**
 * A real Slurm on the loopback interface: a controller and a few nodes, all on this machine. Nobody is
 * authenticated (auth/none), for the seconds that it lives.
 */
export class SlurmCluster {
  readonly folder = mkdtempSync(join(tmpdir(), "croft-slurm-"));
  readonly configPath = join(this.folder, "slurm.conf");
  private readonly environment = { ...process.env, SLURM_CONF: this.configPath };
  private readonly daemons = new Map<string, ChildProcess>();

  constructor() {
    // Where the tests are broken off: daemons end at once, jobs within three minutes.
    process.once("exit", () => {
      for (const daemon of this.daemons.values()) daemon.kill("SIGKILL");
    });
  }

  async start({
    nodes,
    cores,
    memoryMiB,
    partitions,
    missingNodes = 0,
    settings,
  }: ClusterShape): Promise<void> {
    const [controllerPort, ...nodePorts] = await freePorts(nodes + missingNodes + 1);
    const { folder } = this;
    for (const name of ["controller", "spool"]) mkdirSync(join(folder, name));
    const names = nodePorts.map((_, at) => (at < nodes ? `n${at + 1}` : `down-${at + 1 - nodes}`));
    const nodeLines = names.map(
      (name, at) =>
        `NodeName=${name} NodeHostname=localhost NodeAddr=127.0.0.1 Port=${nodePorts[at]} CPUs=${cores} RealMemory=${memoryMiB}`,
    );
    const partitionLines = partitions.map(
      (name, at) =>
        `PartitionName=${name} Nodes=${names.join(",")} MaxTime=INFINITE State=UP${at === 0 ? " Default=YES" : ""}`,
    );
    writeFileSync(
      this.configPath,
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
MpiDefault=none
KillWait=1
MailProg=/bin/true
${nodeLines.join("\n")}
${partitionLines.join("\n")}
${settings}
`,
    );
    await this.startController();
    for (const name of names.slice(0, nodes)) this.startNode(name);
    await this.until("all nodes are idle", async () => {
      const states = (await this.run("sinfo", "-h", "-N", "-p", partitions[0], "-o", "%t")).split("\n");
      return states.filter((state) => state === "idle").length === nodes;
    });
  }

  async startController(): Promise<void> {
    this.spawn("controller", "/usr/sbin/slurmctld", ["-D"]);
    await this.until("the controller is up", async () =>
      (await this.run("scontrol", "ping").catch(() => "")).includes("UP"),
    );
  }

  /** When the controller last wrote down its jobs; 0 where it never has. */
  savedUnixSeconds(): number {
    const path = join(this.folder, "controller/job_state");
    return (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) / 1000;
  }

  startNode(name: string): void {
    this.spawn(name, "/usr/sbin/slurmd", ["-D", "-N", name]);
  }

  /** Kills the controller, or the daemon of a node, without warning. */
  async kill(name: string): Promise<void> {
    const daemon = this.daemons.get(name);
    if (daemon === undefined) throw new Error(`${name} does not run`);
    const exit = new Promise((resolve) => daemon.once("exit", resolve));
    daemon.kill("SIGKILL");
    await exit;
  }

  /**
   * Kills a node without warning: its daemon, and what runs of its jobs. All are stopped before the first is killed:
   * as when the power fails, none lives to see another one's end. The daemons of steps are killed last, since the kernel
   * lets the stopped processes of a group go on that has lost its parent.
   */
  async killNode(name: string): Promise<void> {
    await this.kill(name);
    const stopped = { job: new Set<number>(), daemon: new Set<number>() };
    for (let isNew = true; isNew;) {
      isNew = false;
      for (const pid of readdirSync("/proc")
        .filter((each) => /^\d+$/.test(each))
        .map(Number)) {
        const what = this.onNode(pid, name);
        if (what === null || stopped[what].has(pid) || !signalled(pid, "SIGSTOP")) continue;
        stopped[what].add(pid);
        isNew = true;
      }
    }
    for (const pid of [...stopped.job, ...stopped.daemon]) signalled(pid, "SIGKILL");
  }

  /** What a process is on a node: a job's by its environment, a step's daemon by its log; null: neither. */
  private onNode(pid: number, name: string): "job" | "daemon" | null {
    try {
      const environment = `\0${readFileSync(`/proc/${pid}/environ`, "latin1")}`;
      if (!environment.includes(`\0SLURM_CONF=${this.configPath}\0`)) return null;
      if (environment.includes(`\0SLURMD_NODENAME=${name}\0`)) return "job";
      const logs = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
      return logs.includes(join(this.folder, `${name}.log`)) ? "daemon" : null;
    } catch {
      return null;
    }
  }

  private spawn(name: string, program: string, args: readonly string[]): void {
    this.daemons.set(
      name,
      spawn(program, args, { env: this.environment, cwd: this.folder, stdio: "ignore" }),
    );
  }

  async run(program: string, ...args: string[]): Promise<string> {
    const { stdout } = await exec(program, args, { env: this.environment, cwd: this.folder });
    return stdout.trim();
  }

  /** Looks again and again until it is so. */
  async until(what: string, isSo: () => Promise<boolean>, patienceSeconds = PATIENCE_SECONDS): Promise<void> {
    const end = Date.now() + patienceSeconds * 1000;
    while (!(await isSo())) {
      if (Date.now() > end) {
        const jobs = await this.run("squeue", "-o", "%A %P %T %R %v").catch(String);
        const reservations = await this.run("scontrol", "-o", "show", "reservation").catch(String);
        throw new Error(`not within ${patienceSeconds} s: ${what}\n${jobs}\n${reservations}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async cancel(...which: string[]): Promise<void> {
    await this.run("scancel", ...which);
  }

  async cancelAll(): Promise<void> {
    await this.cancel("-u", "root");
    await this.until("no job is left", async () => (await this.run("squeue", "-h")) === "");
  }

  /** Ends the jobs, the nodes and the controller, whatever state they are in. */
  async stop(): Promise<void> {
    if (this.daemons.size > 0) await this.cancelAll().catch(() => undefined);
    for (const daemon of [...this.daemons.values()].toReversed()) await ended(daemon);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** False where the process has gone. */
function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
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

/** Below the ports that the kernel gives to outgoing connections, which would take them before Slurm does. */
const PORTS = { from: 10_000, to: 32_000 };

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
