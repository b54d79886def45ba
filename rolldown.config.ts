import { defineConfig } from "rolldown";

import { externalPackages } from "./scripts/external-packages.ts";
import { thirdPartyLicenses } from "./scripts/third-party-licenses.ts";

/**
 * Puts the command line and its worker threads into a few files: to find and read
 * some 660 modules one by one takes Node.js three times as long as all else it
 * does to start (docs/performance.md).
 *
 * A worker, and what workers load, lies beside the file that names it, under the name that its source has.
 */
export default defineConfig({
  input: {
    croft: "src/cli/main.ts",
    "run-worker": "src/simulation/parallel/run-worker.ts",
    register: "src/research/register.ts",
    "trace-worker": "src/research/study/online/trace-worker.ts",
    "reader-thread": "src/live/reader/reader-thread.ts",
    "forecast-thread": "src/live/forecasting/forecast-thread.ts",
  },
  platform: "node",
  external: [...externalPackages],
  // Modules of ours do nothing when they are loaded. So a command loads of `workload/index.ts` what it uses, and not all
  // readers of logs: 0.2 MB for `croft jobs` in place of 1.5 MB.
  treeshake: { moduleSideEffects: (id) => id.includes("node_modules") || id.endsWith("/src/cli/main.ts") },
  plugins: [thirdPartyLicenses(externalPackages)],
  output: { dir: "dist/bundle", format: "esm", sourcemap: true, cleanDir: true },
});
