import type { Decision, SchedulingExporter, Setting } from "./advice.ts";
import { attainable } from "./attainable.ts";
import { longestText, waitingText, type LogFacts } from "./log-facts.ts";
import { qmgrSyntax, schedConfigSyntax } from "./pbs-syntax.ts";
import type { SchedulingPolicy } from "./policy.ts";

export const pbsScheduling: SchedulingExporter = {
  name: "pbs",
  title: "OpenPBS and PBS Pro",
  against: "sched_config, and what qmgr -c 'print server' prints",
  tried:
    "on no real PBS: written from the documentation of PBS Pro 2021 and the comments in OpenPBS's sched_config.",
  ofUnlimited: ({ passing }) =>
    passing === "none" || passing === "all" ? null : "PBS believes that such a job runs for five years",
  advise: (policy, facts) => ({
    files: [
      {
        name: "sched_config.croft",
        where: "in $PBS_HOME/sched_priv/sched_config, in place of the lines of the same names there",
        settings: schedulerSettings(policy),
        syntax: schedConfigSyntax,
      },
      {
        name: "qmgr.croft",
        where: "to the server, as a manager of PBS",
        settings: depth(policy, facts),
        syntax: qmgrSyntax,
      },
    ],
    decisions: decisions(policy, facts),
    missing: missing(policy),
    know: know(policy, facts),
    check: [
      "qmgr -c 'print server' | grep backfill_depth",
      "qselect -s QR | wc -l    # before and after: as many jobs",
      "qstat -T    # when waiting jobs are expected to start",
    ],
  }),
  attainable: (policy) =>
    attainable(policy, {
      passing: { "easy-sjbf": "easy", kept: "conservative" },
      placement: ["first-fit", ...Object.keys(nodeOrders)],
      otherwise: "first-fit",
    }),
};

const HUP = "kill -HUP of the scheduler";

function depth({ passing, depth }: SchedulingPolicy, facts: LogFacts | null): Setting[] {
  const setting = { name: "backfill_depth", byDefault: "1", load: "qmgr < qmgr.croft" };
  switch (passing) {
    // Without a depth nothing would run beside a job that starves (help_starving_jobs) until that can start.
    case "all":
      return [];
    case "none":
      return [{ ...setting, value: "0", does: "No waiting job has nodes kept free for it." }];
    case "easy":
    case "easy-sjbf":
      return [{ ...setting, value: "1", does: "The first waiting job has nodes kept free for it." }];
    case "backfill":
      return [
        {
          ...setting,
          value: String(depth),
          does: `The first ${depth} waiting jobs have nodes kept free for them.`,
        },
      ];
    case "kept":
    case "conservative":
      return [
        {
          ...setting,
          isMinimum: true,
          value: String(Math.max(MIN_DEPTH, facts?.waiting ?? 0)),
          does: `So many of the first waiting jobs have nodes kept free for them; each costs time in every cycle.${facts?.waiting ? ` ${waitingText(facts)}.` : ""}`,
        },
      ];
  }
}

const MIN_DEPTH = 100;

/** `node_sort_key` of the heuristics that PBS has. */
const nodeOrders: Readonly<Record<string, string>> = {
  "best-fit-cores": "ncpus LOW unused",
  "worse-fit-cores": "ncpus HIGH unused",
  "best-fit-memory": "mem LOW unused",
  "worse-fit-memory": "mem HIGH unused",
};

function schedulerSettings({ passing, placement }: SchedulingPolicy): Setting[] {
  const order = nodeOrders[placement];
  return [
    {
      name: "strict_ordering",
      value: passing === "all" ? "false" : "true",
      byDefault: "false",
      does:
        passing === "all"
          ? "What does not fit is passed over, and nothing is kept free for it."
          : passing === "none"
            ? "Jobs start in order: one that cannot start, be it for nodes that are down, holds up all behind it."
            : "Jobs start in order; only backfilling lets a later one start first.",
      load: HUP,
    },
    ...(order === undefined
      ? []
      : [
          {
            name: "node_sort_key",
            value: `"${order}"`,
            does: `Nodes are taken by ${placement}.`,
            load: HUP,
          },
        ]),
  ];
}

