import type { FairShareUsage } from "../../workload/index.ts";
import type { Decision, SchedulingExporter, Setting } from "./advice.ts";
import { attainable } from "./attainable.ts";
import { longestText, waitingText, type LogFacts } from "./log-facts.ts";
import type { SchedulingPolicy } from "./policy.ts";
import { slurmSyntax } from "./slurm-syntax.ts";

export const slurmScheduling: SchedulingExporter = {
  name: "slurm",
  title: "Slurm",
  against: "slurm.conf, or what scontrol show config prints",
  tried:
    "with Slurm 22.05.8 (Debian 12): Croft's own tests start slurmctld and slurmd with these lines, check which jobs pass which, " +
    "and that all jobs that run and wait are there after loading them and after going back. Other versions were not tried.",
  ofUnlimited: ({ passing }) =>
    passing === "none" || passing === "all" ? null : "Slurm believes that such a job runs for a year",
  advise: (policy, facts) => ({
    files: [
      {
        name: "slurm.conf.croft",
        where: "in slurm.conf on the controller, in place of the same names there",
        settings: settings(policy, facts),
        syntax: slurmSyntax,
      },
    ],
    decisions: decisions(policy),
    missing: missing(policy),
    know: know(policy, facts),
    check: [
      "scontrol show config | grep -E 'Scheduler|PriorityType'",
      "squeue -h -t R,PD | wc -l    # before and after: as many jobs",
      "sdiag    # the backfill's depth and time",
    ],
  }),
  attainable: (policy) =>
    attainable(policy, {
      passing: { "easy-sjbf": "easy", kept: "conservative" },
      placement: ["first-fit", "best-fit-cores", "worse-fit-cores"],
      otherwise: "best-fit-cores",
    }),
};

const RECONFIGURE = "scontrol reconfigure";
const RESTART = "a restart of slurmctld (jobs go on)";

function settings(policy: SchedulingPolicy, facts: LogFacts | null): Setting[] {
  if (policy.passing === "none")
    return [
      {
        name: "SchedulerType",
        value: "sched/builtin",
        byDefault: "sched/backfill",
        does: "No job of a partition passes the first one that does not fit, be it for nodes that are down.",
        load: RESTART,
      },
    ];
  return [
    {
      name: "SchedulerType",
      value: "sched/backfill",
      byDefault: "sched/backfill",
      does: "Jobs may pass others.",
      load: RESTART,
    },
    ...passing(policy),
    ...(policy.passing === "all" ? [] : planning(facts)),
    {
      ...PARAMETER,
      name: "bf_continue",
      value: "",
      does: "A pass goes on where it was interrupted, instead of beginning again with the first job.",
    },
    ...depth(policy, facts),
  ];
}

const PARAMETER = { within: "SchedulerParameters", load: RECONFIGURE };

/** The largest `bf_job_part_count_reserve`: slurm.conf(5). */
const MOST_RESERVING = 100_000;

function passing({ passing, depth }: SchedulingPolicy): Setting[] {
  const reserved = {
    ...PARAMETER,
    name: "bf_job_part_count_reserve",
    byDefault: "0",
  };
  const age = { ...PARAMETER, name: "bf_min_age_reserve", byDefault: "0" };
  const atOnce: Setting = {
    ...age,
    value: "0",
    does: "Nodes are kept free for a job from its first minute on.",
  };
  switch (passing) {
    case "none":
      return [];
    case "all":
      return [
        {
          ...age,
          value: "2592000",
          does: "Jobs that fit pass those that do not: no job has nodes kept free for it in its first 30 days of waiting.",
        },
      ];
    case "easy":
    case "easy-sjbf":
      return [
        {
          ...reserved,
          value: "1",
          does: "EASY: nodes are kept free for the first waiting job of a partition only.",
        },
        atOnce,
      ];
    case "backfill":
      return [
        {
          ...reserved,
          value: String(Math.min(depth, MOST_RESERVING)),
          does: `Nodes are kept free for the first ${depth} waiting jobs of a partition; Slurm takes at most ${MOST_RESERVING}.`,
        },
        atOnce,
      ];
    case "kept":
    case "conservative":
      return [
        {
          ...reserved,
          value: "0",
          does: `${passing === "kept" ? "Near to it" : "Conservative"}: nodes are kept free for every waiting job that is looked at.`,
        },
        atOnce,
      ];
  }
}

/** The most that slurmctld takes: with more it falls back to a day, and says so only in its log. */
const MAX_WINDOW_MINUTES = 43_200;
const DEFAULT_WINDOW_MINUTES = 1440;
/** So many steps at most for a window: a week of minutes. */
const MAX_STEPS = 10_080;
const RESOLUTIONS_SECONDS = [60, 120, 180, 300];

/** How far ahead starts are planned, and in which steps: as far as the log's longest limit. */
function planning(facts: LogFacts | null): Setting[] {
  if (facts === null) return [];
  const wanted = Math.max(DEFAULT_WINDOW_MINUTES, Math.ceil(facts.longestSeconds / 60));
  const window = Math.min(wanted, MAX_WINDOW_MINUTES);
  const resolution = RESOLUTIONS_SECONDS.find((seconds) => (window * 60) / seconds <= MAX_STEPS)!;
  return [
    {
      ...PARAMETER,
      name: "bf_window",
      value: String(window),
      byDefault: String(DEFAULT_WINDOW_MINUTES),
      isMinimum: true,
      does:
        window < wanted
          ? `Minutes ahead that starts are planned: the most that Slurm takes. ${longestText(facts)}.`
          : `Minutes ahead that starts are planned. ${longestText(facts)}.`,
    },
    {
      ...PARAMETER,
      name: "bf_resolution",
      value: String(resolution),
      byDefault: "60",
      isMinimum: true,
      does: "The steps of that plan, in seconds, of which it has 10,080 at most; jobs shorter than a step pass less often.",
    },
  ];
}

