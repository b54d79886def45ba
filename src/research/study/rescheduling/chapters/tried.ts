import type { NamedVariant, TriedChapter, Variant } from "./chapter.ts";
import type { ChapterFigure } from "./figures.ts";

const ofSuspended: readonly ChapterFigure[] = [
  "completionMeanSuspendedMinutes",
  "completionMeanMinutes",
  "wastedMeanMinutes",
];
const ofAll: readonly ChapterFigure[] = [
  "completionMeanMinutes",
  "completionMeanSuspendedMinutes",
  "wastedMeanMinutes",
];

const hour = 3600;
/** What is moved at a restart, and its seconds over a line of 1 Gbit/s. */
const moved = [
  ["nothing", 0],
  ["10 GB", 80],
  ["100 GB", 800],
  ["1 TB", 8000],
] as const;
const ages = [
  ["1 min old", 60],
  ["10 min old", 600],
  ["1 h old", hour],
  ["6 h old", 6 * hour],
] as const;

/** The questions that the simulator can answer by its settings. */
export const triedChapters: readonly TriedChapter[] = [
  {
    name: "duplication",
    question:
      "A suspended job stays where it is, and a second attempt is made elsewhere; the first to finish wins. Is that better than restarting the job elsewhere?",
    source: "section 5; section 4 on redundant executions",
    baseline: { name: "ResSusUtil", strategy: "ResSusUtil" },
    variants: [{ name: "DupSusUtil", strategy: "DupSusUtil" }],
    figures: [...ofSuspended, "duplicateMeanMinutes"],
    limits: "Both attempts may run at the same time: what one of them runs in vain is in no completion time.",
  },
  {
    name: "combined-restarts",
    question:
      "Jobs are restarted where utilisation, queue length and predicted completion together are best. Is that better than by utilisation alone?",
    source: "section 5",
    baseline: { name: "ResSusWaitUtil", strategy: "ResSusWaitUtil" },
    variants: [{ name: "ResSusWaitScore", strategy: "ResSusWaitScore" }],
    figures: [...ofAll, "movesPerThousandJobs"],
    limits: "Where the log has no estimates, run times are predicted exactly.",
  },
  {
    name: "combined-routing",
    question:
      "The same for the pool that a job is first sent to: do several metrics do better than utilisation?",
    source: "section 5; section 3.2.2",
    baseline: { name: "utilization", strategy: "ResSusUtil", routing: "utilization" },
    variants: [
      { name: "combined", strategy: "ResSusUtil", routing: "combined" },
      { name: "round-robin", strategy: "ResSusUtil" },
    ],
    figures: ofAll,
    limits: "ResSusUtil under all three. Where the log has no estimates, run times are predicted exactly.",
  },
  {
    name: "restart-delay",
    question:
      "A restart first moves data to the other pool. Up to which amount is restarting better than staying (NoRes)?",
    source: "section 3.3.2; section 5 on network delays and other overheads",
    baseline: { name: "NoRes", strategy: "NoRes" },
    variants: ["ResSusUtil", "ResSusWaitRand"].flatMap((strategy) =>
      moved.map(([what, restartDelaySeconds]) => ({
        name: `${strategy}, ${what}`,
        strategy,
        ...(restartDelaySeconds === 0 ? {} : { restartDelaySeconds }),
      })),
    ),
    figures: [...ofSuspended, "movesPerThousandJobs"],
    limits:
      "Every restart moves as much, over a line of 1 Gbit/s of its own: 10 GB take 80 s, 1 TB 2.2 h. Sending a job to its first pool takes nothing.",
  },
  {
    name: "checkpoints",
    question: "Jobs write checkpoints, and a restarted job goes on from its last. What does that save?",
    source: "section 2.3 on migration as in Condor",
    baseline: { name: "from the beginning", strategy: "ResSusUtil", checkpointSeconds: null },
    variants: [
      ["every 4 h", 4 * hour],
      ["every hour", hour],
      ["every 15 min", 900],
    ].map(([name, checkpointSeconds]) => ({
      name: `checkpoint ${name}`,
      strategy: "ResSusUtil",
      checkpointSeconds: Number(checkpointSeconds),
    })),
    figures: [...ofSuspended, "wastedRestartMinutes"],
    limits: "ResSusUtil under all. Writing and moving a checkpoint takes nothing.",
  },
  {
    name: "virtual-machines",
    question:
      "Jobs run in virtual machines, which makes them slower, and are moved with what they have done. Is that better than restarting them?",
    source: "section 4; section 2.3: 10 to 20 % slower",
    baseline: { name: "restarted", strategy: "ResSusUtil", checkpointSeconds: null },
    variants: [0, 0.1, 0.2].map((slowdown) => ({
      name: slowdown === 0 ? "migrated, as fast" : `migrated, ${100 * slowdown} % slower`,
      strategy: "ResSusUtil",
      checkpointSeconds: 60,
      slowdown,
    })),
    figures: ofAll,
    limits:
      "ResSusUtil under all. A migration takes no time and loses at most a minute of work; all jobs are slower, those of owners too. What is slower is in the completion time and not in the wasted.",
  },
  ownTimers({
    name: "own-timers",
    question:
      "A job that has waited for too long goes to a pool drawn at random by its own timer, and nobody knows how used the pools are. Is that as good as the scheduler's choice?",
    limits: "Jobs that wait at their virtual pool have no timer.",
  }),
  ownTimers({
    name: "own-timers-without-queue",
    question: "The same where virtual pools send every job on at once, so that jobs get stuck in full pools.",
    limits: "",
    hasQueue: false,
  }),
  staleViews({
    name: "stale-views",
    question: "The scheduler knows the pools as they were some time ago. From which age on does that cost?",
    limits:
      "Utilisation decides where jobs are sent first, and where they are restarted. Whether a pool has room is asked of the pool itself, where jobs wait at their virtual pool.",
  }),
  staleViews({
    name: "stale-views-without-queue",
    question:
      "The same where virtual pools send every job on at once, so that the view alone decides where it waits.",
    limits: "Utilisation decides where jobs are sent first, and where they are restarted.",
    hasQueue: false,
  }),
  {
    name: "inter-site",
    question:
      "Jobs are sent to the pools of their own site. Is it better to restart them at the other site as well, and up to which delay?",
    source: "section 5 on inter-site rescheduling",
    baseline: {
      name: "own site",
      strategy: "ResSusUtil",
      sites: { restarts: "own site", delaySeconds: 0 },
    },
    variants: [
      ["no delay", 0],
      ["10 min", 600],
      ["1 h", hour],
      ["4 h", 4 * hour],
    ].map(([name, seconds]) => ({
      name: `both sites, ${name}`,
      strategy: "ResSusUtil",
      sites: { restarts: "both sites", delaySeconds: Number(seconds) },
    })),
    figures: [...ofSuspended, "movesPerThousandJobs"],
    limits:
      "ResSusUtil under all. The pools of the week are split between two sites in turn, and so are the jobs that may run in several pools.",
    onlyWeeks: "for synthetic weeks only, whose jobs and pools can be split between two sites at will",
  },
  {
    name: "tasks",
    question:
      "A task's result is of use once all its jobs, or nearly all, are complete. Does rescheduling bring that forward?",
    source: "section 2.2",
    baseline: { name: "NoRes", strategy: "NoRes" },
    variants: ["ResSusUtil", "ResSusWaitUtil", "ResSusWaitRand", "DupSusUtil"].map((strategy) => ({
      name: strategy,
      strategy,
    })),
    figures: ["taskCompletionMeanMinutes", "taskMostlyCompleteMeanMinutes", "completionMeanMinutes"],
    limits:
      "Which jobs make up a task is a guess: those of one user and project that ask for the same, submitted within an hour, at least two. No policy knows of tasks.",
  },
];