function decisions({ passing, fairShare, hasMemory }: SchedulingPolicy, facts: LogFacts | null): Decision[] {
  return [
    ...(passing === "none" || passing === "all"
      ? []
      : [
          {
            lines: [
              `set queue NAME resources_default.walltime = ${facts === null ? "HOURS:MINUTES:SECONDS" : pbsTime(facts.longestSeconds)}`,
            ],
            does: `Gives jobs without a walltime one, so that backfilling can count with them; PBS kills jobs that run longer.${facts === null ? "" : ` ${longestText(facts)}.`}`,
          },
        ]),
    {
      lines: ["by_queue: false\tALL"],
      does: "Croft has one queue. This line would do so too, and queues lose the priority that they have.",
    },
    {
      lines: ["round_robin: false\tALL"],
      does: "Croft has one queue. This line would do so too, and queues no longer take turns.",
    },
    {
      lines: ["help_starving_jobs: false\tALL"],
      does: "No job of Croft's grows more urgent by waiting. This line would do so too, and jobs that starve lose their help.",
    },
    fairShare === null
      ? {
          lines: ["fair_share: false\tALL"],
          does: "Croft ran the jobs in order of arrival. This line would do so too, and users lose the shares that they were given.",
        }
      : fairShareDecision(fairShare),
    ...(hasMemory
      ? [
          {
            lines: ['resources: "ncpus, mem, …"'],
            does:
              "Croft counts cores and memory. Add mem to the resources that are there if it is missing; jobs that ask for more than nodes have will not start. " +
              "What is there must stay: jobs would no longer be given the GPUs, hosts or licences that they ask for.",
          },
        ]
      : []),
  ];
}

/** PBS has only what decays. With a half-life this short little counts but what runs. */
const NEARLY_NOW_SECONDS = 300;

function fairShareDecision(fairShare: NonNullable<SchedulingPolicy["fairShare"]>): Decision {
  const isNow = fairShare === "running";
  return {
    lines: [
      "fair_share: true\tALL",
      `fairshare_usage_res: ${!isNow && fairShare.of === "memory" ? "mem*walltime" : "ncpus*walltime"}`,
      `fairshare_decay_time: ${pbsTime(isNow ? NEARLY_NOW_SECONDS : fairShare.halfLifeSeconds)}`,
      "fairshare_decay_factor: 0.5",
    ],
    does:
      `${isNow ? "Near to it: the order is by what was used in the last minutes" : "The order is by what was used"}; shares are in $PBS_HOME/sched_priv/resource_group. ` +
      "It changes who goes first.",
  };
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
          'PBS tries jobs for backfilling in the order of the queue. job_sort_key: "walltime LOW" would sort the whole queue by limit, the first job with it: long jobs then starve.',
        ]
      : []),
    ...(nodeOrders[placement] === undefined && placement !== "first-fit"
      ? [`PBS does not choose nodes by ${placement}.`]
      : []),
    ...(beyond === null ? [] : [`PBS does not do this: ${beyond}.`]),
  ];
}

function know({ passing, placement, fairShare }: SchedulingPolicy, facts: LogFacts | null): string[] {
  return [
    ...(fairShare === null
      ? []
      : [
          "PBS halves what was used once every fairshare_decay_time, where Croft does so all the time; who shares is fairshare_entity, a user unless given (egroup, project).",
        ]),
    ...(passing === "none" || passing === "all"
      ? []
      : [
          "Backfilling goes by walltime: a job without one is believed to run for five years.",
          "A queue's own backfill_depth (set queue NAME backfill_depth) counts in place of the server's: qmgr -c 'print server' tells it, and --against with what that prints has lines for it.",
        ]),
    ...(passing === "conservative" || passing === "kept"
      ? [
          facts === null
            ? "backfill_depth is a number of jobs: raise it to as many as usually wait, as far as the cycle stays short. --log FILE takes it from a log."
            : "backfill_depth is a number of jobs: lower it if the cycle becomes long.",
        ]
      : []),
    ...(placement === "first-fit"
      ? ["Give nodes a priority (set node NAME priority = …) for an order of your own."]
      : []),
    "Torque's pbs_sched has no backfilling: there Maui or Moab decides.",
  ];
}
