import type { Speed } from "./benchmark.ts";

/** How long something took. */
export interface Took {
  readonly seconds: number;
  /** Of all the process's threads, the collector's and the compiler's included: on one core, what a quiet machine's clock would show. */
  readonly processorSeconds: number;
}

export async function timed<T>(work: () => T | Promise<T>): Promise<Took & { readonly result: T }> {
  const start = performance.now();
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, seconds: (performance.now() - start) / 1000, processorSeconds: (user + system) / 1e6 };
}

export function speedOf(jobs: number, took: Took): Speed {
  return { perProcessorSecond: jobs / took.processorSeconds, perSecond: jobs / took.seconds };
}

/** The most memory that this process has held so far. */
export function peakMiB(): number {
  return process.resourceUsage().maxRSS / 1024;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

/** A target of so many or more. */
export function atLeast(
  least: number,
  unit: string,
  value: number,
): { readonly text: string; readonly isMet: boolean } {
  return { text: `≥ ${least.toLocaleString("en")} ${unit}`, isMet: value >= least };
}

/** A target of less than so many. */
export function below(
  limit: number,
  unit: string,
  value: number,
): { readonly text: string; readonly isMet: boolean } {
  return { text: `< ${limit.toLocaleString("en")} ${unit}`, isMet: value < limit };
}
