import type { Decision, SchedulingExporter, Setting } from "./advice.ts";
import { attainable } from "./attainable.ts";
import { longestText, type LogFacts } from "./log-facts.ts";
import { lsfQueuesSyntax } from "./lsf-syntax.ts";
import type { SchedulingPolicy } from "./policy.ts";

export const lsfScheduling: SchedulingExporter = {
  name: "lsf",
  title: "IBM Spectrum LSF",
  against: "lsb.queues",
  tried: "on no real LSF: written from its documentation (7.06 to 10.1).",
  ofUnlimited: (policy) => (backfills(policy) ? "LSF does not know when such a job ends" : null),
  advise: (policy, facts) => ({
    files: [
      {
        name: "lsb.queues.croft",
        where: "in the queues' sections (Begin Queue … End Queue) of lsb.queues",
        settings: queueSettings(policy, facts),
        syntax: lsfQueuesSyntax,
      },
    ],
    decisions: decisions(policy, facts),
    missing: missing(policy),
    know: know(policy),
    check: [
      "bqueues -l QUEUE | grep -A4 'SCHEDULING POLICIES'",
      "bqueues    # before and after: as many jobs (NJOBS)",
      "bjobs -l JOB    # what a waiting job has reserved",
    ],
  }),
  attainable: (policy) =>
    attainable(policy, {
      // Slots are reserved for every waiting parallel job, not for the first only.
      passing: { none: "all", easy: "conservative", "easy-sjbf": "conservative", backfill: "conservative" },
      placement: Object.keys(hostOrders),
      // Hosts by load: the least loaded first.
      otherwise: "worse-fit-cores",
    }),
};

/** The `order` section of the heuristics that LSF has. */
const hostOrders: Readonly<Record<string, string>> = {
  "best-fit-cores": "order[-slots]",
  "worse-fit-cores": "order[slots]",
  "best-fit-memory": "order[-mem]",
  "worse-fit-memory": "order[mem]",
};

function backfills({ passing }: SchedulingPolicy): boolean {
  return passing.startsWith("easy") || passing === "conservative" || passing === "backfill";
}

const RECONFIG = "badmin reconfig";
/** LSF's default, by which it counts how long slots stay reserved. */
const CYCLE_SECONDS = 10;
/** Where there is no log: a week. */
const RESERVED_SECONDS = 7 * 86_400;

/** A queue that backfills is preempted no more. */
const preemption = {
  name: "PREEMPTION",
  does:
    "Here queues preempt others' jobs (PREEMPTION), and jobs of a queue with BACKFILL are preempted no more: urgent jobs would wait for them. " +
    "PREEMPT_JOBTYPE = BACKFILL in lsb.params lets them be preempted as before; or give these lines to queues alone that none preempts.",
};

function queueSettings(policy: SchedulingPolicy, facts: LogFacts | null): Setting[] {
  const isReserving = policy.passing === "kept" || backfills(policy);
  const cycles = Math.ceil((facts?.longestSeconds ?? RESERVED_SECONDS) / CYCLE_SECONDS);
  return [
    {
      name: "SLOT_RESERVE",
      value: isReserving ? `MAX_RESERVE_TIME[${Math.max(1, cycles)}]` : null,
      ...(isReserving ? { isMinimum: true, doneBy: "RESOURCE_RESERVE" } : {}),
      // Slots that are collected, and used by none, are lost.
      ...(backfills(policy) ? { takesBeside: preemption } : {}),
      does: isReserving
        ? `Waiting parallel jobs collect slots for so many cycles of MBD_SLEEP_TIME (${CYCLE_SECONDS} s): ${facts === null ? "a week" : "as long as jobs may run"}. Not in a queue that has RESOURCE_RESERVE.`
        : "Nothing is kept free for a job that does not fit.",
      load: RECONFIG,
    },
    {
      name: "BACKFILL",
      value: backfills(policy) ? "Y" : null,
      ...(backfills(policy) ? { takesBeside: preemption } : {}),
      does: backfills(policy)
        ? "Other jobs use collected slots where they end in time. Not where other queues are to preempt this one's jobs (PREEMPTION), unless lsb.params has PREEMPT_JOBTYPE = BACKFILL."
        : "No job uses the slots that others have collected.",
      load: RECONFIG,
    },
  ];
}

