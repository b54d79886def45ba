/**
 * Croft's benchmarks: `node bench/main.ts [--quick] [--data DIR] [NAME…]`.
 *
 * Without a name all run. Every case runs in a process of its own, so that its
 * peak memory is its own, and on one core where `taskset` is there to see to
 * that, unless the benchmark is of several processes. `docs/performance.md` says what each one measures.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import type { Benchmark, Options, Row } from "./benchmark.ts";
import { benchmarks } from "./registry.ts";
import { headLine, rowLine } from "./table.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    data: { type: "string" },
    /** Measures one case in this process and sends the rows to the one that asked. */
    case: { type: "string" },
  },
});
const chosen = positionals.length === 0 ? benchmarks : positionals.map(benchmarkNamed);

if (values.case !== undefined && values.data !== undefined) {
  process.send!(await chosen[0].measure(values.case, { quick: values.quick, dataFolder: values.data }));
} else {
  const dataFolder = values.data ?? mkdtempSync(join(tmpdir(), "croft-bench-"));
  mkdirSync(dataFolder, { recursive: true });
  try {
    await runAll({ quick: values.quick, dataFolder });
  } finally {
    if (values.data === undefined) rmSync(dataFolder, { recursive: true });
  }
}

function benchmarkNamed(name: string): Benchmark {
  const benchmark = benchmarks.find((each) => each.name === name);
  if (benchmark !== undefined) return benchmark;
  console.error(`no benchmark "${name}": choose ${benchmarks.map((each) => each.name).join(", ")}`);
  process.exit(2);
}

async function runAll(options: Options): Promise<void> {
  for (const benchmark of chosen) {
    console.log(`\n${benchmark.name}: ${benchmark.summary}`);
    await benchmark.prepare?.(options);
    console.log(headLine());
    for (const name of benchmark.cases(options)) {
      for (const row of await measureApart(benchmark, name, options)) console.log(rowLine(row));
    }
  }
}

/** Measures one case in a process of its own. */
function measureApart(benchmark: Benchmark, name: string, options: Options): Promise<readonly Row[]> {
  const command = [
    ...(benchmark.onAllCores === true ? [] : onOneCore()),
    process.execPath,
    import.meta.filename,
    benchmark.name,
    `--case=${name}`,
    `--data=${options.dataFolder}`,
    ...(options.quick ? ["--quick"] : []),
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(command[0], command.slice(1), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    let rows: readonly Row[] | undefined;
    child.on("message", (message) => (rows = message as readonly Row[]));
    child.on("error", reject);
    child.on("close", (status, signal) => {
      if (rows !== undefined) resolve(rows);
      else reject(new Error(`${benchmark.name} ${name}: ended with ${signal ?? status} and no result`));
    });
  });
}

/** The words before a command that keep it on the last core, where such a tool is there. */
function onOneCore(): readonly string[] {
  const core = String(availableParallelism() - 1);
  const works = spawnSync("taskset", ["-c", core, process.execPath, "--version"]).status === 0;
  return works ? ["taskset", "-c", core] : [];
}
