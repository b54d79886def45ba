import type { SchedulingExporter } from "./advice.ts";
import type { Passing, SchedulingPolicy } from "./policy.ts";

export const pbsScheduling: SchedulingExporter = {
  name: "pbs",
  title: "OpenPBS and PBS Pro",
  tried:
    "on no real PBS: written from the documentation of PBS Pro 2021 and the comments in OpenPBS's sched_config.",
  advise: (policy) => ({
    settings: [
      {
        name: "sched_config.croft",
        where:
          "in $PBS_HOME/sched_priv/sched_config, in place of the lines of the same names there; then kill -HUP the scheduler",
        lines: schedulerLines(policy),
      },
      {
        name: "qmgr.croft",
        where: "to the server: qmgr < qmgr.croft, as a manager of PBS",
        lines: [
          "# How many of the first waiting jobs have nodes kept free for them.",
          `set server backfill_depth = ${policy.passing === "backfill" ? policy.depth : depths[policy.passing]}`,
        ],
      },
    ],
    missing: missing(policy),
    know: know(policy),
    check: [
      "qmgr -c 'print server' | grep backfill_depth",
      "qstat -T    # when waiting jobs are expected to start",
    ],
  }),
};

const depths: Readonly<Record<Exclude<Passing, "backfill">, number>> = {
  none: 0,
  all: 0,
  easy: 1,
  "easy-sjbf": 1,
  kept: 100,
  // As many as usually wait: each costs time in every cycle.
  conservative: 100,
};

/** `node_sort_key` of the heuristics that PBS has. */
const nodeOrders: Readonly<Record<string, string>> = {
  "best-fit-cores": "ncpus LOW unused",
  "worse-fit-cores": "ncpus HIGH unused",
  "best-fit-memory": "mem LOW unused",
  "worse-fit-memory": "mem HIGH unused",
};

function schedulerLines({ passing, placement, fairShare, hasMemory }: SchedulingPolicy): string[] {
  const order = nodeOrders[placement];
  return [
    passing === "all"
      ? "# What does not fit is passed over, and nothing is kept free for it."
      : "# Jobs start in order; only backfilling lets a later one start first.",
    `strict_ordering: ${passing === "all" ? "false" : "true"}\tALL`,
    "help_starving_jobs: false\tALL",
    "by_queue: false\tALL",
    "round_robin: false\tall",
    ...fairShareLines(fairShare),
    hasMemory
      ? "# The resources of a node that jobs are given."
      : "# The resources of a node that jobs are given: without memory.",
    `resources: "ncpus, ${hasMemory ? "mem, " : ""}arch, host, vnode, aoe"`,
    ...(order === undefined
      ? ["# Nodes in the order of their priority.", 'node_sort_key: "sort_priority HIGH"\tALL']
      : [`# Nodes by ${placement}.`, `node_sort_key: "${order}"\tALL`]),
  ];
}

/** PBS has only what decays. With a half-life this short little counts but what runs. */
const NEARLY_NOW_SECONDS = 300;

function fairShareLines(fairShare: SchedulingPolicy["fairShare"]): string[] {
  if (fairShare === null) return ["# In order of arrival.", "fair_share: false\tALL"];
  const isNow = fairShare === "running";
  return [
    `# ${isNow ? "Near to it: by what was used in the last minutes" : "By what was used"}; shares are in $PBS_HOME/sched_priv/resource_group.`,
    "fair_share: true\tALL",
    `fairshare_usage_res: ${!isNow && fairShare.of === "memory" ? "mem*walltime" : "ncpus*walltime"}`,
    `fairshare_decay_time: ${pbsTime(isNow ? NEARLY_NOW_SECONDS : fairShare.halfLifeSeconds)}`,
    "fairshare_decay_factor: 0.5",
  ];
}

/** `168:00:00`. */
function pbsTime(seconds: number): string {
  const pad = (part: number): string => String(Math.floor(part)).padStart(2, "0");
  const whole = Math.round(seconds);
  return `${pad(whole / 3600)}:${pad((whole % 3600) / 60)}:${pad(whole % 60)}`;
}

function missing({ passing, placement, beyond, fairShare }: SchedulingPolicy): string[] {
  return [
    ...(fairShare === "running"
      ? [
          "PBS has no fair share by the cores in use now: its own goes by what was used, which decays. Near to it: the decay time of five minutes that is written. `--fair-share usage` is what PBS does.",
        ]
      : []),
    ...(fairShare !== null && fairShare !== "running" && fairShare.of === "dominant"
      ? [
          "PBS does not count the resource of which a job has the largest part: the lines count cores. fairshare_usage_res takes a formula of resources.",
        ]
      : []),
    ...(passing === "easy-sjbf"
      ? [
          'PBS tries jobs for backfilling in the order of the queue. `job_sort_key: "walltime LOW"` would sort the whole queue by limit, the first job with it: long jobs then starve.',
        ]
      : []),
    ...(nodeOrders[placement] === undefined && placement !== "first-fit"
      ? [`PBS does not choose nodes by ${placement}.`]
      : []),
    ...(beyond === null ? [] : [`PBS does not do this: ${beyond}.`]),
  ];
}

function know({ passing, placement, fairShare }: SchedulingPolicy): string[] {
  return [
    ...(fairShare === null
      ? []
      : [
          "PBS halves what was used once every fairshare_decay_time, where Croft does so all the time; who shares is fairshare_entity, a user unless given (egroup, project).",
        ]),
    ...(passing === "none" || passing === "all"
      ? []
      : [
          "Backfilling goes by walltime: a job without one is believed to run for five years. Give queues a resources_default.walltime.",
        ]),
    ...(passing === "conservative" || passing === "kept"
      ? [
          "backfill_depth is a number of jobs: raise it to as many as usually wait, as far as the cycle stays short.",
        ]
      : []),
    ...(placement === "first-fit"
      ? ["Give nodes a priority (set node NAME priority = …) for an order of your own."]
      : []),
    "The order is of all queues together (by_queue: false); Torque's pbs_sched has no backfilling: there Maui or Moab decides.",
  ];
}
