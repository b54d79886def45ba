import type { Fidelity } from "../simulation/recorded/fidelity.ts";
import type { RecordedRun } from "../simulation/recorded/recorded-run.ts";
import type { RunResult } from "../simulation/result.ts";
import type { ReportInput } from "./input.ts";

/** Invented figures in the shape of a study, for tests and for looking at the page. They mean nothing. */
interface Invention {
  readonly policies: readonly string[];
  readonly loads: readonly number[];
  readonly days: number;
  readonly synthetic: boolean;
}

export const invented: Invention = {
  policies: [
    "first-fit",
    "best-fit-cores",
    "best-fit-memory",
    "worse-fit-cores",
    "worse-fit-memory",
    "mix-fit",
    "max-jobs",
  ],
  loads: [0.61, 0.7, 0.79, 0.87, 0.95],
  days: 30,
  synthetic: false,
};

export const twelvePolicies = [
  ...invented.policies,
  "dot-product",
  "first-fit-decreasing",
  "lookahead",
  "easy-backfilling+best-fit-memory",
  "mix-fit-from-origin",
];

/** Uniform on [0, 1), the same sequence for the same seed (SplitMix32). */
export function uniform(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

export function inventRun(policy: string, index: number, load: number, days: number): RunResult {
  const random = uniform(97 * index + 1);
  const factor = [1.25, 1.02, 0.95, 1.3, 1.1, 0.74, 0.71, 1.05, 1.22, 0.9, 0.68, 0.76][index % 12];
  const wait = (40 * factor ** load) / (1.02 - load) ** 1.7;
  const shared = uniform(5);
  const dayWaits = Array.from({ length: days }, (_, day) => {
    const jobs = 400 + Math.round(300 * shared());
    const congestion = 0.4 + 1.6 * shared() ** 2;
    return { day, jobs, waitSumSeconds: wait * jobs * congestion * (0.92 + 0.16 * random()) };
  });
  const jobs = dayWaits.reduce((sum, day) => sum + day.jobs, 0);
  const mean = dayWaits.reduce((sum, day) => sum + day.waitSumSeconds, 0) / jobs;
  const samples = 400;
  const timeSeconds = Array.from({ length: samples }, (_, i) => (i * days * 86_400) / (samples - 1));
  const noise = uniform(11 + index);
  const wave = timeSeconds.map(
    (time) => 0.5 + 0.5 * Math.sin((2 * Math.PI * time) / 86_400) + 0.25 * (noise() - 0.5),
  );
  const share = (middle: number, swing: number): number[] =>
    wave.map((value) => Math.min(1, Math.max(0, middle + swing * (value - 0.5))));
  return {
    policy,
    beta: 0.58 / load,
    offeredLoad: load,
    intervalSeconds: 30,
    jobs,
    started: jobs,
    rejected: 17,
    rejections: [{ reason: "asks for 512 GiB of memory; the largest machine has 256 GiB", jobs: 17 }],
    waitMeanSeconds: mean,
    waitMedianSeconds: load < 0.7 ? 0 : mean / 9,
    waitP90Seconds: mean * 2.4,
    waitP95Seconds: mean * 4.1,
    waitP99Seconds: mean * 11,
    waitMaxSeconds: mean * 40,
    slowdownMean: 1 + mean / 35,
    slowdownMedian: 1 + mean / 900,
    slowdownP95: 1 + mean / 10,
    boundedSlowdownMean: 1 + mean / 80,
    boundedSlowdownP95: 1 + mean / 25,
    queueLengthMean: mean / 7,
    queueLengthMax: mean,
    coreUtilizationMean: load * 0.97,
    memoryUtilizationMean: load * 0.81,
    strandedCoresMean: 0.06 * factor * load,
    strandedMemoryMean: 0.02 * factor,
    makespanSeconds: days * 86_400 * (1 + 0.03 * factor),
    cycles: days * 2880,
    matchingCycles: days * 2100,
    ...(policy.startsWith("max-jobs")
      ? {
          wins: {
            "best-fit-cores": 0.41,
            "best-fit-memory": 0.52,
            "worse-fit-cores": 0.44,
            "worse-fit-memory": 0.43,
            "mix-fit": 0.78,
          },
          soleWins: {
            "best-fit-cores": 0.01,
            "best-fit-memory": 0.03,
            "worse-fit-cores": 0.02,
            "worse-fit-memory": 0,
            "mix-fit": 0.11,
          },
        }
      : {}),
    fairness: {
      projectsWithoutStart: 0,
      jainIndex: 0.83 + 0.02 * (index % 5),
      shareErrorMean: 0.021 + 0.004 * (index % 3),
      projects: ["/cpu/verification", "/cpu/physical", "/graphics", "/it/nightly"].map((project, i) => ({
        project,
        jobs: Math.round(jobs / (i + 2)),
        coreSeconds: 1e8 / (i + 1),
        waitMeanSeconds: mean * (0.7 + 0.2 * i),
        share: [4, 2, 2, 1][i],
      })),
    },
    waitsBy: inventWaits(mean, index),
    days: dayWaits,
    series: {
      timeSeconds,
      coreUtilization: share(load * 0.95, 0.3),
      memoryUtilization: share(load * 0.8, 0.25),
      strandedCores: share(0.05 * factor, 0.08),
      strandedMemory: share(0.02 * factor, 0.03),
      queueLength: wave.map((value) => Math.max(0, (value - 0.3) * (mean / 3))),
    },
    simulationSeconds: 12.5,
    simulatedJobsPerSecond: 1_050_000,
  };
}

/** An invented record of a mean wait, at the log's own pace. */
export function inventRecord(waitMeanSeconds: number, days = 30): RecordedRun {
  const run = inventRun("fcfs", 0, 0.58, days);
  const scale = waitMeanSeconds / run.waitMeanSeconds;
  const { timeSeconds, coreUtilization, queueLength } = run.series;
  return {
    ...pick(run, ["slowdownMean", "slowdownMedian", "slowdownP95", "boundedSlowdownMean"]),
    ...pick(run, ["boundedSlowdownP95", "queueLengthMean", "coreUtilizationMean", "makespanSeconds", "jobs"]),
    waitMeanSeconds,
    waitMedianSeconds: run.waitMedianSeconds * scale,
    waitP90Seconds: run.waitP90Seconds * scale,
    waitP95Seconds: run.waitP95Seconds * scale,
    waitP99Seconds: run.waitP99Seconds * scale,
    waitMaxSeconds: run.waitMaxSeconds * scale,
    days: run.days.map((day) => ({ ...day, waitSumSeconds: day.waitSumSeconds * scale })),
    jobsWithoutWait: 0,
    coreUtilizationMax: 0.97,
    coresExceededShare: 0,
    memoryUtilizationMean: run.memoryUtilizationMean,
    outages: {
      count: 1,
      seconds: 9000,
      waitShare: 0.04,
      longest: [{ fromSeconds: 90_000, untilSeconds: 99_000, jobsWaiting: 31 }],
    },
    waitsBy: inventWaits(waitMeanSeconds, 0),
    series: { timeSeconds, coreUtilization, queueLength },
  };
}

function inventWaits(waitMeanSeconds: number, index: number): NonNullable<RunResult["waitsBy"]> {
  const parts = (
    names: readonly string[],
  ): { name: string; jobs: number; waitMeanSeconds: number; waitMaxSeconds: number }[] =>
    names.map((name, i) => {
      const mean = waitMeanSeconds * (0.5 + ((7 * i + 3 * index) % 5) / 4);
      return { name, jobs: 4000 - 700 * i, waitMeanSeconds: mean, waitMaxSeconds: 30 * mean };
    });
  return {
    users: parts(["ann", "bob", "cem", "dia"]),
    projects: parts(["/cpu/verification", "/cpu/physical", "/graphics"]),
    queues: parts(["day", "night"]),
    cores: parts(["1 core or less", "2 to 4 cores", "5 to 16 cores"]),
    runtimes: parts(["up to 1 min", "up to 1 h", "up to 1 d"]),
  };
}

/** An invented check of that record: the simulated mean wait is so many times the recorded one. */
export function inventCheck(recorded: RecordedRun, factor: number, policy = "first-fit"): Fidelity {
  const { waitMeanSeconds, waitMedianSeconds, waitMaxSeconds, coreUtilizationMean, days } = recorded;
  return {
    policy,
    because: "usual",
    waitMeanSeconds: waitMeanSeconds * factor,
    waitMedianSeconds: waitMedianSeconds * factor,
    waitMaxSeconds: waitMaxSeconds * factor,
    coreUtilizationMean,
    days: days.map((day) => ({ ...day, waitSumSeconds: day.waitSumSeconds * factor })),
    waitMeanRatio: factor,
    waitDayCorrelation: 0.83,
    utilizationDifferenceMean: 0.07,
    utilizationCorrelation: 0.91,
    isMeanNear: factor <= 1.25 && factor >= 0.8,
    isNear: factor <= 1.25 && factor >= 0.8,
  };
}

function pick<T extends object, Key extends keyof T>(from: T, keys: readonly Key[]): Pick<T, Key> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, Key>;
}

