/** Figures in the evidence of claims: a tenth of a percent, a tenth of a second. */

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

export function points(difference: number): string {
  const size = (difference * 100).toFixed(1);
  return `${difference < 0 ? size.replace("-", "−") : `+${size}`} points`;
}

/** A limit on such a difference. */
export function pointsLimit(share: number): string {
  return `${(share * 100).toFixed(0)} points`;
}

/** How much more (+) or less (−) than the other, as a part of the other. */
export function change(value: number, other: number): string {
  const size = ((value / other - 1) * 100).toFixed(1);
  return `${size.startsWith("-") ? size.replace("-", "−") : `+${size}`} %`;
}

export function seconds(value: number): string {
  return `${value.toFixed(1)} s`;
}

export function list(items: readonly string[]): string {
  return items.join(", ");
}

/** How a figure is written. A change is a part of the other, more (+) or less (−); points are those of percent. */
export type Unit = "percent" | "change" | "points" | "min" | "s" | "GB/s" | "times";

export function inUnit(value: number, unit: Unit): string {
  switch (unit) {
    case "percent":
      return percent(value);
    case "change":
      return change(1 + value, 1);
    case "points":
      return points(value);
    case "min":
    case "s":
      return `${signedFixed(value, 1)} ${unit}`;
    case "GB/s":
    case "times":
      return `${signedFixed(value, 2)} ${unit}`;
  }
}

/** A number as text, with the typographic minus sign; zero has no sign. */
function signedFixed(value: number, digits: number): string {
  const size = Math.abs(value).toFixed(digits);
  return value < 0 && Number(size) !== 0 ? `−${size}` : size;
}
