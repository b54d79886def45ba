import type { Grain } from "./indexes.ts";

/** The largest number that divides all amounts; 0 where all are 0. */
export function commonDivisor(
  amounts: Iterable<number> & { length: number; [index: number]: number },
  start = 0,
): number {
  let divisor = start;
  for (let i = 0; i < amounts.length && divisor !== 1; i++) {
    let rest = amounts[i];
    if (divisor !== 0 && rest % divisor === 0) continue;
    while (rest !== 0) [divisor, rest] = [rest, divisor % rest];
  }
  return divisor;
}

/** The grain of a pool: what divides every capacity and every request of cores, and of memory. */
export function commonGrain(cores: readonly Int32Array[], memory: readonly Int32Array[]): Grain {
  const of = (columns: readonly Int32Array[]): number =>
    Math.max(
      1,
      columns.reduce((divisor, column) => commonDivisor(column, divisor), 0),
    );
  return { cores: of(cores), memory: of(memory) };
}
