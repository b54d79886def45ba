/** As random kills, on a real Slurm: its controller is killed too, and jobs are run again that were lost or failed. */
import { chmodSync } from "node:fs";

import { hasSlurm, SlurmCluster } from "../../test/slurm-cluster.fixture.ts";
import { killAtRandom } from "./random-kills.ts";
import type { Trial } from "./trial.ts";

const SETTINGS = `
SelectTypeParameters=CR_CPU_Memory
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
ReturnToService=2
MessageTimeout=5`;
const CONTROLLER_AWAY_MILLISECONDS = 1000;
const OPERATOR_MILLISECONDS = 5000;

export const slurmKills: Trial = {
  name: "slurm-kills",
  summary: "random kills on a real Slurm, whose controller is killed in a third of them",
  unit: "trials",
  usual: 50,
  plants: { names: ["a-second-start"], count: 5 },
  run,
};

async function run(count: number, seed: number, plant: string | null): Promise<boolean> {
  if (!hasSlurm) throw new Error("it needs slurmctld and slurmd, and root");
  const cluster = new SlurmCluster();
  const operator = setInterval(() => void giveNodesBack(cluster).catch(() => ""), OPERATOR_MILLISECONDS);
  try {
    chmodSync(cluster.folder, 0o711);
    await cluster.start({ nodes: 2, cores: 8, memoryMiB: 4000, partitions: ["batch"], settings: SETTINGS });
    const engine = `{ kind: slurm, config: ${cluster.configPath}, partition: batch, allowRoot: true }`;
    return await killAtRandom(count, seed, plant, {
      farm: `pools: [{ name: cluster, engine: ${engine} }]\n`,
      pool: null,
      harm: async (draws) => {
        if (draws.below(3) > 0) return;
        await cluster.kill("controller");
        await new Promise((resolve) => setTimeout(resolve, draws.below(CONTROLLER_AWAY_MILLISECONDS)));
        await cluster.startController();
      },
      tidy: async () => {
        await cluster.cancelAll();
        await cluster.run("scontrol", "update", "nodename=ALL", "state=resume").catch(() => "");
      },
    });
  } finally {
    clearInterval(operator);
    await cluster.stop();
  }
}

/**
 * A controller that was killed gives numbers of jobs out again; a node that knows the number still refuses the job, and
 * is drained until its operator gives it back. All may be before a trial is over.
 */
async function giveNodesBack(cluster: SlurmCluster): Promise<void> {
  const nodes = (await cluster.run("sinfo", "-h", "-N", "-o", "%N %E")).split("\n");
  for (const line of nodes) {
    const [node] = line.split(" ");
    if (line.includes("Duplicate jobid"))
      await cluster.run("scontrol", "update", `nodename=${node}`, "state=resume");
  }
}
