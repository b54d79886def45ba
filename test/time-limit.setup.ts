import { randomInt } from "node:crypto";
import { Worker } from "node:worker_threads";

import * as fc from "fast-check";
import { beforeEach, expect } from "vitest";

import type { Progress } from "./time-limit.thread.ts";

/** A property that fails is tried on smaller and smaller input, which may take hours. Here it is told by then. */
const PROPERTY_LIMIT_MINUTES = 5;

/**
 * Ends the process of a test file that does not come to its end. Vitest ends a test that waits for too long. It cannot
 * end one that never returns, nor does it add up the tests of a file of which each is ended like that.
 *
 * Properties are drawn from a seed that is chosen here, so that it can be told of one that never returns. To draw the
 * same again: `FC_SEED=1234 npx vitest run FILE`.
 */
declare global {
  // One for all files of the process.
  var timeLimit: Worker | undefined;
}

globalThis.timeLimit ??= new Worker(new URL("./time-limit.thread.ts", import.meta.url));
const thread = globalThis.timeLimit;
thread.unref();

const file = expect.getState().testPath!;
thread.postMessage({ file, test: null, seed: 0 } satisfies Progress);

beforeEach(({ task }) => {
  const seed = Number(process.env["FC_SEED"] ?? randomInt(2 ** 31));
  fc.configureGlobal({
    ...fc.readConfigureGlobal(),
    seed,
    interruptAfterTimeLimit: PROPERTY_LIMIT_MINUTES * 60_000,
    markInterruptAsFailure: true,
  });
  thread.postMessage({ file, test: task.name, seed } satisfies Progress);
});
