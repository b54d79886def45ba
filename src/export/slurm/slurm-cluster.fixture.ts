import { chmodSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { SlurmCluster } from "../../../test/slurm-cluster.fixture.ts";
import type { ExportedFile } from "../exporter.ts";

export interface SlurmJob {
  readonly id: string;
  readonly partition: string;
  readonly state: string;
  /** Empty while it waits. */
  readonly node: string;
}

/** A cluster with an export in it: nodes of 4 cores, jobs dispatched to the least loaded one. */
export class ExportCluster extends SlurmCluster {
  private newest = Math.floor(Date.now() / 1000);

  startWith(nodes: number, partitions: readonly string[], settings: string): Promise<void> {
    return this.start({
      nodes,
      cores: 4,
      memoryMiB: 1000,
      partitions,
      settings: `
SelectTypeParameters=CR_Core,CR_LLN
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2
${settings}`,
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
      .replace(/^# export SLURM_CONF=.*$/m, `export SLURM_CONF=${this.configPath}`);
  }

  /**
   * Loads lines of slurm.conf as an administrator would: in place of those of the same names, or taking them out; then
   * `scontrol reconfigure`, or a new start of the controller, which has written down what it knows.
   */
  async load(lines: readonly string[], how: "reconfigure" | "restart"): Promise<void> {
    const out = /^# Take the line out: (\w+)=/;
    const named = lines.flatMap((line) => out.exec(line)?.[1] ?? /^(\w+)=/.exec(line)?.[1] ?? []);
    const kept = readFileSync(this.configPath, "utf8")
      .split("\n")
      .filter((line) => !named.some((name) => line.startsWith(`${name}=`)));
    writeFileSync(this.configPath, [...kept, ...lines.filter((line) => /^\w+=/.test(line)), ""].join("\n"));
    if (how === "reconfigure") {
      await this.run("scontrol", "reconfigure");
      return;
    }
    await this.run("scontrol", "shutdown", "slurmctld");
    await this.until("the controller is down", async () =>
      (await this.run("scontrol", "ping").catch(() => "DOWN")).includes("DOWN"),
    );
    await this.startController();
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
}
