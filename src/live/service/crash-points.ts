/**
 * Steps at which a test kills the service: before and after each durable write and each effect. `CROFT_CRASH_AT`
 * names one, and may say how often it is passed before (`committed:3`). It has an effect only with
 * `CROFT_CRASH_TRIALS=1`.
 */
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

/** @throws Error where the variable names no such step */
export function crashAt(environment: NodeJS.ProcessEnv): CrashHook {
  const wanted = environment["CROFT_CRASH_AT"];
  if (environment["CROFT_CRASH_TRIALS"] !== "1" || wanted === undefined) return () => undefined;
  const [point, times = "0"] = wanted.split(":");
  if (!crashPoints.includes(point as CrashPoint)) throw new Error(`there is no crash point ${point}`);
  let left = Number(times);
  return (passed) => {
    if (passed === point && left-- <= 0) process.kill(process.pid, "SIGKILL");
  };
}
