/**
 * Where a test kills this process. `CROFT_CRASH_AT` names a step, and may say how often it is passed before
 * (`committed:3`). It has an effect only with `CROFT_CRASH_TRIALS=1`.
 *
 * @returns what is to be called at each step; null: nothing
 * @throws Error where the variable names no such step
 */
export function crashAt<Point extends string>(
  environment: NodeJS.ProcessEnv,
  points: readonly Point[],
): ((point: Point) => void) | null {
  const wanted = environment["CROFT_CRASH_AT"];
  if (environment["CROFT_CRASH_TRIALS"] !== "1" || wanted === undefined) return null;
  const [point, times = "0"] = wanted.split(":");
  if (!points.includes(point as Point)) throw new Error(`there is no crash point ${point}`);
  let left = Number(times);
  return (passed) => {
    if (passed === point && left-- <= 0) process.kill(process.pid, "SIGKILL");
  };
}
