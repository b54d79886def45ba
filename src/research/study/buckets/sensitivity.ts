import { setImmediate } from "node:timers/promises";

import {
  netbatchParameters,
  type Machines,
  type NetbatchModel,
  type Workload,
} from "../../../workload/index.ts";
import { bucketClaims } from "../claims/buckets.ts";
import { judgeClaims, type JudgedClaim, type ThesisPool } from "../claims/claim.ts";
import { studyBuckets, type BucketsResult } from "./buckets.ts";

/** A parameter of a synthetic pool that buckets depend on. The load is none: all jobs of a bucket come at once. */
type BucketParameter = Exclude<keyof NetbatchModel, "load">;

/** The values tried of each, besides the pool's own. */
export const sensitivityValues: Readonly<Record<BucketParameter, readonly number[]>> = {
  eightCoreShare: [0, 0.001, 0.0025, 0.005, 0.01, 0.02],
  memoryFactor: [0.5, 0.75, 1, 1.25, 1.5],
  burstShare: [0.02, 0.05, 0.1, 0.2, 0.3],
  meanRun: [1, 4, 12, 30, 100],
  activeCampaigns: [4, 8, 16, 32, 64],
};

/** The buckets of a pool with one parameter changed. */
interface SensitivityRow {
  readonly parameter: BucketParameter;
  readonly value: number;
  /** Whether this is the pool as it is. */
  readonly isUsual: boolean;
  readonly result: BucketsResult;
  readonly claims: readonly JudgedClaim[];
}

/** For which of the values tried, of one parameter, a claim holds. */
interface ClaimRange {
  readonly claim: string;
  readonly holdsAsIs: boolean;
  readonly holdsAt: readonly {
    readonly parameter: BucketParameter;
    readonly tried: readonly number[];
    readonly values: readonly number[];
  }[];
}

export interface Sensitivity {
  readonly model: NetbatchModel;
  readonly jobs: number;
  readonly rows: readonly SensitivityRow[];
  readonly ranges: readonly ClaimRange[];
}

/**
 * What the guesses in a synthetic pool decide: the bucket experiment once for each value of each parameter, the others
 * as they are, and for which values the thesis's claims about the pool hold.
 *
 * @param generate the pool's jobs, with some parameters changed
 */
export async function studySensitivity(
  generate: (model: Partial<NetbatchModel>) => Workload,
  usual: NetbatchModel,
  machines: Machines,
  pool: ThesisPool | null,
  onRow?: (done: number, of: number) => void,
): Promise<Sensitivity> {
  const parameters = Object.keys(sensitivityValues) as BucketParameter[];
  const plan = parameters.flatMap((parameter) =>
    [...new Set([...sensitivityValues[parameter], usual[parameter]])]
      .sort((a, b) => a - b)
      .map((value) => ({ parameter, value })),
  );
  const rows: SensitivityRow[] = [];
  let jobs = 0;
  let asIs: Pick<SensitivityRow, "result" | "claims"> | undefined;
  for (const { parameter, value } of plan) {
    const isUsual = value === usual[parameter];
    let found = isUsual ? asIs : undefined;
    if (found === undefined) {
      const workload = generate(isUsual ? {} : { [parameter]: value });
      jobs = workload.count;
      const result = studyBuckets(workload, machines);
      found = { result, claims: judgeClaims(bucketClaims, result, pool) };
    }
    if (isUsual) asIs = found;
    rows.push({ parameter, value, isUsual, ...found });
    onRow?.(rows.length, plan.length);
    // Lets the event loop handle signals, so that Ctrl-C need not wait for the last row.
    await setImmediate();
  }
  return { model: usual, jobs, rows, ranges: rangesOf(rows, parameters) };
}

/** Of the claims that can be judged. */
function rangesOf(rows: readonly SensitivityRow[], parameters: readonly BucketParameter[]): ClaimRange[] {
  const usual = rows.find(({ isUsual }) => isUsual)!;
  return usual.claims.flatMap(({ claim, holds }, i): ClaimRange[] => {
    if (holds === null) return [];
    const holdsAt = parameters.map((parameter) => {
      const own = rows.filter((row) => row.parameter === parameter);
      return {
        parameter,
        tried: own.map(({ value }) => value),
        values: own.filter(({ claims }) => claims[i]!.holds === true).map(({ value }) => value),
      };
    });
    return [{ claim, holdsAsIs: holds, holdsAt }];
  });
}

/** `all`, `none`, `0 to 0.001`, `1, 12 to 30`: neighbours among the values tried are a range. */
export function rangeText(tried: readonly number[], values: readonly number[]): string {
  if (values.length === 0) return "none";
  if (values.length === tried.length) return "all";
  const parts: number[][] = [];
  for (const [at, value] of tried.entries()) {
    if (!values.includes(value)) continue;
    if (at > 0 && values.includes(tried[at - 1]!)) parts.at(-1)!.push(value);
    else parts.push([value]);
  }
  return parts.map((part) => (part.length === 1 ? `${part[0]}` : `${part[0]} to ${part.at(-1)}`)).join(", ");
}

export function parameterName(parameter: BucketParameter): string {
  return netbatchParameters.find(({ key }) => key === parameter)!.name;
}
