import { formatCount, formatDuration, formatNumber, formatShare } from "./numbers.ts";

/** How the values of one column are written: in one unit, to one digit, so that their lengths compare. */
export interface ColumnStyle {
  /** Stands in the column's title; empty where there is none. */
  readonly unit: string;
  readonly text: (value: number | null) => string;
}

const durations = [
  { unit: "s", size: 1 },
  { unit: "min", size: 60 },
  { unit: "h", size: 3600 },
  { unit: "d", size: 86_400 },
];

/** @param format how one such value alone is written, which tells what it is */
export function columnStyle(
  values: readonly (number | null)[],
  format: (value: number) => string,
): ColumnStyle {
  const known = values.filter((value) => value !== null && Number.isFinite(value) && value > 0) as number[];
  // Halfway between the least and the largest, as they are multiples of each other.
  const middle = known.length === 0 ? 1 : Math.sqrt(least(known)) * Math.sqrt(most(known));
  switch (format) {
    case formatDuration: {
      const { unit, size } = durations.findLast((each) => isFor(each.size, known, middle)) ?? durations[0]!;
      return scaled(unit, size, Math.max(middle, size / 10));
    }
    case formatShare:
      return scaled("%", 0.01, middle);
    case formatNumber:
      return scaled("", 1, middle);
    default:
      return { unit: "", text: (value) => (value === null ? "–" : format(value)) };
  }
}

/** The smallest value that a unit is used for. Below 0.10, two decimals would leave one digit to compare values by. */
const LEAST_OF_UNIT = 0.1;
/** From so many of a unit on the unit is read rather than the one below it: 4.78 h, not 286.9 min. */
const MANY_OF_UNIT = 3;

/** Whether values are of the size of a unit: those in the middle, or the largest, where the least can still be read. */
function isFor(size: number, known: readonly number[], middle: number): boolean {
  if (middle >= size) return true;
  return known.length > 0 && most(known) >= MANY_OF_UNIT * size && least(known) >= LEAST_OF_UNIT * size;
}

/** `Mean wait (h)`. */
export function columnTitle(title: string, { unit }: ColumnStyle): string {
  return unit === "" ? title : `${title} (${unit})`;
}

function scaled(unit: string, size: number, middle: number): ColumnStyle {
  const decimals = Math.max(0, Math.min(2, 2 - Math.floor(Math.log10(middle / size))));
  const smallest = 10 ** -decimals;
  return {
    unit,
    text: (value) => {
      const shown = value === null ? Number.NaN : value / size;
      if (!Number.isFinite(shown)) return "–";
      if (shown > 0 && shown < smallest / 2) return `<${smallest.toFixed(decimals)}`;
      if (Math.abs(shown) >= 1e15) return formatNumber(shown);
      const [whole, part] = shown.toFixed(decimals).split(".");
      return part === undefined ? formatCount(shown) : `${formatCount(Number(whole))}.${part}`;
    },
  };
}

function least(values: readonly number[]): number {
  return values.reduce((one, other) => Math.min(one, other));
}

function most(values: readonly number[]): number {
  return values.reduce((one, other) => Math.max(one, other));
}
