import { MAX_MACHINES } from "./machine-list.ts";

/** Far more than any site has. The rest of the text is searched once for each. */
const MAX_BRACKETS = 10;

/**
 * The names in a list such as `n[01-03,7],gpu1,r[1-2]c[1-2]`, in its order. Numbers keep their leading zeros.
 *
 * @returns null if the list cannot be read, as when it was cut off, or has more than `most` names
 */
export function nodeNames(list: string, most = MAX_MACHINES): string[] | null {
  const names: string[] = [];
  for (const part of splitOutside(list, ",")) {
    const expanded = expand(part.trim(), most - names.length);
    if (expanded === null) return null;
    for (const name of expanded) names.push(name);
  }
  return names.length === 0 || names.includes("") ? null : names;
}

/** Expands `n[1-2]` to `n1`, `n2`. Several brackets give every combination, the last one changing fastest. */
function expand(text: string, most: number): string[] | null {
  let names = [""];
  let rest = text;
  for (let brackets = 0; brackets < MAX_BRACKETS; brackets++) {
    const [, before, numbers, after] = /^([^[\]]*)\[([^[\]]*)\](.*)$/s.exec(rest) ?? [];
    if (before === undefined || numbers === undefined) break;
    const each = numbersOf(numbers, most);
    if (each === null || names.length * each.length > most) return null;
    names = names.flatMap((name) => each.map((number) => `${name}${before}${number}`));
    rest = after!;
  }
  if (/[[\]]/.test(rest) || most < 1) return null;
  return names.map((name) => name + rest);
}

/** Expands `01-03,7` to `01`, `02`, `03`, `7`. */
function numbersOf(text: string, most: number): string[] | null {
  const numbers: string[] = [];
  for (const part of text.split(",")) {
    const [, first, last = first] = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(part.trim()) ?? [];
    if (first === undefined) return null;
    const count = Number(last) - Number(first) + 1;
    if (count < 1 || numbers.length + count > most) return null;
    for (let number = Number(first); number <= Number(last); number++) {
      numbers.push(String(number).padStart(first.length, "0"));
    }
  }
  return numbers;
}

/** Splits at `separator`, except within brackets or parentheses: `gpu:a100:4(S:0,1),fpga:1` has two parts. */
export function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === "[" || character === "(") depth++;
    else if (character === "]" || character === ")") depth = Math.max(0, depth - 1);
    else if (character === separator && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
