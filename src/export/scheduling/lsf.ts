import type { SchedulingExporter } from "./advice.ts";
import type { SchedulingPolicy } from "./policy.ts";

export const lsfScheduling: SchedulingExporter = {
  name: "lsf",
  title: "IBM Spectrum LSF",
  tried: "on no real LSF: written from its documentation (7.06 to 10.1).",
  advise: (policy) => ({
    settings: [
      {
        name: "lsb.queues.croft",
        where: "in each queue's section (Begin Queue … End Queue) of lsb.queues; then badmin reconfig",
        lines: queueLines(policy),
      },
    ],
    missing: missing(policy),
    know: know(policy),
    check: [
      "bqueues -l QUEUE | grep -A4 'SCHEDULING POLICIES'",
      "bjobs -l JOB    # what a waiting job has reserved",
    ],
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

function queueLines(policy: SchedulingPolicy): string[] {
  const { passing, placement, fairShare } = policy;
  const order = hostOrders[placement];
  return [
    ...(passing === "kept"
      ? [
          "# Waiting parallel jobs collect slots, which stay idle meanwhile.",
          "SLOT_RESERVE = MAX_RESERVE_TIME[1440]",
        ]
      : backfills(policy)
        ? [
            "# Waiting parallel jobs collect slots; others use them where they end in time.",
            "SLOT_RESERVE = MAX_RESERVE_TIME[1440]",
            "BACKFILL = Y",
            "# Without a limit nothing is backfilled: the queue's own, hours:minutes.",
            "RUNLIMIT = 168:00",
          ]
        : [
            "# Nothing is kept free for a job that does not fit: no SLOT_RESERVE, RESOURCE_RESERVE or BACKFILL.",
          ]),
    ...fairShareLines(fairShare),
    ...(order === undefined ? [] : [`# Hosts by ${placement}.`, `RES_REQ = "${order}"`]),
  ];
}

/** LSF tells its decay by the hours after which a tenth counts. */
const HALF_LIVES_TO_A_TENTH = Math.log2(10);

function fairShareLines(fairShare: SchedulingPolicy["fairShare"]): string[] {
  if (fairShare === null) return [];
  const users = "FAIRSHARE = USER_SHARES[[default, 1]]";
  if (fairShare === "running")
    return [
      "# By the slots in use now: nothing else counts.",
      users,
      "RUN_JOB_FACTOR = 3",
      "RUN_TIME_FACTOR = 0",
      "CPU_TIME_FACTOR = 0",
    ];
  return [
    "# By what was used, run time of jobs that run and of those that have ended; after HIST_HOURS a tenth counts.",
    users,
    "RUN_JOB_FACTOR = 0",
    "RUN_TIME_FACTOR = 1",
    "CPU_TIME_FACTOR = 0",
    "ENABLE_HIST_RUN_TIME = Y",
    "RUN_TIME_DECAY = Y",
    `HIST_HOURS = ${Math.max(1, Math.round((fairShare.halfLifeSeconds / 3600) * HALF_LIVES_TO_A_TENTH))}`,
  ];
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
      ? ["SLOT_RESERVE counts cycles of MBD_SLEEP_TIME; after them a job gives its slots back for one cycle."]
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
