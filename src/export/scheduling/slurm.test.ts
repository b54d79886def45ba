import { readFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { hasSlurm, type SlurmCluster } from "../../../test/slurm-cluster.fixture.ts";
import { ExportCluster } from "../slurm/slurm-cluster.fixture.ts";
import type { LogFacts } from "./log-facts.ts";
import { schedulingPolicy } from "./policy.ts";
import { propose, type ProposedFile } from "./proposal.ts";
import { slurmScheduling } from "./slurm.ts";

/** What the cluster's slurm.conf has beside what a policy changes: passes every two seconds. */
const SITE = "ClusterName=croft\nSchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2\n";

/** What is written for a site; a pool's policies make no reservations. */
function proposed(kind: string, site: string, facts: LogFacts, heuristic = "first-fit"): ProposedFile[] {
  const policy = schedulingPolicy(kind, kind, heuristic, { hasReservations: false });
  return [
    ...propose(slurmScheduling, policy, { facts, against: [{ file: "slurm.conf", text: site }] }).files,
  ];
}

/** Steps of a plan stay at a minute, as the jobs below are short. */
const shortJobs: LogFacts = {
  log: "june",
  longestSeconds: 86_400,
  hasLimits: true,
  withoutLimitShare: 0,
  waiting: 50,
  longestWaitSeconds: 600,
  spanSeconds: 86_400,
};
/** What is written has to be taken by slurmctld for jobs of two years, too. */
const longJobs: LogFacts = { ...shortJobs, longestSeconds: 2 * 365 * 86_400 };

function settingsOf(kind: string, heuristic = "first-fit"): string {
  return proposed(kind, SITE, shortJobs, heuristic)
    .map(({ lines }) => lines.join("\n"))
    .join("\n");
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
    expect(settings.length).toBeGreaterThan(0);
    // What slurmctld refuses it says in its log only, and takes the default.
    expect(readFileSync(join(cluster.folder, "controller.log"), "utf8")).not.toMatch(/Invalid Scheduler/);
    for (const [name, value] of settings)
      expect(config).toMatch(new RegExp(`^${name} += ${value.replaceAll(/[./]/g, "\\$&")}$`, "im"));
  });
});

/** Fifty jobs, of which as many run as there is room for, on a site with its own parameters. */
describe.skipIf(!hasSlurm).each([
  { select: "select/cons_tres", before: "sched/builtin", kind: "easy" },
  { select: "select/cons_tres", before: "sched/backfill", kind: "conservative" },
  { select: "select/linear", before: "sched/backfill", kind: "first-fit" },
  { select: "select/linear", before: "sched/backfill", kind: "fcfs" },
])(`$kind loaded on a real Slurm of $select and $before${skipped}`, ({ select, before, kind }) => {
  let cluster: ExportCluster;

  beforeAll(async () => {
    cluster = new ExportCluster();
    const parameters = select === "select/linear" ? "CR_Memory" : "CR_Core";
    await cluster.startWith(
      2,
      ["main"],
      `SelectType=${select}\nSelectTypeParameters=${parameters}\nSchedulerType=${before}\n`,
    );
  });

  afterAll(async () => {
    await cluster.stop();
  });

  it("loses no job that runs or waits, nor does going back, and leaves SelectType alone", async () => {
    const ids = await cluster.submit(50, "-n", "1", "--time=10");
    const room = select === "select/linear" ? 2 : 8;
    const look = async (): Promise<{ ids: string[]; running: string[] }> => {
      const jobs = await cluster.jobs();
      return {
        ids: jobs.map(({ id }) => id).sort(),
        running: jobs.flatMap(({ id, state, node }) => (state === "RUNNING" ? [`${id} ${node}`] : [])).sort(),
      };
    };
    await cluster.until("the nodes are busy", async () => (await look()).running.length === room);
    const first = await look();
    expect(first.ids).toEqual([...ids].sort());
    const config = await cluster.run("scontrol", "show", "config");

    const site = readFileSync(cluster.configPath, "utf8");
    const [file] = proposed(kind, site, longJobs);
    const isQuick = file.changes.every(({ setting }) => setting.load === "scontrol reconfigure");
    await cluster.load(file.lines, isQuick ? "reconfigure" : "restart");
    expect(await look()).toEqual(first);
    const loaded = await cluster.run("scontrol", "show", "config");
    for (const { setting } of file.changes)
      expect(loaded).toMatch(
        setting.within === undefined
          ? new RegExp(`^${setting.name} += ${setting.value}$`, "im")
          : new RegExp(
              `^${setting.within} .*[ ,]${setting.name}${setting.value === "" ? "" : `=${setting.value}`}(,|$)`,
              "im",
            ),
      );
    expect(loaded).toMatch(new RegExp(`^SelectType += ${select}$`, "m"));

    expect(readFileSync(join(cluster.folder, "controller.log"), "utf8")).not.toMatch(/Invalid Scheduler/);

    await cluster.load(file.back!.lines, isQuick ? "reconfigure" : "restart");
    expect(await look()).toEqual(first);
    const scheduling = (text: string): string[] =>
      text.split("\n").filter((line) => /^(Scheduler|Select|Priority)\w+ +=/.test(line));
    expect(scheduling(await cluster.run("scontrol", "show", "config"))).toEqual(scheduling(config));
  });
});

/** The names of jobs that run. */
async function running(cluster: SlurmCluster): Promise<string[]> {
  const text = await cluster.run("squeue", "-h", "-t", "RUNNING", "-o", "%j");
  return text === "" ? [] : text.split("\n");
}
