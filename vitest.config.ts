import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests that start the command line as a process. */
const processes = ["test/cli/**/*.test.ts", "test/live/**/*.test.ts"];

/** Tests of real engines, which mostly wait for what a cluster's own timers do. */
const isWaiting = ({ moduleId }: TestSpecification): boolean => /slurm|live\/engines\/local/.test(moduleId);

class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isWaiting), ...sorted.filter((file) => !isWaiting(file))];
  }
}

const sourceOf = (file: string): string => fileURLToPath(new URL(`./src/${file}`, import.meta.url));

export default defineConfig({
  resolve: {
    // What the examples import, as it is and not as it was last built.
    alias: [
      { find: /^croft$/, replacement: sourceOf("index.ts") },
      { find: /^croft\/core$/, replacement: sourceOf("core/index.ts") },
      { find: /^croft\/research$/, replacement: sourceOf("research/index.ts") },
    ],
  },
  test: {
    setupFiles: "test/time-limit.setup.ts",
    // Only ends what hangs: no test is to be judged by its time, also on a machine that is busy.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Node.js takes the types out of the sources with WebAssembly, in each worker thread that is started from them. When
    // V8 in Node.js 24 compiles the calls out of that anew (`Runtime_TierUpWasmToJSWrapper`) it may free code that
    // another thread has freed, and the process ends: `Check failed: jit_page.has_value()`. Here it never does so.
    execArgv: process.versions.node.startsWith("24.") ? ["--wasm-wrapper-tiering-budget=2147483647"] : [],
    // The tests that wait are begun first, and leave the cores to the others.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: WaitingFirst },
    // A worker keeps the modules that it has loaded for its next file: to load them anew takes a second a file.
    isolate: false,
    projects: [
      {
        extends: true,
        test: { name: "processes", include: processes, globalSetup: "test/cli-bundle.setup.ts" },
      },
      {
        extends: true,
        test: {
          name: "functions",
          include: ["src/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...processes],
        },
      },
    ],
  },
});
