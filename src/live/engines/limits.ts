import { warningSignals, type Limits } from "./engine.ts";

export const NO_LIMITS: Limits = { memoryMiB: null, coresMilli: null, seconds: null, graceSeconds: 0 };

/** Limits as they come out of JSON; null where they are none. */
export function parseLimits(value: unknown): Limits | null {
  const limits = value as Partial<Limits> | null | undefined;
  const isLimit = (each: unknown): boolean => each === null || typeof each === "number";
  const { output, warning } = limits ?? {};
  const isWarning =
    warning === undefined ||
    (typeof warning?.seconds === "number" && warningSignals.includes(warning.signal));
  const isOutput = output === undefined || (typeof output?.bytes === "number" && Array.isArray(output.paths));
  return isOutput &&
    isWarning &&
    isLimit(limits?.memoryMiB) &&
    isLimit(limits?.coresMilli) &&
    isLimit(limits?.seconds) &&
    typeof limits?.graceSeconds === "number"
    ? (limits as Limits)
    : null;
}
