import { describe, expect, it } from "vitest";
import { parse } from "yaml";

import type { FairShareUsage } from "../../workload/index.ts";
import type { SchedulingExporter } from "./advice.ts";
import { exportScheduling } from "./files.ts";
import { schedulingPolicy, type FairShareRule } from "./policy.ts";
import { schedulingExporters } from "./registry.ts";

const kinds = [
  "first-fit",
  "max-jobs",
  "lookahead",
  "either-order",
  "fcfs",
  "easy",
  "easy-sjbf",
  "easy++",
  "backfill:20",
  "conservative",
];
const heuristics =
  "first-fit best-fit-cores best-fit-memory worse-fit-cores worse-fit-memory mix-fit mix-fit-origin dot-product".split(
    " ",
  );

const weekly = { halfLifeSeconds: 7 * 86_400, of: "cores" } as const;

function textOf(
  exporter: string,
  kind: string,
  heuristic = "first-fit",
  fairShare: FairShareRule | null = null,
  hasReservations = true,
): string {
  const found = schedulingExporters.find(({ name }) => name === exporter)!;
  const files = exportScheduling(
    found,
    schedulingPolicy(kind, kind, heuristic, { fairShare, hasReservations }),
  );
  return files.map(({ text }) => text).join("\n");
}

describe.each(schedulingExporters.map((each): [string, SchedulingExporter] => [each.name, each]))(
  "scheduling policies for %s",
  (_, exporter) => {
    const all = kinds.flatMap((kind) =>
      heuristics.flatMap((heuristic) =>
        [null, "running" as const, weekly].map((fairShare) =>
          exportScheduling(
            exporter,
            schedulingPolicy(`${kind}/${heuristic}`, kind, heuristic, { fairShare }),
          ),
        ),
      ),
    );

    it("say in every file what it is, where it goes, what it does and what was tried", () => {
      for (const [readme, ...files] of all) {
        expect(readme.name).toBe("README.md");
        expect(files.length).toBeGreaterThan(0);
        expect(readme.text).toMatch(/## Go back\n[^]*## Measure afterwards\n[^]*croft compare/);
        for (const { name, text } of files) {
          for (const field of ["What:", "Where:", "Check:", "Policy:", "Tried:"])
            expect(text).toContain(field);
          expect(readme.text).toContain(name);
          expect(text).toMatch(/[^\n]\n$/);
        }
        for (const { text } of [readme, ...files]) expect(text).not.toMatch(/undefined|\[object|NaN/);
      }
    });

    it("say which parts of a policy are not supported", () => {
      for (const kind of ["max-jobs", "lookahead", "either-order", "easy++"])
        expect(textOf(exporter.name, kind)).toMatch(/does not do this: /);
      expect(textOf(exporter.name, "easy", "dot-product")).toContain("dot-product");
      expect(textOf(exporter.name, "easy-sjbf")).toMatch(
        /not the shortest first|no backfilling|order of the queue/,
      );
    });

    it("have nothing in a file to load that takes jobs, limits or rights from anybody", () => {
      for (const [, ...files] of all)
        for (const { name, text } of files)
          for (const line of text.split("\n").filter((each) => !each.startsWith("#")))
            expect(line, name).not.toMatch(
              /SelectType|Priority|RUNLIMIT|walltime|h_rt|fair_?share|by_queue|round_robin|starving|^resources:|RES_REQ|weight_|halftime/i,
            );
    });

    it("are told as what the batch system makes of them", () => {
      for (const kind of kinds)
        for (const heuristic of heuristics) {
          const policy = schedulingPolicy(`${kind}/${heuristic}`, kind, heuristic, {});
          const { policy: nearest, isSame } = exporter.attainable(policy);
          if (isSame) expect(nearest).toBe(policy.name);
          // What it comes to can be had.
          const [base, placement = heuristics.includes(base) ? base : "first-fit"] = nearest.split("/");
          const again = exporter.attainable(
            schedulingPolicy(nearest, base, placement, {
              hasReservations: exporter.attainable(policy).reservations === "all",
            }),
          );
          expect(again, `${policy.name}: ${nearest}`).toMatchObject({ policy: nearest, isSame: true });
        }
    });
  },
);

describe("what passes a job that does not fit", () => {
  it.each([
    ["easy", "slurm", "easy/best-fit-cores", true],
    ["easy", "lsf", "conservative/best-fit-cores", false],
    ["easy-sjbf", "pbs", "easy/best-fit-cores", false],
    ["easy", "grid-engine", "easy/best-fit-cores", true],
    ["conservative", "kubernetes", "best-fit-cores", false],
    ["fcfs", "lsf", "best-fit-cores", false],
    ["max-jobs", "slurm", "conservative/best-fit-cores", false],
  ])("%s on %s is %s", (kind, system, policy, isSame) => {
    const exporter = schedulingExporters.find(({ name }) => name === system)!;
    expect(
      exporter.attainable(schedulingPolicy(`${kind}/best-fit-cores`, kind, "best-fit-cores")),
    ).toMatchObject({ policy, isSame });
  });

  it.each([
    ["fcfs", "SchedulerType=sched/builtin"],
    ["first-fit", "bf_job_part_count_reserve=0,"],
    ["easy", "bf_job_part_count_reserve=1,"],
    ["backfill:20", "bf_job_part_count_reserve=20,bf_min_age_reserve=0,bf_continue,bf_max_job_test=1000"],
    ["backfill:5000", "bf_job_part_count_reserve=5000,bf_min_age_reserve=0,bf_continue,bf_max_job_test=5000"],
    ["backfill:200000", "bf_job_part_count_reserve=100000,"],
    ["conservative", "bf_job_part_count_reserve=0,"],
  ])("%s on Slurm: %s", (kind, line) => expect(textOf("slurm", kind)).toContain(line));

  it.each([
    ["fcfs", "strict_ordering: true", 0],
    ["first-fit", "strict_ordering: true", 100],
    ["easy", "strict_ordering: true", 1],
    ["backfill:20", "strict_ordering: true", 20],
    ["conservative", "strict_ordering: true", 100],
  ])("%s on PBS: %s, %i in depth", (kind, line, depth) => {
    expect(textOf("pbs", kind)).toContain(line);
    expect(textOf("pbs", kind)).toContain(`backfill_depth = ${depth}\n`);
  });

  it("without reservations whoever fits does", () => {
    const text = (system: string): string => textOf(system, "first-fit", "first-fit", null, false);
    expect(text("slurm")).toContain("bf_min_age_reserve=2592000");
    expect(text("pbs")).toContain("strict_ordering: false");
    // At a depth of 0 a job that starves would hold up the whole farm.
    expect(text("pbs")).not.toContain("set server backfill_depth");
  });

  it.each([
    ["slurm", /^# SchedulerType .* be it for nodes that are down\./m],
    ["pbs", /^# strict_ordering .* holds up all behind it\./m],
    ["kubernetes", /^# queueingStrategy .* of more than the quota holds up all behind it for good\./m],
  ])("fcfs on %s: what one job can do to all is told beside the line", (system, told) =>
    expect(textOf(system, "fcfs")).toMatch(told),
  );

  it("on LSF slots are reserved for backfilling only", () => {
    expect(textOf("lsf", "easy")).toMatch(/^SLOT_RESERVE[^]*^BACKFILL = Y$/m);
    expect(textOf("lsf", "first-fit")).toMatch(/^SLOT_RESERVE/m);
    expect(textOf("lsf", "first-fit")).not.toMatch(/^BACKFILL/m);
    expect(textOf("lsf", "first-fit", "first-fit", null, false)).not.toMatch(/^(SLOT_RESERVE|BACKFILL)/m);
    expect(textOf("lsf", "backfill:20")).toMatch(/^SLOT_RESERVE[^]*^BACKFILL = Y$/m);
    expect(textOf("lsf", "backfill:20")).toContain("not for the first 20 only");
    expect(textOf("lsf", "fcfs")).toContain("LSF has no strict order");
  });

  it.each([
    ["fcfs", 0, false],
    ["easy", 1, true],
    ["conservative", 100, true],
  ])("%s on Grid Engine: %i reservations", (kind, count, asks) => {
    expect(textOf("grid-engine", kind)).toMatch(new RegExp(`^max_reservation +${count}$`, "m"));
    expect(/^-R y$/m.test(textOf("grid-engine", kind))).toBe(asks);
  });

  it.each([
    ["fcfs", "StrictFIFO"],
    ["easy", "BestEffortFIFO"],
  ])("%s in Kubernetes: %s", (kind, strategy) => {
    const exporter = schedulingExporters.find(({ name }) => name === "kubernetes")!;
    const files = exportScheduling(exporter, schedulingPolicy(kind, kind, "worse-fit-memory"));
    const [scheduler, queue] = ["kube-scheduler.yaml", "cluster-queue.yaml"].map(
      (name) => parse(files.find((file) => file.name === name)!.text) as unknown,
    );
    expect(queue).toEqual({ spec: { queueingStrategy: strategy } });
    expect(scheduler).toMatchObject({
      kind: "KubeSchedulerConfiguration",
      // Without it the scheduler would look for a cluster that it runs in.
      clientConnection: { kubeconfig: "/etc/kubernetes/scheduler.conf" },
      profiles: [
        { schedulerName: "default-scheduler" },
        {
          schedulerName: "croft",
          plugins: { score: { enabled: [{ name: "NodeResourcesFit" }] } },
          pluginConfig: [
            {
              name: "NodeResourcesFit",
              args: {
                scoringStrategy: { type: "LeastAllocated", resources: [{ name: "memory", weight: 1 }] },
              },
            },
          ],
        },
      ],
    });
  });
});

it.each([
  ["lsf", "easy", /Leave SLOT_RESERVE out of a queue that has RESOURCE_RESERVE/],
  ["lsf", "easy", /LSF preempts no jobs of a queue with BACKFILL, unless/],
  ["pbs", "easy", /A queue's own backfill_depth .* counts in place of the server's/],
  ["kubernetes", "first-fit", /what pods prefer .* does not; what they require does/],
])("on %s what a line of %s does beside others is told", (system, kind, told) => {
  expect(textOf(system, kind)).toMatch(told);
});

it("where machines are chosen is in the words of each", () => {
  expect(textOf("slurm", "easy", "worse-fit-cores")).toMatch(/^LLN=YES$/m);
  expect(textOf("slurm", "easy", "best-fit-cores")).not.toMatch(/^LLN/m);
  expect(textOf("grid-engine", "easy", "worse-fit-cores")).toMatch(/^load_formula +-slots$/m);
  expect(textOf("grid-engine", "easy", "best-fit-cores")).toMatch(
    /slots is what a host has left only where every host has it as a consumable/,
  );
  expect(textOf("pbs", "easy", "best-fit-memory")).toContain('node_sort_key: "mem LOW unused"');
  expect(textOf("lsf", "easy", "best-fit-cores")).toContain('RES_REQ = "order[-slots]"');
  expect(textOf("kubernetes", "easy", "mix-fit")).toContain("NodeResourcesBalancedAllocation");
});

describe("fair share by what was used", () => {
  const text = (system: string, more: Partial<FairShareUsage> = {}): string =>
    textOf(system, "easy", "first-fit", { ...weekly, ...more });

  it("is Slurm's multifactor, with its half-life", () => {
    expect(text("slurm")).toContain("PriorityType=priority/multifactor\nPriorityDecayHalfLife=7-00:00:00\n");
    expect(text("slurm", { halfLifeSeconds: 90_060 })).toContain("PriorityDecayHalfLife=1-01:01:00\n");
    expect(text("slurm", { halfLifeSeconds: 20 })).toContain("PriorityDecayHalfLife=0-00:01:00\n");
    expect(text("slurm")).not.toMatch(/TRESBillingWeights|MAX_TRES/);
    expect(text("slurm", { of: "memory" })).toContain("TRESBillingWeights");
    expect(text("slurm", { of: "dominant" })).toContain("PriorityFlags=MAX_TRES\n");
    expect(textOf("slurm", "easy")).toContain("PriorityType=priority/basic");
  });

  it("is fair_share on PBS, halved each decay time", () => {
    expect(text("pbs")).toContain(
      "fair_share: true\tALL\nfairshare_usage_res: ncpus*walltime\nfairshare_decay_time: 168:00:00\nfairshare_decay_factor: 0.5\n",
    );
    expect(text("pbs", { of: "memory" })).toContain("fairshare_usage_res: mem*walltime");
    expect(text("pbs", { of: "dominant" })).toMatch(/PBS does not count the resource/);
    expect(textOf("pbs", "easy")).toContain("fair_share: false");
  });

  it("is the run time of LSF's fair share, a tenth of which counts after 3.3 half-lives", () => {
    expect(text("lsf")).toMatch(/FAIRSHARE = [^]*RUN_JOB_FACTOR = 0[^]*HIST_HOURS = 558\n/);
    expect(text("lsf", { of: "memory" })).toMatch(/counts the time of slots/);
    expect(textOf("lsf", "easy")).not.toMatch(/FAIRSHARE|HIST_HOURS/);
  });

  it("is told in words, as is what Kubernetes has for it", () => {
    expect(text("slurm")).toContain("half of it counting after 7 days");
    expect(text("kubernetes")).toContain("usageHalfLifeTime: 604800s");
  });
});

describe("fair share by the cores in use now", () => {
  it.each([
    ["slurm", "PriorityDecayHalfLife=0-00:05:00"],
    ["pbs", "fairshare_decay_time: 00:05:00"],
  ])("has no equivalent on %s, which says so", (system, nearest) => {
    const text = textOf(system, "easy", "first-fit", "running");
    expect(text).toContain(nearest);
    expect(text).toMatch(/has no fair share by the cores in use now/);
  });

  it("is the slots in use of LSF's", () => {
    const text = textOf("lsf", "easy", "first-fit", "running");
    expect(text).toMatch(/FAIRSHARE = [^]*RUN_JOB_FACTOR = 3[^]*RUN_TIME_FACTOR = 0/);
    expect(text).not.toContain("HIST_HOURS");
    expect(textOf("kubernetes", "easy", "first-fit", "running")).toMatch(/Nothing is written for fair share/);
  });
});