/** A chapter for the farm as it is, or for one without queues at the virtual pools. */
interface QueueChapter {
  readonly name: string;
  readonly question: string;
  readonly limits: string;
  readonly hasQueue?: false;
}

function ownTimers({ hasQueue, limits, ...chapter }: QueueChapter): TriedChapter {
  const common = hasQueue === undefined ? {} : { hasQueue };
  // Section 3.3.
  const checked = { ...common, waitThresholdSeconds: 1800, checkSeconds: 60 };
  return {
    ...chapter,
    source: "section 3.3.2; section 3.4",
    baseline: { name: "ResSusWaitUtil, 30 min", strategy: "ResSusWaitUtil", ...checked },
    variants: [
      { name: "ResSusWaitRand, 30 min", strategy: "ResSusWaitRand", ...checked },
      ...[10, 30, 120].map((minutes) => ({
        name: `own timer, ${minutes} min`,
        strategy: "ResSusWaitRand",
        ...common,
        waitThresholdSeconds: 60 * minutes,
        // As good as a timer of each job's own: a check finds it within a second.
        checkSeconds: 1,
      })),
    ],
    figures: [...ofAll, "movesPerThousandJobs"],
    limits:
      `The scheduler checks the first two once a minute. Suspended jobs leave for a pool drawn at random as well. ${limits}`.trim(),
  };
}

function staleViews({ hasQueue, ...chapter }: QueueChapter): TriedChapter {
  const common: Variant = {
    strategy: "ResSusWaitUtil",
    routing: "utilization",
    ...(hasQueue === undefined ? {} : { hasQueue }),
  };
  return {
    ...chapter,
    source: "section 3.2.2 on propagation latency",
    baseline: { name: "as they are", ...common, viewAgeSeconds: 0 },
    variants: [
      ...ages.map(([name, viewAgeSeconds]): NamedVariant => ({ name, ...common, viewAgeSeconds })),
      { name: "no view: random", ...common, strategy: "ResSusWaitRand", routing: "round-robin" },
    ],
    figures: [...ofAll, "movesPerThousandJobs"],
  };
}
