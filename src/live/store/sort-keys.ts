/** In which order jobs are listed; of the same value by number. Those without a value come last. */
export const sortKeys = ["number", "name", "user", "priority", "submitted", "started", "ended"] as const;
export type SortKey = (typeof sortKeys)[number];
