/** A machine that a job ran on, and how many of its cores; null: an even part of the job's. */
export interface NodePart {
  readonly name: string;
  readonly cores: number | null;
}

/** More machines than this in one list are taken for damage. */
const MAX_NODES = 1_000_000;

/**
 * The machines in one entry of the column `nodes`: names joined by commas, numbers in
 * brackets as Slurm writes them, and `*8` after a name for the cores used there.
 *
 * `a[01-03,7],b*8` names a01, a02, a03, a7 and, with eight cores, b. Empty where the entry
 * cannot be taken apart.
 */
export function nodeParts(entry: string): NodePart[] {
  const parts: NodePart[] = [];
  for (const item of splitOutsideBrackets(entry)) {
    const [, pattern = item, cores] = /^(.*)\*(\d+)$/.exec(item) ?? [];
    const names = expanded(pattern.trim(), MAX_NODES - parts.length);
    if (names === null) return [];
    for (const name of names) parts.push({ name, cores: cores === undefined ? null : Number(cores) });
  }
  return parts;
}

function splitOutsideBrackets(entry: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= entry.length; at++) {
    const character = entry[at];
    if (character === "[") depth++;
    else if (character === "]") depth--;
    else if (character === undefined || (character === "," && depth === 0)) {
      if (entry.slice(from, at).trim() !== "") items.push(entry.slice(from, at));
      from = at + 1;
    }
  }
  return items;
}

/** Every name that a pattern stands for; null where its brackets are out of order or it stands for more than `most`. */
function expanded(pattern: string, most: number): string[] | null {
  const open = pattern.indexOf("[");
  if (open === -1) return pattern.includes("]") || most < 1 ? null : [pattern];
  const close = pattern.indexOf("]", open);
  const rest = close === -1 ? null : expanded(pattern.slice(close + 1), most);
  if (rest === null) return null;
  const names: string[] = [];
  for (const range of pattern.slice(open + 1, close).split(",")) {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(range.trim()) ?? [];
    if (first === undefined || last === undefined) return null;
    const count = Number(last) - Number(first) + 1;
    if (!(count >= 1 && names.length + count * rest.length <= most)) return null;
    for (let number = Number(first); number <= Number(last); number++) {
      const start = pattern.slice(0, open) + String(number).padStart(first.length, "0");
      for (const end of rest) names.push(start + end);
    }
  }
  return names;
}
