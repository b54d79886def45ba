import type { Speed } from "./benchmark.ts";

/** How long something took. */
export interface Took {
  readonly seconds: number;
  /** Of all threads of the process, the garbage collector and the compiler included. On one core this is what the clock would show on an idle machine. */
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

/** A target: this figure or more. */
export function atLeast(
  least: number,
  unit: string,
  value: number,
): { readonly text: string; readonly isMet: boolean } {
  return { text: `≥ ${least.toLocaleString("en")} ${unit}`, isMet: value >= least };
}

/** A target: less than this figure. */
export function below(
  limit: number,
  unit: string,
  value: number,
): { readonly text: string; readonly isMet: boolean } {
  return { text: `< ${limit.toLocaleString("en")} ${unit}`, isMet: value < limit };
}
