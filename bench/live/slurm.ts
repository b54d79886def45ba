import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { hasSlurm, SlurmCluster } from "../../test/slurm-cluster.fixture.ts";

/**
 * The rate at which a real Slurm on this machine takes jobs that do nothing through to their recorded end: an array of
 * jobs, which is its fastest way in, and a scheduler that is told to look at once and at all of them. Null where there
 * is no Slurm.
 *
 * @param slots how many run at a time
 */
export async function slurmTrueJobsPerSecond(count: number, slots: number): Promise<number | null> {
  if (!hasSlurm) return null;
  const cluster = new SlurmCluster();
  const record = join(cluster.folder, "ended.txt");
  try {
    await cluster.start({
      nodes: 1,
      cores: slots,
      memoryMiB: 16_000,
      partitions: ["normal"],
      settings: [
        "SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0,bf_interval=1,bf_continue,default_queue_depth=1000",
        "MaxJobCount=200000",
        "JobCompType=jobcomp/filetxt",
        `JobCompLoc=${record}`,
      ].join("\n"),
    });
    const begun = performance.now();
    await cluster.run("sbatch", `--array=1-${count}`, "--output=/dev/null", "--wrap", "/bin/true");
    await cluster.until("all jobs have ended", async () => ended(record) >= count, 900);
    return count / ((performance.now() - begun) / 1000);
  } finally {
    await cluster.stop();
  }
}

function ended(record: string): number {
  return existsSync(record) ? readFileSync(record, "latin1").split("\n").length - 1 : 0;
}
