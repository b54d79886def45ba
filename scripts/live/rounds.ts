/** Rounds of a trial, one after the other on one farm, which is made anew where a round wedges it. */
import { Wedged } from "./patience.ts";
import { printTable } from "./table.ts";

/** What was counted, by the head of its column. */
export type Sums = Record<string, number>;

/** Columns of what must not be. */
const WRONG = ["lost", "twice", "wedged", "wrong"];
/** Says after so many rounds how far it is. */
const TOLD_ROUNDS = 10;

export interface Rounds<Farm> {
  readonly count: number;
  /** Of the first round; the next has the next one. */
  readonly seed: number;
  /** The fault that has to be found: the first round that finds it is the last. */
  readonly plant: string | null;
  /** The first column counts the rounds. */
  readonly head: readonly string[];
  /** @throws Wedged where it does not start: then it has removed what there was of it */
  readonly make: () => Promise<Farm>;
  /** Ends it, with all that it has left. */
  readonly remove: (farm: Farm) => Promise<void>;
  /** @throws Wedged where something does not come */
  readonly one: (farm: Farm, seed: number, sums: Sums) => Promise<void>;
}

/** Prints what was counted, where no fault was planted. Returns whether nothing went wrong, and the sums. */
export async function inRounds<Farm>({
  count,
  seed,
  plant,
  head,
  make,
  remove,
  one,
}: Rounds<Farm>): Promise<{ readonly isGood: boolean; readonly sums: Sums }> {
  const sums: Sums = Object.fromEntries(head.map((each) => [each, 0]));
  const wrongs = (): number => WRONG.reduce((sum, each) => sum + (sums[each] ?? 0), 0);
  let farm: Farm | null = null;
  try {
    for (let at = seed; at < seed + count; at++) {
      const before = wrongs();
      try {
        farm ??= await make();
        await one(farm, at, sums);
      } catch (error) {
        if (!(error instanceof Wedged)) throw error;
        console.log(`wedged: ${error.message}`);
        sums["wedged"]++;
        if (farm !== null) await remove(farm);
        farm = null;
      }
      sums[head[0]]++;
      if (wrongs() > before) console.log(`with seed ${at}, at ${new Date().toISOString()}`);
      if (plant !== null && wrongs() > 0) break;
      if ((at - seed) % TOLD_ROUNDS === TOLD_ROUNDS - 1)
        process.stderr.write(`${Object.values(sums).join(" ")}\n`);
    }
  } finally {
    if (farm !== null) await remove(farm);
  }
  if (plant === null) printTable(head, [head.map((each) => String(sums[each]))]);
  return { isGood: wrongs() === 0, sums };
}
