/** A figure with a name, and its value as text. */
export interface NamedFigure {
  readonly name: string;
  readonly value: number;
  readonly text: string;
}

/** Describes a chart of these figures: the least and the largest, and then all. */
export function extremes(figures: readonly NamedFigure[]): string {
  const known = figures.filter(({ value }) => Number.isFinite(value));
  if (known.length === 0) return "No figures.";
  const all = `${figures.map(({ name, text }) => `${name} ${text}`).join(", ")}.`;
  const [least, most] = ends(known);
  if (known.length < 2 || least.text === most.text) return `All: ${all}`;
  return `Lowest is ${least.name}, ${least.text}; highest is ${most.name}, ${most.text}. All: ${all}`;
}

/** Describes a chart of shares: the largest, and then all. */
export function mostly(figures: readonly NamedFigure[]): string {
  if (figures.length === 0) return "No figures.";
  const [, most] = ends(figures);
  return `Largest is ${most.name}, ${most.text}. All: ${figures.map(({ name, text }) => `${name} ${text}`).join(", ")}.`;
}

/** Describes a line: its mean and its range. */
export function course(name: string, values: readonly number[], format: (value: number) => string): string {
  const known = values.filter((value) => Number.isFinite(value));
  if (known.length === 0) return `${name}: no figures.`;
  let least = Infinity;
  let most = -Infinity;
  let sum = 0;
  for (const value of known) {
    if (value < least) least = value;
    if (value > most) most = value;
    sum += value;
  }
  return `${name}: ${format(sum / known.length)} on average, between ${format(least)} and ${format(most)}.`;
}

function ends(figures: readonly NamedFigure[]): [least: NamedFigure, most: NamedFigure] {
  const sorted = figures.toSorted((a, b) => a.value - b.value);
  return [sorted[0]!, sorted.at(-1)!];
}
