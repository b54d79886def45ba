import { setPriority } from "node:os";
import { dirname } from "node:path";
import { parentPort, workerData } from "node:worker_threads";

import { Refusal } from "../refusal.ts";
import type { JobRequest } from "../store/job-request.ts";
import { Connection } from "../store/connection.ts";
import type { Instant } from "../replica/replica.ts";
import { Forecaster } from "./forecaster.ts";
import { KeptForecasts } from "./kept-forecasts.ts";
import type { StartForecast } from "./start-forecast.ts";

/** Something to forecast: all waiting jobs, or one that is not submitted. */
export interface Asked {
  readonly instant: Instant;
  readonly milliseconds: number;
  readonly request: { readonly of: JobRequest; readonly user: string } | null;
}

/** Of a request: its forecast. Of all: how many futures it is made of. */
export type Answered =
  | { readonly result: StartForecast | number }
  | { readonly refused: string }
  | { readonly error: unknown };

/** The farm goes first, where processors are few. On Linux this is the thread's own. */
const NICE = 5;
/** Where the machine does so much else that the thread hardly runs, a budget ends after so many times itself. */
const PATIENCE = 4;

const { path } = workerData as { readonly path: string };
const port = parentPort!;
try {
  setPriority(0, NICE);
} catch {
  // It is as good at the usual priority.
}
let forecaster: Forecaster | null = null;

function answer({ instant, milliseconds, request }: Asked): StartForecast | number {
  forecaster ??= new Forecaster(
    new Connection(path),
    new KeptForecasts(dirname(path)),
    { spent: stopwatch },
    instant,
  );
  return request === null
    ? forecaster.renew(instant, milliseconds)
    : forecaster.wouldStart(request.of, request.user, instant, milliseconds);
}

/** Measures what the thread computes: on a busy machine a forecast takes longer, and is the same. */
function stopwatch(): () => number {
  const [begun, begunAt] = [process.threadCpuUsage(), performance.now()];
  return () => {
    const { user, system } = process.threadCpuUsage(begun);
    return Math.max((user + system) / 1000, (performance.now() - begunAt) / PATIENCE);
  };
}

port.on("message", (asked: Asked) => {
  let answered: Answered;
  try {
    answered = { result: answer(asked) };
  } catch (error) {
    answered = error instanceof Refusal ? { refused: error.message } : { error };
  }
  port.postMessage(answered);
});
