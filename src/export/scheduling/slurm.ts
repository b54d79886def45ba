import type { SchedulingExporter } from "./advice.ts";
import type { FairShareUsage } from "../../workload/index.ts";
import type { SchedulingPolicy } from "./policy.ts";

export const slurmScheduling: SchedulingExporter = {
  name: "slurm",
  title: "Slurm",
  tried:
    "with Slurm 22.05.8 (Debian 12): Croft's own tests start slurmctld and slurmd with these lines and check which jobs pass which. " +
    "Other versions were not tried.",
  advise: (policy) => ({
    settings: [
      {
        name: "slurm.conf.croft",
        where: "in slurm.conf on the controller, in place of the same names there; then restart slurmctld",
        lines: [...passingLines(policy), ...orderLines(policy), ...placementLines(policy)],
      },
    ],
    missing: missing(policy),
    know: know(policy),
    check: [
      "scontrol show config | grep -E 'Scheduler|SelectType|PriorityType'",
      "sdiag    # the backfill's depth and time",
    ],
  }),
};

/** What Slurm plans by; longer than a week is to be set longer. */
const WINDOW_MINUTES = 10_080;
/** The largest `bf_job_part_count_reserve`: slurm.conf(5). */
const MOST_RESERVING = 100_000;

function passingLines({ passing, depth }: SchedulingPolicy): string[] {
  const tested = Math.max(1000, depth);
  const backfill = `bf_window=${WINDOW_MINUTES},bf_resolution=60,bf_max_job_test=${tested},bf_continue`;
  switch (passing) {
    case "none":
      return [
        "# No job of a partition passes the first one that does not fit.",
        "SchedulerType=sched/builtin",
      ];
    case "all":
      return [
        "# Jobs that fit pass those that do not: no job has nodes kept free for it in its first 30 days of waiting.",
        "SchedulerType=sched/backfill",
        "SchedulerParameters=bf_min_age_reserve=2592000,bf_max_job_test=1000,bf_continue",
      ];
    case "easy":
    case "easy-sjbf":
      return [
        "# EASY: nodes are kept free for the first waiting job of a partition only.",
        "SchedulerType=sched/backfill",
        `SchedulerParameters=bf_job_part_count_reserve=1,${backfill}`,
      ];
    case "kept":
      return [
        "# Near to it: nodes are kept free for every waiting job that is looked at (the default).",
        "SchedulerType=sched/backfill",
        `SchedulerParameters=bf_job_part_count_reserve=0,${backfill}`,
      ];
    case "backfill":
      return [
        `# Nodes are kept free for the first ${depth} waiting jobs of a partition; Slurm takes at most ${MOST_RESERVING}.`,
        "SchedulerType=sched/backfill",
        `SchedulerParameters=bf_job_part_count_reserve=${Math.min(depth, MOST_RESERVING)},${backfill}`,
      ];
    case "conservative":
      return [
        "# Conservative: every waiting job that is looked at has nodes kept free for it (the default).",
        "SchedulerType=sched/backfill",
        `SchedulerParameters=bf_job_part_count_reserve=0,${backfill}`,
      ];
  }
}

/** Slurm has only what decays. With a half-life this short little counts but what runs. */
const NEARLY_NOW_SECONDS = 300;

function orderLines({ fairShare }: SchedulingPolicy): string[] {
  if (fairShare === null) return ["# In order of arrival.", "PriorityType=priority/basic"];
  const isNow = fairShare === "running";
  return [
    isNow
      ? "# Near to it: by what was used in the last minutes; needs an accounting database (slurmdbd) with shares."
      : "# By what was used; needs an accounting database (slurmdbd) with shares.",
    "PriorityType=priority/multifactor",
    `PriorityDecayHalfLife=${slurmTime(isNow ? NEARLY_NOW_SECONDS : fairShare.halfLifeSeconds)}`,
    "PriorityUsageResetPeriod=NONE",
    ...(isNow || fairShare.halfLifeSeconds < 3600 ? ["PriorityCalcPeriod=1"] : []),
    ...(!isNow && fairShare.of === "dominant" ? ["PriorityFlags=MAX_TRES"] : []),
    "PriorityWeightFairshare=100000",
    "PriorityWeightAge=1000",
  ];
}

