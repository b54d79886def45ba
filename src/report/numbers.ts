/**
 * Numbers for people: three significant digits, thousands separators, a unit.
 *
 * What cannot be a number (not measured, division by nothing) shows as a dash.
 * The space before a unit does not break.
 */
const nothing = "–";
const space = "\u00a0";

const day = 86_400;

/** Three significant digits; separators from 1,000. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return nothing;
  if (value === 0) return "0";
  const rounded = Number(value.toPrecision(3));
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

/** Seconds, in the largest unit of s, min, h, d that leaves at least 1 of it. */
export function formatDuration(seconds: number): string {
  if (!Number.isFinite(seconds)) return nothing;
  if (seconds === 0) return `0${space}s`;
  const rounded = Math.abs(Number(seconds.toPrecision(3)));
  if (rounded >= day) return `${formatNumber(seconds / day)}${space}d`;
  if (rounded >= 3600) return `${formatNumber(seconds / 3600)}${space}h`;
  if (rounded >= 60) return `${formatNumber(seconds / 60)}${space}min`;
  return `${formatNumber(seconds)}${space}s`;
}

/** A fraction of 1, in percent. */
export function formatShare(share: number): string {
  if (!Number.isFinite(share)) return nothing;
  const percent = Number((share * 100).toPrecision(3));
  return `${percent !== 0 && Math.abs(percent) < 0.01 ? "<0.01" : formatNumber(percent)}${space}%`;
}

/** A fraction of 1 in whole percents; tenths where it is below 1 %. */
export function formatPercent(share: number): string {
  if (!Number.isFinite(share)) return nothing;
  return `${percentDigits(share)}${space}%`;
}

/** A relative change, with its sign: `−22 %`, `+3 %`. */
export function formatChange(change: number): string {
  if (!Number.isFinite(change)) return nothing;
  const digits = percentDigits(Math.abs(change));
  const sign = digits === "0" ? "" : change < 0 ? "−" : "+";
  return `${sign}${digits}${space}%`;
}

/** MiB, in the largest binary unit that leaves at least 1 of it. */
export function formatMemory(memoryMiB: number): string {
  if (!Number.isFinite(memoryMiB)) return nothing;
  const rounded = Math.abs(Number(memoryMiB.toPrecision(3)));
  if (rounded >= 1_048_576) return `${formatNumber(memoryMiB / 1_048_576)}${space}TiB`;
  if (rounded >= 1024) return `${formatNumber(memoryMiB / 1024)}${space}GiB`;
  return `${formatNumber(memoryMiB)}${space}MiB`;
}

function percentDigits(share: number): string {
  const percent = share * 100;
  if (Math.abs(percent) >= 0.95) return formatCount(percent);
  const tenths = percent.toFixed(1);
  return Number(tenths) === 0 ? "0" : tenths;
}
