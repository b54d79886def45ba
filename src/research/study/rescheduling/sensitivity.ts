import { simulateAll, type SimulateAllOptions } from "../../../simulation/index.ts";
import { normalWeek, weeks, type WeekModel } from "../../../workload/index.ts";
import { halfOf, rescheduled, rowOf, type ReschedulingResult, type Scenario } from "./rescheduling.ts";
import { overSeeds } from "./seeds.ts";

/** A parameter of the synthetic week that is moved while the others stay as they are. */
interface Parameter {
  readonly name: string;
  /** In ascending order; the model's own is among them. */
  readonly values: readonly number[];
  readonly own: number;
  readonly model: (value: number) => WeekModel;
}

const { bursts, tiny, runtimeMinutes } = normalWeek;

/** What each is: `WeekModel`. The tail is the power to which run times above the median are raised. */
const parameters: readonly Parameter[] = [
  moved("load", "load", [0.36, 0.41, 0.46, 0.51, 0.56]),
  moved("largeShare", "large pools", [0.2, 0.25, 0.3, 0.35, 0.4]),
  {
    name: "burst hours",
    values: [14, 21, 28, 35, 42],
    own: 28,
    model: (hours) => ({
      ...normalWeek,
      bursts: {
        ...bursts,
        hours: [
          [0, hours - 2],
          [1, hours + 2],
        ],
      },
    }),
  },
  {
    name: "burst stream",
    values: [0.8, 0.87, 0.93, 1, 1.07],
    own: bursts.stream,
    model: (stream) => ({ ...normalWeek, bursts: { ...bursts, stream } }),
  },
  moved("tinyShare", "tiny pools", [0.01, 0.02, 0.04, 0.06]),
  {
    name: "tiny stream",
    values: [0.3, 0.6, 0.9, 1.1],
    own: tiny.stream,
    model: (stream) => ({ ...normalWeek, tiny: { ...tiny, stream } }),
  },
  {
    name: "run time tail",
    values: [0.6, 0.8, 1, 1.2, 1.4],
    own: 1,
    model: (exponent) => ({ ...normalWeek, runtimeMinutes: withTail(exponent) }),
  },
  moved("pinnedShare", "pinned", [0, 0.1, 0.2, 0.4]),
  {
    name: "queue",
    values: [0, 1],
    own: 1,
    model: (value) => ({ ...normalWeek, hasQueue: value === 1 }),
  },
];

/** The runs that claims about the week are judged by. */
const runs: readonly { scenario: Scenario; routing: string; strategies: readonly string[] }[] = [
  { scenario: "normal", routing: "round-robin", strategies: rescheduled.slice(0, 3) },
  { scenario: "high-load", routing: "round-robin", strategies: rescheduled },
  {
    scenario: "high-load",
    routing: "utilization",
    strategies: rescheduled.filter((strategy) => strategy !== "ResSusRand"),
  },
];

/** The claims judged with one parameter at one value, by the means over the seeds. */
interface WeekSensitivityPoint {
  readonly parameter: string;
  readonly value: number;
  /** Whether this is the value of the model. */
  readonly isOwn: boolean;
  /** By claim; null: not a claim about this week. */
  readonly holds: readonly (boolean | null)[];
}

export interface WeekSensitivity {
  readonly jobs: number;
  readonly seeds: number;
  /** In the order of the points' `holds`. */
  readonly claims: readonly string[];
  readonly points: readonly WeekSensitivityPoint[];
}

interface WeekSensitivityOptions extends Pick<SimulateAllOptions, "threads" | "signal"> {
  /** Jobs of a week. */
  readonly jobs: number;
  readonly seed: number;
  readonly seeds: number;
  readonly onProgress?: (done: number, of: number) => void;
}

/**
 * Over which values of the synthetic week's parameters the claims of Zhang 2010 hold.
 *
 * @throws InputError where the number of jobs or the seed cannot be used
 */
export async function studyWeekSensitivity(options: WeekSensitivityOptions): Promise<WeekSensitivity> {
  const { jobs, seed, seeds, onProgress } = options;
  const of = parameters.reduce((sum, { values }) => sum + values.length, 0);
  const points: WeekSensitivityPoint[] = [];
  let claims: readonly string[] = [];
  // The model itself is a point of every parameter, and is run once.
  let ownHolds: readonly (boolean | null)[] | undefined;
  for (const { name, values, own, model } of parameters) {
    for (const value of values) {
      onProgress?.(points.length, of);
      const isOwn = value === own;
      let holds = isOwn ? ownHolds : undefined;
      if (holds === undefined) {
        const results: ReschedulingResult[] = [];
        for (let i = 0; i < seeds; i++) results.push(await runWeek(model(value), jobs, seed + i, options));
        const judged = overSeeds(results).claims;
        claims = judged.map(({ claim }) => claim);
        holds = judged.map((claim) => claim.holds);
        if (isOwn) ownHolds = holds;
      }
      points.push({ parameter: name, value, isOwn, holds });
    }
  }
  return { jobs, seeds, claims, points };
}

async function runWeek(
  model: WeekModel,
  jobs: number,
  seed: number,
  options: WeekSensitivityOptions,
): Promise<ReschedulingResult> {
  const generator = weeks("netbatch-week", "", model, 1);
  const workload = generator.generate({ jobs, seed });
  const whole = generator.farm(jobs);
  const rows: ReschedulingResult["rows"][number][] = [];
  for (const { scenario, routing, strategies } of runs) {
    const results = await simulateAll(
      workload,
      scenario === "high-load" ? halfOf(whole) : whole,
      strategies.map((strategy) => ({ strategy, routing, seed })),
      {
        ...(options.threads === undefined ? {} : { threads: options.threads }),
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      },
    );
    rows.push(...results.map((result) => rowOf(scenario, result)));
  }
  return { jobs, rows, weekSeries: {}, year: null };
}

/** For which of the values tried, of each parameter, a claim holds. Claims that the week cannot decide are left out. */
interface WeekClaimRange {
  readonly claim: string;
  readonly holdsAsIs: boolean;
  readonly holdsAt: readonly {
    readonly parameter: string;
    readonly tried: readonly number[];
    readonly values: readonly number[];
  }[];
}

export function weekClaimRanges({ claims, points }: WeekSensitivity): WeekClaimRange[] {
  const names = [...new Set(points.map(({ parameter }) => parameter))];
  return claims.flatMap((claim, i) => {
    if (points.every(({ holds }) => holds[i] === null)) return [];
    const holdsAt = names.map((parameter) => {
      const tried = points.filter((point) => point.parameter === parameter);
      const held = tried.filter(({ holds }) => holds[i] === true);
      return { parameter, tried: tried.map(({ value }) => value), values: held.map(({ value }) => value) };
    });
    return [{ claim, holdsAsIs: points.find(({ isOwn }) => isOwn)!.holds[i] === true, holdsAt }];
  });
}

function moved(
  key: "load" | "largeShare" | "tinyShare" | "pinnedShare",
  name: string,
  values: readonly number[],
): Parameter {
  return { name, values, own: normalWeek[key], model: (value) => ({ ...normalWeek, [key]: value }) };
}

/** The run times, with what is above the median stretched or shortened; the farm is made for the work in any case. */
function withTail(exponent: number): WeekModel["runtimeMinutes"] {
  const median = runtimeMinutes.find(([u]) => u === 0.5)![1];
  return runtimeMinutes.map(([u, minutes]) => [
    u,
    minutes <= median ? minutes : Math.round(median * (minutes / median) ** exponent),
  ]);
}