/** `7-00:00:00`: whole minutes, one at least. */
function slurmTime(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  const pad = (part: number): string => String(Math.floor(part)).padStart(2, "0");
  return `${Math.floor(minutes / 1440)}-${pad((minutes % 1440) / 60)}:${pad(minutes % 60)}:00`;
}

function placementLines({ placement, hasMemory }: SchedulingPolicy): string[] {
  const resources = hasMemory ? "CR_Core_Memory" : "CR_Core";
  const what = hasMemory ? "cores and memory" : "cores";
  return placement === "worse-fit-cores"
    ? [
        `# Jobs hold ${what}; each goes to the node with the most idle cores.`,
        "SelectType=select/cons_tres",
        `SelectTypeParameters=${resources},CR_LLN`,
      ]
    : [`# Jobs hold ${what}.`, "SelectType=select/cons_tres", `SelectTypeParameters=${resources}`];
}

function missing({ passing, placement, beyond, fairShare }: SchedulingPolicy): string[] {
  const sentences: string[] = [];
  if (fairShare === "running")
    sentences.push(
      "Slurm has no fair share by the cores in use now: its own goes by what was used, which decays. Near to it: the half-life of five minutes that is written. `--fair-share usage` is what Slurm does.",
    );
  if (passing === "kept")
    sentences.push(
      "Slurm keeps nodes free by time limits: a job that would be done in time may use them, where this policy leaves them idle.",
    );
  if (passing === "easy-sjbf")
    sentences.push(
      "Slurm tries jobs for backfilling in order of priority, not the shortest first. Near to it: a partition for short jobs with a higher PriorityTier.",
    );
  if (placement === "first-fit")
    sentences.push(
      "Nodes are not taken in the order of a list unless their Weight says so: give each node of slurm.conf a Weight, 1 for the first, 2 for the second, and so on.",
    );
  else if (placement !== "worse-fit-cores")
    sentences.push(
      placement === "best-fit-cores"
        ? "Which of the nodes that fit is taken is Slurm's own best fit, which looks at all nodes of a job; it is near best fit by cores."
        : `Slurm does not choose nodes by ${placement}: it knows its own best fit by cores, Weight, and CR_LLN for the least loaded.`,
    );
  if (beyond !== null) sentences.push(`Slurm does not do this: ${beyond}.`);
  return sentences;
}

/** What a job's use is: TRES billing, cores unless weights are given. */
function billing({ of }: FairShareUsage): string[] {
  switch (of) {
    case "cores":
      return [];
    case "memory":
      return ['Each partition needs TRESBillingWeights="CPU=0,Mem=1G": use is then memory, not cores.'];
    case "dominant":
      return [
        "Each partition needs TRESBillingWeights, as in \"CPU=1,Mem=0.25G\": what a core's part of a node's memory is worth. MAX_TRES takes the largest of them, node by node.",
      ];
  }
}

function know({ passing, hasMemory, fairShare }: SchedulingPolicy): string[] {
  const backfills = passing !== "none" && passing !== "all";
  return [
    "SchedulerParameters holds all of a site's parameters in one line: add these to those that are there.",
    "Reservations and the order of jobs are by partition; Croft has one queue.",
    ...(fairShare === null
      ? []
      : [
          "Shares are those of accounts and users: sacctmgr modify account NAME set fairshare=NUMBER; sshare -l shows them with what was used. Levels of accounts are compared one by one, as Croft's projects are (Fair Tree, the default from 19.05 on).",
        ]),
    ...(fairShare !== null && fairShare !== "running" ? billing(fairShare) : []),
    ...(backfills
      ? [
          "Backfilling goes by time limits: without --time, DefaultTime or a partition's MaxTime nothing passes. bf_window (minutes) has to be at least the longest limit.",
          "A pass looks at bf_max_job_test jobs; sdiag tells whether it comes to its end.",
        ]
      : []),
    ...(passing === "all"
      ? [
          "A large job may wait until the farm happens to be empty enough: Croft's report tells the longest wait.",
        ]
      : []),
    ...(hasMemory
      ? ["Jobs need a memory limit (--mem, DefMemPerCPU): one that asks for none gets all of its node's."]
      : []),
  ];
}
