import { defineConfig } from "rolldown";

/**
 * Puts the command line and its worker threads into a few files: to find and read
 * some 660 modules one by one takes Node.js three times as long as all else it
 * does to start (docs/performance.md).
 *
 * A worker lies beside the file that starts it, under the name that its source has.
 */
export default defineConfig({
  input: {
    croft: "src/cli/main.ts",
    "run-worker": "src/simulation/parallel/run-worker.ts",
    "trace-worker": "src/study/online/trace-worker.ts",
  },
  platform: "node",
  // HiGHS finds its WebAssembly beside itself. What only a service needs is loaded from its packages, which load
  // parts of themselves by name.
  external: ["highs", "fastify", "@fastify/swagger", "pino", "prom-client", "ajv"],
  output: { dir: "dist/bundle", format: "esm", sourcemap: true, cleanDir: true },
});