function decisions(policy: SchedulingPolicy, facts: LogFacts | null): Decision[] {
  const order = hostOrders[policy.placement];
  return [
    ...(backfills(policy)
      ? [
          {
            lines: [`RUNLIMIT = ${facts === null ? "HOURS:MINUTES" : lsfTime(facts.longestSeconds)}`],
            does: `Gives jobs without a limit one, so that they can be backfilled; LSF kills jobs that run longer. bsub -We, or RUNTIME in lsb.applications, are estimates: LSF plans by them and kills nothing.${facts === null ? "" : ` ${longestText(facts)}.`}`,
          },
        ]
      : []),
    ...(policy.fairShare === null ? [] : [fairShareDecision(policy.fairShare)]),
    ...(order === undefined
      ? []
      : [
          {
            lines: [`RES_REQ = "${order}"`],
            does: `Hosts are taken by ${policy.placement}. Add the order to the queue's RES_REQ if it has one: without its select and rusage jobs would start where they may not.`,
          },
        ]),
  ];
}

/** Hours and minutes, up to the next minute. */
function lsfTime(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}

/** LSF tells its decay by the hours after which a tenth counts. */
const HALF_LIVES_TO_A_TENTH = Math.log2(10);

function fairShareDecision(fairShare: NonNullable<SchedulingPolicy["fairShare"]>): Decision {
  const users = "FAIRSHARE = USER_SHARES[[default, 1]]";
  const does = "It changes who goes first, and takes the place of the shares that users have in the queue.";
  if (fairShare === "running")
    return {
      lines: [users, "RUN_JOB_FACTOR = 3", "RUN_TIME_FACTOR = 0", "CPU_TIME_FACTOR = 0"],
      does: `The order is by the slots in use now: nothing else counts. ${does}`,
    };
  return {
    lines: [
      users,
      "RUN_JOB_FACTOR = 0",
      "RUN_TIME_FACTOR = 1",
      "CPU_TIME_FACTOR = 0",
      "ENABLE_HIST_RUN_TIME = Y",
      "RUN_TIME_DECAY = Y",
      `HIST_HOURS = ${Math.max(1, Math.round((fairShare.halfLifeSeconds / 3600) * HALF_LIVES_TO_A_TENTH))}`,
    ],
    does: `The order is by what was used, run time of jobs that run and of those that have ended; after HIST_HOURS a tenth counts. ${does}`,
  };
}

function missing(policy: SchedulingPolicy): string[] {
  const { passing, depth, placement, beyond, fairShare } = policy;
  return [
    ...(fairShare !== null && fairShare !== "running" && fairShare.of !== "cores"
      ? ["LSF's fair share counts the time of slots, not memory or the dominant resource."]
      : []),
    ...(passing === "none"
      ? [
          "LSF has no strict order: it passes over a job that does not fit. One queue with a job at a time (QJOB_LIMIT) would be no farm.",
        ]
      : []),
    ...(passing === "backfill"
      ? [
          `LSF reserves for every waiting parallel job of the queue, not for the first ${depth} only: it is nearer to conservative backfilling.`,
        ]
      : []),
    ...(passing === "easy" || passing === "easy-sjbf"
      ? [
          "LSF reserves for every waiting parallel job of the queue, not for the first only: it is nearer to conservative backfilling.",
        ]
      : []),
    ...(passing === "easy-sjbf"
      ? ["LSF tries jobs for backfilling in order of arrival, not the shortest first."]
      : []),
    ...(backfills(policy) ? ["Slots are reserved for parallel jobs; jobs of one slot wait for none."] : []),
    ...(hostOrders[placement] === undefined
      ? [
          placement === "first-fit"
            ? "LSF orders hosts by load (r15s:pg) unless told otherwise; there is no order of a list. A host's preference in HOSTS (host+1) comes near."
            : `LSF does not choose hosts by ${placement}.`,
        ]
      : []),
    ...(beyond === null ? [] : [`LSF does not do this: ${beyond}.`]),
  ];
}

function know(policy: SchedulingPolicy): string[] {
  return [
    ...(backfills(policy)
      ? [
          "SLOT_RESERVE counts cycles of MBD_SLEEP_TIME; after them a job gives its slots back for one cycle.",
          "LSF preempts no jobs of a queue with BACKFILL, unless lsb.params has PREEMPT_JOBTYPE = BACKFILL: where queues preempt others' jobs (PREEMPTION), --against writes neither line, and names both as a decision.",
          "Leave SLOT_RESERVE out of a queue that has RESOURCE_RESERVE: that reserves slots, too, and badmin reconfig tells an error where a queue has both.",
        ]
      : []),
    ...(policy.fairShare === null
      ? []
      : [
          "USER_SHARES names users and groups of users: give each its share instead of [default, 1]. The shares are of a queue; FAIRSHARE_QUEUES makes several count together.",
        ]),
    "A RES_REQ of a job's own (bsub -R) takes the place of the queue's order.",
    "The order is by queue: PRIORITY decides between queues.",
  ];
}