const DEFAULT_DEPTH = 500;
/** With `backfill:N`: so many jobs behind the promised ones are tried. */
const BEHIND_DEPTH = 1000;

/** As many jobs as usually wait, where Slurm would look at fewer. */
/** Jobs that are not looked at cannot pass either: more than those that nodes are kept free for. */
function depth({ passing, depth: promised }: SchedulingPolicy, facts: LogFacts | null): Setting[] {
  const waiting = facts?.waiting ?? null;
  const least = passing === "backfill" ? Math.max(BEHIND_DEPTH, promised) : DEFAULT_DEPTH;
  if (waiting === null && passing !== "backfill") return [];
  const value = Math.min(1_000_000, Math.max(least, Math.ceil((waiting ?? 0) / 100) * 100));
  return [
    {
      ...PARAMETER,
      name: "bf_max_job_test",
      value: String(value),
      byDefault: String(DEFAULT_DEPTH),
      isMinimum: true,
      does: `So many waiting jobs are looked at in a pass.${facts === null || waiting === null ? "" : ` ${waitingText(facts)}.`}`,
    },
  ];
}

/** Slurm has only what decays. With a half-life this short little counts but what runs. */
const NEARLY_NOW_SECONDS = 300;

function decisions({ fairShare, placement }: SchedulingPolicy): Decision[] {
  return [
    ...(fairShare === null
      ? [
          {
            lines: ["PriorityType=priority/basic"],
            does:
              "Croft ran the jobs in order of arrival. This line would do so too, and with it fair share, QOS, age, size, " +
              "partitions' priorities and --nice no longer count: users lose what they were given. " +
              "Leave priorities as they are unless the order of arrival is what you want; needs a restart of slurmctld.",
          },
        ]
      : [fairShareDecision(fairShare)]),
    ...(placement === "worse-fit-cores"
      ? [
          {
            lines: ["LLN=YES"],
            does:
              "On the PartitionName line of a partition: each job goes to the node with the most idle cores. Jobs of many cores are then " +
              "spread over more nodes, and fewer nodes stay free for jobs that need whole ones. Not with select/linear, which gives out whole nodes.",
          },
        ]
      : []),
  ];
}

function fairShareDecision(fairShare: NonNullable<SchedulingPolicy["fairShare"]>): Decision {
  const isNow = fairShare === "running";
  return {
    lines: [
      "PriorityType=priority/multifactor",
      `PriorityDecayHalfLife=${slurmTime(isNow ? NEARLY_NOW_SECONDS : fairShare.halfLifeSeconds)}`,
      "PriorityUsageResetPeriod=NONE",
      ...(isNow || fairShare.halfLifeSeconds < 3600 ? ["PriorityCalcPeriod=1"] : []),
      ...(!isNow && fairShare.of === "dominant" ? ["PriorityFlags=MAX_TRES"] : []),
      "PriorityWeightFairshare=100000",
      "PriorityWeightAge=1000",
    ],
    does:
      `${isNow ? "Near to it: the order is by what was used in the last minutes" : "The order is by what was used"}. ` +
      "It changes who goes first, and what QOS, partitions and size count beside it; it needs an accounting database (slurmdbd) with shares, and a restart of slurmctld.",
  };
}

/** `7-00:00:00`: whole minutes, one at least. */
function slurmTime(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  const pad = (part: number): string => String(Math.floor(part)).padStart(2, "0");
  return `${Math.floor(minutes / 1440)}-${pad((minutes % 1440) / 60)}:${pad(minutes % 60)}:00`;
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
        : `Slurm does not choose nodes by ${placement}: it knows its own best fit by cores, Weight, and LLN for the least loaded.`,
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

function know({ passing, hasMemory, fairShare }: SchedulingPolicy, facts: LogFacts | null): string[] {
  const backfills = passing !== "none" && passing !== "all";
  const isLong = facts !== null && facts.longestSeconds > MAX_WINDOW_MINUTES * 60;
  return [
    `SelectType stays as it is, and so do its parameters: a change of it loses all jobs, those that run and those that wait. Croft's jobs share nodes by cores${hasMemory ? " and memory" : ""}; where yours do not (select/linear), waits will differ.`,
    "Reservations and the order of jobs are by partition; Croft has one queue.",
    ...(fairShare === null
      ? []
      : [
          "Shares are those of accounts and users: sacctmgr modify account NAME set fairshare=NUMBER; sshare -l shows them with what was used. Levels of accounts are compared one by one, as Croft's projects are (Fair Tree, the default from 19.05 on).",
        ]),
    ...(fairShare !== null && fairShare !== "running" ? billing(fairShare) : []),
    ...(backfills
      ? [
          "Backfilling goes by time limits: without --time, DefaultTime or a partition's MaxTime nothing passes.",
          facts === null
            ? "bf_window (minutes, 43200 at most) has to be at least the longest limit: --log FILE takes it from a log."
            : "A pass looks at bf_max_job_test jobs; sdiag tells whether it comes to its end.",
        ]
      : []),
    ...(backfills && isLong
      ? [
          "Slurm plans 30 days ahead and no further: a job that can only start later has no nodes kept free for it. slurmctld refuses a longer bf_window and takes a day instead.",
        ]
      : []),
    ...(passing === "all"
      ? [
          "A large job may wait until the farm happens to be empty enough: Croft's report tells the longest wait.",
        ]
      : []),
  ];
}
