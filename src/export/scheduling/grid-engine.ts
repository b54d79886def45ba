import type { Decision, SchedulingExporter, Setting } from "./advice.ts";
import { attainable } from "./attainable.ts";
import { requestSyntax, schedulerConfigSyntax } from "./grid-engine-syntax.ts";
import { longestText, waitingText, type LogFacts } from "./log-facts.ts";
import type { SchedulingPolicy } from "./policy.ts";

export const gridEngineScheduling: SchedulingExporter = {
  name: "grid-engine",
  title: "Grid Engine",
  against: "what qconf -ssconf prints, and the cell's common/sge_request",
  tried: "on no real Grid Engine: written from sched_conf(5) and sge_request(5) of versions 6.2 and 8.1.",
  ofUnlimited: () => null,
  advise: (policy, facts) => ({
    files: [
      {
        name: "sched_conf.croft",
        where: "in the scheduler's configuration: qconf -msconf opens it in an editor",
        settings: schedulerSettings(policy, facts),
        syntax: schedulerConfigSyntax,
      },
      {
        name: "sge_request.croft",
        where: "in $SGE_ROOT/$SGE_CELL/common/sge_request, a line of its own",
        settings: reserves(policy) ? [request] : [],
        syntax: requestSyntax,
      },
    ],
    decisions: decisions(policy),
    missing: missing(policy),
    know: know(policy, facts),
    check: [
      "qconf -ssconf | grep -E 'max_reservation|default_duration'",
      "qstat -u '*' | wc -l    # before and after: as many jobs",
    ],
  }),
  attainable: (policy) =>
    attainable(policy, {
      passing: { none: "all", "easy-sjbf": "easy", kept: "conservative" },
      placement: Object.keys(loadFormulas),
      // The least loaded host first.
      otherwise: "worse-fit-cores",
    }),
};

const EDIT = "saving in qconf -msconf";

/** A job has hosts kept free for it only if it asks for that. */
const request: Setting = {
  name: "-R",
  value: "y",
  byDefault: "n",
  does: "Jobs that do not fit ask to have slots kept free for them, unless they say -R n.",
  load: "saving the file, for jobs submitted from then on (qalter -R y JOB for one that waits)",
};

/** `load_formula` of the heuristics that Grid Engine has: hosts go by it, the lowest first. */
const loadFormulas: Readonly<Record<string, string>> = {
  "best-fit-cores": "slots",
  "worse-fit-cores": "-slots",
  "best-fit-memory": "mem_free",
  "worse-fit-memory": "-mem_free",
};

function reserves({ passing }: SchedulingPolicy): boolean {
  return passing !== "none" && passing !== "all";
}

function schedulerSettings(policy: SchedulingPolicy, facts: LogFacts | null): Setting[] {
  const formula = loadFormulas[policy.placement];
  const isEasy = policy.passing === "easy" || policy.passing === "easy-sjbf";
  const depth = !reserves(policy)
    ? 0
    : isEasy
      ? 1
      : policy.passing === "backfill"
        ? policy.depth
        : Math.max(MIN_DEPTH, facts?.waiting ?? 0);
  const waiting = depth > 1 && facts?.waiting ? ` ${waitingText(facts)}.` : "";
  return [
    {
      name: "max_reservation",
      value: String(depth),
      byDefault: "0",
      ...(depth > 1 ? { isMinimum: true } : {}),
      does:
        depth === 0
          ? "No waiting job has slots kept free for it."
          : `So many of the first waiting jobs that ask for it (-R y) have slots kept free for them.${waiting}`,
      load: EDIT,
    },
    ...(depth > 0 && facts !== null
      ? [
          {
            name: "default_duration",
            value: clock(facts.longestSeconds),
            byDefault: "INFINITY",
            does: `What jobs without h_rt or s_rt are expected to take, so that they can pass others; it is no limit, and kills none. ${longestText(facts)}.`,
            load: EDIT,
          },
        ]
      : []),
    ...(formula === undefined
      ? []
      : [
          {
            name: "queue_sort_method",
            value: "load",
            byDefault: "load",
            does: "Hosts are taken by load_formula before the numbers of queues.",
            load: EDIT,
          },
          {
            name: "load_formula",
            value: formula,
            byDefault: "np_load_avg",
            does: `Hosts are taken by ${policy.placement}.`,
            load: EDIT,
          },
        ]),
  ];
}

const MIN_DEPTH = 100;

/** `168:00:00`. */
function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  return [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
}

function decisions({ fairShare }: SchedulingPolicy): Decision[] {
  if (fairShare === null || fairShare === "running") return [];
  const { halfLifeSeconds, of } = fairShare;
  return [
    {
      lines: [
        "weight_tickets_share              100000",
        `halftime                          ${Math.max(1, Math.round(halfLifeSeconds / 3600))}`,
        `usage_weight_list                 ${of === "memory" ? "cpu=0.000000,mem=1.000000,io=0.000000" : "cpu=1.000000,mem=0.000000,io=0.000000"}`,
      ],
      does:
        "The order is by what was used, by a share tree (qconf -mstree), halftime in hours. " +
        "It changes who goes first, beside tickets and urgency that are there.",
    },
  ];
}

function missing({ passing, placement, beyond, fairShare }: SchedulingPolicy): string[] {
  return [
    ...(passing === "none"
      ? ["Grid Engine has no strict order: it passes over a job that does not fit."]
      : []),
    ...(passing === "easy-sjbf"
      ? ["Grid Engine tries jobs for backfilling in the order of the queue, not the shortest first."]
      : []),
    ...(passing === "kept"
      ? [
          "Grid Engine keeps slots free by expected run times: a job that would be done in time may use them, where this policy leaves them idle.",
        ]
      : []),
    ...(loadFormulas[placement] === undefined
      ? [
          placement === "first-fit"
            ? "Hosts go by load unless queue_sort_method is seqno: then by the seq_no of their queues, which is an order of a list."
            : `Grid Engine does not choose hosts by ${placement}.`,
        ]
      : []),
    ...(fairShare === "running"
      ? [
          "Nothing is written for fair share by the cores in use now. Near to it: functional tickets (weight_tickets_functional), which go by what runs.",
        ]
      : []),
    ...(fairShare !== null && fairShare !== "running" && fairShare.of === "dominant"
      ? ["Grid Engine does not count the resource of which a job has the largest part: the lines count CPU."]
      : []),
    ...(beyond === null ? [] : [`Grid Engine does not do this: ${beyond}.`]),
  ];
}

function know(policy: SchedulingPolicy, facts: LogFacts | null): string[] {
  return [
    ...(reserves(policy)
      ? [
          "Backfilling goes by h_rt, and by default_duration for jobs without one: while that is INFINITY, they pass nobody.",
          ...(facts === null ? ["--log FILE takes default_duration and max_reservation from a log."] : []),
          "Reservations cost time in every run of the scheduler: lower max_reservation if schedules take longer than schedule_interval.",
        ]
      : []),
    ...(policy.placement.endsWith("cores")
      ? [
          "slots is what a host has left only where every host has it as a consumable (qconf -se HOST: complex_values slots=N); elsewhere the line orders nothing.",
        ]
      : []),
    ...(policy.placement.endsWith("memory")
      ? ["mem_free is what hosts report, not what jobs have asked for: it lags behind starts."]
      : []),
    "The order of jobs is that of their priorities (qstat -pri), which stay as they are.",
  ];
}
