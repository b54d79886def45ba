/** A promise has not been moved behind the time first promised. */
export const NOT_DELAYED = 0;
/** A job ran for longer than estimated. */
export const OVERRUN = 1;
/** A machine failed, was drained, removed or made smaller. */
export const MACHINE_LOST = 2;
/** A job of higher rank came, or the order of the queue changed. */
export const HIGHER_RANK = 3;
/** A suspended job resumed. */
export const RESUMED = 4;
/** A cycle came after the promised time. */
export const LATE_CYCLE = 5;
/** The machines could not be used at the promised time: they refused the job, or were kept for another family. */
export const REFUSED = 6;

/** What may move a job behind the time first promised, by number, as it is printed. */
export const delayNames = [
  "none",
  "overrun",
  "machine lost",
  "higher rank",
  "resumed",
  "late cycle",
  "refused",
] as const;
