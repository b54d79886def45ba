import type { DelayName } from "../../reasons/reason.ts";

/** A promise has not been moved behind the time first promised. */
export const NOT_DELAYED = 0;
/** A job ran for longer than estimated, or predicted, or began later than it was to. */
export const OVERRUN = 1;
/** A machine failed, was drained, removed or made smaller. */
export const MACHINE_LOST = 2;
/** A job of higher rank came, or the order of the queue changed. */
export const HIGHER_RANK = 3;
/** A suspended job took its machines again. */
export const RESUMED = 4;
/** A cycle came after the promised time. */
export const LATE_CYCLE = 5;
/** It could not use the machines at the promised time: they refused it, or were kept or booked for others. */
export const REFUSED = 6;
/** It was above a limit of its user, group or project at the promised time. */
export const ABOVE_LIMIT = 8;

/**
 * What may move a job behind the time first promised, by number, as it is printed. New ones come
 * last, since snapshots have the numbers. That a policy lets a promise slip on purpose is for policies of one's own: none
 * of these does.
 */
export const delayNames = [
  "none",
  "overrun",
  "machine lost",
  "higher rank",
  "resumed",
  "late cycle",
  "refused",
  "relaxed",
  "above limit",
] as const satisfies readonly ("none" | DelayName)[];

/** The name of a delay; null: there was none. */
export function delayOf(delay: number): DelayName | null {
  const name = delayNames[delay];
  return name === "none" ? null : name;
}

/** Counts by delay, as they are told: those that occurred, under their names. */
export function countsByDelay(counts: Float64Array): Map<DelayName, number> {
  return new Map(
    delayNames.flatMap((name, delay) =>
      name !== "none" && counts[delay] > 0 ? [[name, counts[delay]] as const] : [],
    ),
  );
}