export function inventRuns(invention: Invention): RunResult[] {
  return invention.loads.flatMap((load) =>
    invention.policies.map((policy, index) => inventRun(policy, index, load, invention.days)),
  );
}

export function inventInput(invention: Invention = invented): ReportInput {
  const buckets = 300;
  const burst = uniform(3);
  const bursts = Array.from({ length: buckets }, () => burst() ** 6);
  return {
    title: "Which policy serves the verification farm best?",
    workload: {
      name: "verification-2026-09",
      synthetic: invention.synthetic,
      jobs: 300_412,
      spanSeconds: invention.days * 86_400,
      offeredLoad: 0.58,
      notes: [
        { what: "dropped: cancelled before it started", count: 1412, firstLine: 38 },
        { what: "run time below 1 s counted as 1 s", count: 9, firstLine: 12_004 },
      ],
    },
    machines: { name: "64x8c64g", count: 64, coresMilli: 512_000, memoryMiB: 4_194_304 },
    runs: inventRuns(invention),
    characterization: {
      cores: [
        { name: "1", jobs: 271_000 },
        { name: "2", jobs: 18_000 },
        { name: "3–4", jobs: 9_000 },
        { name: "5–8", jobs: 2_412 },
      ],
      memory: ["≤ 1 GiB", "2 GiB", "4 GiB", "8 GiB", "16 GiB", "32 GiB", "> 32 GiB"].map((name, i) => ({
        name,
        jobs: [21_000, 60_000, 120_000, 80_000, 12_000, 6_000, 1_412][i],
      })),
      buckets: {
        jobs: 1000,
        timeSeconds: Array.from({ length: buckets }, (_, i) => (i * invention.days * 86_400) / buckets),
        coresMeanMilli: bursts.map((value) => 1100 + 1900 * value),
        memoryMeanMiB: bursts.map((value) => 4200 + 18_000 * value),
      },
      runtimes: [0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1].map((share) => ({
        share,
        seconds: 20 * 900 ** (share ** 1.5),
      })),
    },
    settings: [{ name: "Fair share", value: "off: jobs in order of arrival" }],
    command: "croft study verification-2026-09.swf --machines 64x8c64g --policies all --loads 0.61..0.95",
    version: "0.1.0",
  };
}

