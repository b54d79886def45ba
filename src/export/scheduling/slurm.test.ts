import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { hasSlurm, type SlurmCluster } from "../../../test/slurm-cluster.fixture.ts";
import { ExportCluster } from "../slurm/slurm-cluster.fixture.ts";
import { exportScheduling } from "./files.ts";
import { schedulingPolicy } from "./policy.ts";
import { slurmScheduling } from "./slurm.ts";

/** The lines for slurm.conf, with passes every two seconds; a pool's policies make no reservations. */
function settingsOf(kind: string, heuristic = "first-fit"): string {
  const files = exportScheduling(
    slurmScheduling,
    schedulingPolicy(kind, kind, heuristic, { hasReservations: false }),
  );
  const text = files.find(({ name }) => name === "slurm.conf.croft")!.text;
  const quick = "batch_sched_delay=0,sched_interval=2,bf_interval=2";
  return text.includes("\nSchedulerParameters=")
    ? text.replace(/^SchedulerParameters=.*$/m, (line) => `${line},${quick}`)
    : `${text}SchedulerParameters=${quick}\n`;
}

const skipped = hasSlurm ? "" : " (skipped: needs slurmctld and slurmd, and root)";

/**
 * Two nodes of 4 cores; on each a job holds 3 of them for five minutes at most. A job of all 8 waits. Of two small
 * ones behind it the short one would be done before that job can start, and the long one would delay it.
 */
describe.skipIf(!hasSlurm).each([
  { kind: "fcfs", passes: [] },
  { kind: "first-fit", passes: ["short", "long"] },
  { kind: "easy", passes: ["short"] },
  { kind: "conservative", passes: ["short"] },
])(`$kind on a real Slurm${skipped}`, ({ kind, passes }) => {
  let cluster: ExportCluster;

  beforeAll(async () => {
    cluster = new ExportCluster();
    await cluster.startWith(2, ["main"], settingsOf(kind, "worse-fit-cores"));
  });

  afterAll(async () => {
    await cluster.stop();
  });

  it(`lets ${passes.length === 0 ? "nobody" : passes.join(" and ")} pass`, async () => {
    for (const node of ["n1", "n2"]) await cluster.submit(1, "-w", node, "-n", "3", "-N", "1", "--time=5");
    await cluster.until("both nodes are busy", async () => (await running(cluster)).length === 2);
    const [large] = await cluster.submit(1, "-J", "large", "-N", "2", "-n", "8", "--time=5");
    await cluster.submit(1, "-J", "short", "-n", "1", "--time=1");
    await cluster.submit(1, "-J", "long", "-n", "1", "--time=60");
    await cluster.until("who passes runs", async () => (await running(cluster)).length === 2 + passes.length);
    // What still waits was looked at and left: a reason is known of each.
    await cluster.until("the others are known to wait", async () => {
      const reasons = await cluster.run("squeue", "-h", "-t", "PENDING", "-o", "%r");
      return reasons.split("\n").every((reason) => ["Resources", "Priority"].includes(reason));
    });
    if (kind === "easy" || kind === "conservative")
      await cluster.until("nodes are kept free for the large job", async () => {
        const start = await cluster.run("squeue", "-h", "-j", large, "-o", "%S");
        return /^\d{4}-/.test(start);
      });
    expect((await running(cluster)).filter((name) => name !== "wrap").sort()).toEqual([...passes].sort());
  });

  it("has the settings in force", async () => {
    const config = await cluster.run("scontrol", "show", "config");
    const lines = settingsOf(kind, "worse-fit-cores").split("\n");
    const settings = lines.filter((line) => /^\w+=/.test(line)).map((line) => line.split(/=(.*)/));
    expect(settings.length).toBeGreaterThan(3);
    for (const [name, value] of settings)
      expect(config).toMatch(new RegExp(`^${name} += ${value.replaceAll(/[./]/g, "\\$&")}$`, "im"));
  });
});

/** The names of jobs that run. */
async function running(cluster: SlurmCluster): Promise<string[]> {
  const text = await cluster.run("squeue", "-h", "-t", "RUNNING", "-o", "%j");
  return text === "" ? [] : text.split("\n");
}
