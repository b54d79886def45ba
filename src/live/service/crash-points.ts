/** Steps at which a test kills the service: before and after each durable write and each effect. */
export const crashPoints = [
  "before-commit",
  "committed",
  "before-effects",
  "after-effect",
  "after-effects",
  "before-answers",
  "after-answers",
  "before-forget",
  "after-forget",
  "before-reconcile",
  "after-reconcile",
  "before-snapshot",
  "after-snapshot",
] as const;

export type CrashPoint = (typeof crashPoints)[number];

/** Called at each step; does nothing except in a test. */
export type CrashHook = (point: CrashPoint) => void;