/** Policies as they are named on the command line, one of them sixteen times as bad as the first. */
export function farApart(): ReportInput {
  const policies = [
    "fcfs",
    "easy/best-fit-cores",
    "easy-sjbf/best-fit-memory",
    "conservative/worse-fit-cores",
  ];
  const input = inventInput({ ...invented, policies, loads: [0.7, 0.95] });
  const times = (run: RunResult, factor: number): RunResult => ({
    ...run,
    waitMeanSeconds: run.waitMeanSeconds * factor,
    days: run.days.map((day) => ({ ...day, waitSumSeconds: day.waitSumSeconds * factor })),
  });
  const runs = input.runs.map((run) => (run.policy.startsWith("conservative") ? times(run, 16) : run));
  return { ...input, runs };
}

/** The same study as if nodes were shared: the longer the wait, the lower the maximum stretch. */
export function withStretch(input: ReportInput): ReportInput {
  const runs = input.runs.map((run) => ({
    ...run,
    stretchMean: run.boundedSlowdownMean,
    stretchMax: 1 + 1e9 / run.waitMeanSeconds,
    stretchBound: 1.5,
    needs: "synthetic" as const,
    pauses: 12,
    migrations: 7,
    pauseGBPerSecondMean: 0.4,
    migrationGBPerSecondMean: 0.2,
  }));
  return { ...input, runs };
}

function poison(text: string): string {
  return `${text}"><img src=x onerror='alert(1)'><script>alert(2)</script>&amp;`;
}

/** The same study with markup in every text that a user's files or command could bring in. */
export function hostile(input: ReportInput): ReportInput {
  const walk = (value: unknown, key: string): unknown => {
    if (typeof value === "string") return poison(value);
    if (Array.isArray(value)) return value.map((item) => walk(item, key));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        key === "wins" || key === "soleWins" ? poison(name) : name,
        walk(item, name),
      ]),
    );
  };
  return walk(input, "") as ReportInput;
}

/** A page as its readers see it: without what keeps names in one line. */
export function withoutSpans(page: string): string {
  return page.replaceAll(/<span class="w">([^<]*)<\/span>/g, "$1");
}
