import { randomInt } from "node:crypto";
import { Worker } from "node:worker_threads";

import * as fc from "fast-check";
import { beforeEach, expect } from "vitest";

import type { Progress } from "./time-limit.thread.ts";

/**
 * Ends what would keep the suite from ending. Vitest runs this before each test file.
 *
 * - A test file is ended after some time, with its process (`time-limit.thread.ts`). Vitest itself ends a test that waits
 *   for too long, but not one that never returns, and has no limit for all tests of a file together.
 * - A property that fails is tried on smaller and smaller input, which can take hours. After the limit the smallest input
 *   so far is reported.
 *
 * The seed of random input is chosen here, so that it is known for a test that never returns. `FC_SEED=1234 npx vitest run
 * FILE` uses it again.
 */
const PROPERTY_LIMIT_MINUTES = 5;

declare global {
  /** The thread that watches all test files of this process. */
  var timeLimit: Worker | undefined;
  /** As it was before the first test file of this process. */
  var realSetTimeout: typeof setTimeout | undefined;
}

globalThis.realSetTimeout ??= setTimeout;
// Vitest undoes mocks between files. One of `setTimeout` that was made while timers were made up is undone to a timer
// that never comes, and the files that follow wait for ever.
if (setTimeout !== globalThis.realSetTimeout)
  throw new Error("a test file before this one, in the same process, has left another setTimeout behind");

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
