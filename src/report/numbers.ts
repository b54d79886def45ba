/**
 * Numbers for people: three significant digits, thousands separators, a unit.
 *
 * What cannot be a number (not measured, division by nothing) shows as a dash.
 * The space before a unit does not break.
 */
const nothing = "–";
const space = "\u00a0";

/** Three significant digits; separators from 1,000. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return nothing;
  if (value === 0) return "0";
  const rounded = Number(value.toPrecision(3));
  if (!Number.isFinite(rounded)) return nothing;
  if (Math.abs(rounded) >= 1e15 || Math.abs(rounded) < 1e-4) return rounded.toExponential(2);
  if (Math.abs(rounded) >= 1000) return formatCount(rounded);
  return rounded.toPrecision(3);
}

/** A whole number, all digits. */
export function formatCount(value: number): string {
  if (!Number.isFinite(value)) return nothing;
  return Math.round(value)
    .toFixed(0)
    .replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Seconds, in s, min, h or d: the first unit in which they read less than one of the next. */
export function formatDuration(seconds: number): string {
  return inUnits(seconds, [
    { name: "s", size: 1, below: 60 },
    { name: "min", size: 60, below: 60 },
    { name: "h", size: 3600, below: 24 },
    { name: "d", size: 86_400, below: Number.POSITIVE_INFINITY },
  ]);
}

/** For what takes a computer less than a second. */
export function formatMilliseconds(seconds: number): string {
  return `${formatNumber(seconds * 1000)}${space}ms`;
}

/** A fraction of 1, in percent. */
export function formatShare(share: number): string {
  if (!Number.isFinite(share)) return nothing;
  const percent = Number((share * 100).toPrecision(3));
  return `${percent !== 0 && Math.abs(percent) < 0.01 ? "<0.01" : formatNumber(percent)}${space}%`;
}

/** A text for a terminal: there percent stands close to its number, as tables have little room, and spaces are plain. */
export function terminalText(text: string): string {
  return text.replaceAll(/[\u00a0 ]%/g, "%").replaceAll("\u00a0", " ");
}

/** A fraction of 1 in whole percents; tenths where it is below 1 %. */
export function formatPercent(share: number): string {
  if (!Number.isFinite(share)) return nothing;
  return `${percentDigits(share)}${space}%`;
}

/** Two fractions of 1, the unit once: `18 to 26 %`. */
export function formatPercentRange(low: number, high: number): string {
  return `${withoutUnit(formatPercent(low))} to ${formatPercent(high)}`;
}

/** From here on a change reads as a factor: 25 times, and not +2,400 %. */
const MANY_TIMES = 4;

/** A relative change, with its sign: `−22 %`, `+3 %`; where it is large, `25 times`. */
export function formatChange(change: number): string {
  if (!Number.isFinite(change)) return nothing;
  if (change >= MANY_TIMES) return `${timesDigits(change)}${space}times`;
  const digits = percentDigits(Math.abs(change));
  const sign = digits === "0" ? "" : change < 0 ? "−" : "+";
  return `${sign}${digits}${space}%`;
}

/** The bounds of a relative change, the unit once: `−26 to −18 %`, `0.5 to 9.3 times`. */
export function formatChangeRange(low: number, high: number): string {
  if (high >= MANY_TIMES) return `${timesDigits(low)} to ${timesDigits(high)}${space}times`;
  return `${withoutUnit(formatChange(low))} to ${formatChange(high)}`;
}

/** A ratio of two figures: `× 2.00`, `÷ 1,070`, `the same`. */
export function formatFactor(ratio: number): string {
  if (!(ratio > 0) || !Number.isFinite(ratio)) return nothing;
  const digits = formatNumber(Math.max(ratio, 1 / ratio));
  return digits === "1.00" ? "the same" : `${ratio > 1 ? "×" : "÷"}${space}${digits}`;
}

/** MiB, in MiB, GiB or TiB. */
export function formatMemory(memoryMiB: number): string {
  return inUnits(memoryMiB, [
    { name: "MiB", size: 1, below: 1024 },
    { name: "GiB", size: 1024, below: 1024 },
    { name: "TiB", size: 1_048_576, below: Number.POSITIVE_INFINITY },
  ]);
}

/** MiB of what is there, to the last digit: `1,024 GiB`, and MiB where it is no whole number of GiB. */
export function formatCapacity(memoryMiB: number): string {
  return memoryMiB % 1024 === 0
    ? `${formatCount(memoryMiB / 1024)}${space}GiB`
    : `${formatCount(memoryMiB)}${space}MiB`;
}

/** Thousandths of cores that are there, to the last digit. */
export function formatCores(coresMilli: number): string {
  const whole = formatCount(Math.floor(coresMilli / 1000));
  const rest = coresMilli % 1000;
  return rest === 0 ? whole : `${whole}.${String(rest).padStart(3, "0").replace(/0+$/, "")}`;
}

/** A number of things, with their name in one or in many: `1 machine`, `46 machines`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Rounds before it compares: 59.96 s are 1.00 min, never 60.0 s. */
function inUnits(
  value: number,
  units: readonly { readonly name: string; readonly size: number; readonly below: number }[],
): string {
  if (!Number.isFinite(value)) return nothing;
  let rounded = value;
  for (const { name, size, below } of units) {
    const count = Number((rounded / size).toPrecision(3));
    const isBelow = Math.abs(value / size) < below;
    if (isBelow && Math.abs(count) < below) return `${formatNumber(count)}${space}${name}`;
    if (isBelow) rounded = count * size;
  }
  return nothing;
}

function withoutUnit(text: string): string {
  return text.replace(`${space}%`, "");
}

function timesDigits(change: number): string {
  const factor = 1 + change;
  return factor >= 10 ? formatCount(factor) : String(Number(factor.toPrecision(2)));
}

function percentDigits(share: number): string {
  const percent = share * 100;
  // Nearly all is not all: a wait that shrinks from 14 h to 4 min is not gone.
  if (percent >= 99.5 && percent < 100) return (Math.floor(10 * percent) / 10).toFixed(1);
  if (Math.abs(percent) >= 0.95) return formatCount(percent);
  const tenths = percent.toFixed(1);
  return Number(tenths) === 0 ? "0" : tenths;
}

/** An instant on a log's clock: a date where it is known what the clock's 0 is, and else seconds. */
export function instantText(seconds: number, unixStartSeconds: number | undefined): string {
  if (unixStartSeconds === undefined) return `second ${Math.round(seconds)} of the log`;
  const date = new Date((seconds + unixStartSeconds) * 1000);
  return Number.isNaN(date.getTime()) ? "–" : `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
