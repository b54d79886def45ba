import type { AttributeSet } from "./attributes.ts";
import { splitOutside } from "./node-names.ts";

const MULTIPLES: Readonly<Record<string, number>> = { "": 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };

/**
 * Slurm's generic resources, `gpu:a100:4(S:0-1),fpga:1`: returns the number of GPUs, and puts into `attributes` the
 * number of each type (`gpu.a100: 4`) and of everything else (`fpga: 1`).
 */
export function readGres(text: string, attributes: AttributeSet): number {
  const totals = new Map<string, number>();
  const add = (name: string, count: number): void => {
    totals.set(name, (totals.get(name) ?? 0) + count);
  };
  if (isNothing(text)) return 0;
  for (const part of splitOutside(text, ",")) {
    const words = part
      .replace(/\(.*$/s, "")
      .trim()
      .split(":")
      .filter((word) => word !== "no_consume");
    const name = words.shift() ?? "";
    if (name === "") continue;
    const last = slurmCount(words.at(-1) ?? "");
    if (last !== null) words.pop();
    const count = last ?? 1;
    add(name, count);
    if (words.length > 0) add(`${name}.${words.join(":")}`, count);
  }
  for (const [name, count] of totals) if (name !== "gpu") attributes.set(name, count);
  return totals.get("gpu") ?? 0;
}

/**
 * A count as Slurm prints it: `64`, `1000K` for 1,024,000, `257000+` for the least of several; null if it is not one.
 */
export function slurmCount(text: string): number | null {
  const [, number, multiple] = /^(\d+(?:\.\d+)?)([kmgt]?)\+?$/i.exec(text.trim()) ?? [];
  return number === undefined ? null : Number(number) * MULTIPLES[multiple!.toLowerCase()]!;
}

/** What Slurm's programs print for an empty value. */
export function isNothing(text: string): boolean {
  return ["", "(null)", "N/A", "n/a", "none", "-"].includes(text.trim());
}
