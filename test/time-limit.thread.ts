import { writeSync } from "node:fs";
import { Session, type Debugger } from "node:inspector/promises";
import { parentPort } from "node:worker_threads";

/** The test that begins, or the file. */
export interface Progress {
  readonly file: string;
  /** Null while the file is loaded. */
  readonly test: string | null;
  /** Of fast-check. */
  readonly seed: number;
}

/** For a test file. Ten times what the slowest takes on two cores. */
const LIMIT_MINUTES = 20;
/** How long to wait for the stack. There is none while the main thread waits for another process. */
const PAUSE_SECONDS = 10;

let present: Progress | null = null;
let timer: NodeJS.Timeout | undefined;

parentPort!.on("message", (progress: Progress) => {
  if (progress.test === null) {
    clearTimeout(timer);
    timer = setTimeout(() => void end(), LIMIT_MINUTES * 60_000);
  }
  present = progress;
});

/** Prints the test and its stack, and ends the process. Vitest runs the other files in a new one. */
async function end(): Promise<void> {
  const { file, test, seed } = present!;
  const where = test === null ? "as it is loaded" : `in the test "${test}" (FC_SEED=${seed})`;
  const what = `${file} is ended after ${LIMIT_MINUTES} minutes, ${where}`;
  writeSync(2, [what, ...(await mainThreadStack()), ""].join("\n"));
  process.kill(process.pid, "SIGKILL");
}

/** The calls that the main thread is in, the innermost first. */
async function mainThreadStack(): Promise<string[]> {
  const session = new Session();
  session.connectToMainThread();
  const urls = new Map<string, string>();
  session.on("Debugger.scriptParsed", ({ params }) => void urls.set(params.scriptId, params.url));
  const paused = new Promise<Debugger.CallFrame[]>((resolve) => {
    session.once("Debugger.paused", ({ params }) => resolve(params.callFrames));
    setTimeout(() => resolve([]), PAUSE_SECONDS * 1000);
  });
  void session.post("Debugger.enable");
  void session.post("Debugger.pause");
  return (await paused).map(
    ({ functionName, location }) =>
      `    at ${functionName} (${urls.get(location.scriptId)}:${location.lineNumber + 1})`,
  );
}
