import { nodeNames, splitOutside } from "./machines/node-names.ts";

/** A machine that a job ran on, and the number of its cores; null: an equal part of the job's. */
export interface NodePart {
  readonly name: string;
  readonly cores: number | null;
}

/** More machines than this in one list are considered damage. */
const MAX_NODES = 1_000_000;
const SEPARATORS = [",", "+", ";", "|"];

/**
 * The machines in one entry of the column `nodes`: names joined by commas, `+`, `;`, `|` or blanks, numbers in brackets
 * as Slurm writes them, and `*8` after a name for the cores used there. What PBS writes, `a/0*8+b/0*8`, is understood:
 * a number after a slash is one of its virtual processors, and has a core unless `*` tells how many.
 *
 * `a[01-03,7],b*8` names a01, a02, a03, a7 and, with eight cores, b. Empty if the entry cannot be parsed.
 */
export function nodeParts(entry: string): NodePart[] {
  const parts: NodePart[] = [];
  for (const item of itemsOf(entry)) {
    if (item.trim() === "") continue;
    const [, place = item, told] = /^(.*)\*(\d+)$/.exec(item) ?? [];
    const [, pattern = place, processor] = /^(.+)\/(\d+)$/.exec(place) ?? [];
    const names = nodeNames(pattern, MAX_NODES - parts.length);
    if (names === null) return [];
    const cores = told ?? (processor === undefined ? null : 1);
    for (const name of names) parts.push({ name, cores: cores === null ? null : Number(cores) });
  }
  return parts;
}

function itemsOf(entry: string): string[] {
  const separated = SEPARATORS.reduce(
    (items, separator) => items.flatMap((item) => splitOutside(item, separator)),
    [entry],
  );
  return separated.flatMap((item) => {
    const words = splitOutside(item.replaceAll(/\s/g, " "), " ").filter((word) => word !== "");
    // `node 7` is a name.
    return words.some((word) => /^\d+$/.test(word)) ? [item] : words;
  });
}
