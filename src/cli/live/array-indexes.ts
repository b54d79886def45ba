import { InvalidArgumentError } from "commander";

/** The indexes of an array, as REST has them. */
export type ArrayIndexes = (
  | { readonly from: number; readonly to: number; readonly step?: number }
  | { readonly indexes: readonly number[] }
) & { readonly most?: number };

/** Of an array. */
const MOST_JOBS = 10_000;

/** `1-1000`, `1-10:2`, `1,3,5`, `1-5,8`, each with `%20` for at most so many at once. */
export function arrayIndexes(text: string): ArrayIndexes {
  const [, list = "", limit] = /^([^%]+)(?:%(\d+))?$/.exec(text.trim()) ?? [];
  const ranges = list.split(",").map((part) => {
    const [, from, to = from, step] = /^\s*(\d+)(?:-(\d+)(?::(\d+))?)?\s*$/.exec(part) ?? [];
    if (from === undefined || step === "0" || limit === "0")
      throw new InvalidArgumentError(
        "Give indexes such as 1-1000, 1-10:2, 1,3,5, or 1-1000%20 for 20 at once.",
      );
    return { from: Number(from), to: Number(to), ...(step === undefined ? {} : { step: Number(step) }) };
  });
  const most = limit === undefined ? {} : { most: Math.min(Number(limit), MOST_JOBS) };
  const [only] = ranges;
  if (only !== undefined && ranges.length === 1) return { ...only, ...most };
  const indexes: number[] = [];
  for (const { from, to, step = 1 } of ranges)
    for (let index = from; index <= to; index += step) {
      if (indexes.length === MOST_JOBS)
        throw new InvalidArgumentError(`An array has at most ${MOST_JOBS} jobs.`);
      indexes.push(index);
    }
  return { indexes, ...most };
}
