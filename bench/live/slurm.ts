import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { hasSlurm, SlurmCluster } from "../../test/slurm-cluster.fixture.ts";

export const SLURM_NODES = 4;
export const SLURM_SLOTS = 32;
const SUBMITTERS = 4;
const PATIENCE_SECONDS = 900;

export interface SlurmRates {
  /** Each job by an `sbatch` of its own, from four loops at a time. */
  readonly singles: number;
  /** All jobs by one `sbatch --array`. */
  readonly array: number;
}

/**
 * The rate at which a real Slurm takes jobs that do nothing through to their recorded end, at its best on this machine:
 * four nodes of 32 slots, so that enough jobs start and end side by side; a scheduler that looks at once and at all of
 * them; no user to look up, no cgroup, no accounting but a line in a file. A job asks for a core and a little memory:
 * with no default for it each would get the whole memory of a node. Null where there is no Slurm.
 */
export async function slurmTrueJobsPerSecond(count: number): Promise<SlurmRates | null> {
  if (!hasSlurm) return null;
  const cluster = new SlurmCluster();
  const record = join(cluster.folder, "ended.txt");
  const rate = async (submit: () => Promise<unknown>): Promise<number> => {
    const all = ended(record) + count;
    const begun = performance.now();
    await submit();
    await cluster.until("all jobs have ended", async () => ended(record) >= all, PATIENCE_SECONDS);
    return count / ((performance.now() - begun) / 1000);
  };
  try {
    await cluster.start({
      nodes: SLURM_NODES,
      cores: SLURM_SLOTS,
      memoryMiB: 64_000,
      partitions: ["normal"],
      settings: [
        "SelectTypeParameters=CR_CPU_Memory",
        "DefMemPerCPU=100",
        "SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1,bf_continue,default_queue_depth=1000",
        "MaxJobCount=200000",
        "MaxArraySize=100001",
        "JobCompType=jobcomp/filetxt",
        `JobCompLoc=${record}`,
      ].join("\n"),
    });
    const submitters = Array.from({ length: SUBMITTERS });
    return {
      singles: await rate(() =>
        Promise.all(submitters.map(() => submitInLoop(count / SUBMITTERS, cluster.configPath))),
      ),
      array: await rate(() =>
        cluster.run("sbatch", `--array=1-${count}`, "--output=/dev/null", "--wrap", "/bin/true"),
      ),
    };
  } finally {
    await cluster.stop();
  }
}

/** A loop of the shell, which starts `sbatch` with the least effort. */
function submitInLoop(count: number, config: string): Promise<void> {
  const loop = `i=0; while [ $i -lt ${count} ]; do sbatch --quiet --output=/dev/null --wrap /bin/true >/dev/null || exit 1; i=$((i + 1)); done`;
  return new Promise((resolve, reject) => {
    spawn("/bin/sh", ["-c", loop], {
      env: { ...process.env, SLURM_CONF: config },
      stdio: "inherit",
      cwd: "/tmp",
    })
      .on("error", reject)
      .on("exit", (status) => (status === 0 ? resolve() : reject(new Error("sbatch failed"))));
  });
}

function ended(record: string): number {
  return existsSync(record) ? readFileSync(record, "latin1").split("\n").length - 1 : 0;
}
