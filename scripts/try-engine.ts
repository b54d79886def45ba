/**
 * Tries the engine on random farms under a driver with every fault: `node scripts/try-engine.ts --farms N --seed S
 * [--minutes M] [--steps N]`. The farms are those of the seeds S, S + 1, …, so runs side by side need seeds that are far
 * apart. A failure names its seed; `--farms 1 --seed THAT` repeats it.
 */
import { parseArgs } from "node:util";

import { anyEngine } from "../src/core/port/any-engine.fixture.ts";
import { FaultyDriver } from "../src/core/port/faulty-driver.fixture.ts";

const { values } = parseArgs({
  options: {
    farms: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    minutes: { type: "string", default: "Infinity" },
    steps: { type: "string", default: "200" },
  },
});
const [farms, seed, minutes, steps] = [values.farms, values.seed, values.minutes, values.steps].map(Number);
const end = Date.now() + minutes * 60_000;
const faults = new Map<string, number>();
let [done, events, decisions, failed] = [0, 0, 0, 0];

for (; done < farms && Date.now() < end; done++) {
  const number = seed + done;
  const engine = anyEngine(number);
  const driver = new FaultyDriver(engine, number);
  let violations: readonly string[];
  try {
    driver.run(steps);
    violations = driver.violations;
  } catch (error) {
    violations = [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  }
  events += driver.journal.length;
  decisions += driver.decisions;
  for (const [kind, count] of driver.faults) faults.set(kind, (faults.get(kind) ?? 0) + count);
  if (violations.length > 0) {
    failed++;
    console.log(`seed ${number}: ${engine.describe}\n  ${violations.slice(0, 3).join("\n  ")}`);
  }
  if ((done + 1) % 500 === 0) console.error(`${done + 1} farms, ${failed} failed`);
}

const rows = [...faults].sort(([a], [b]) => (a < b ? -1 : 1));
console.log("");
for (const [what, count] of [
  ["farms", done],
  ["events", events],
  ["decisions", decisions],
  ...rows,
  ["farms with violations", failed],
] as const)
  console.log(`${what.padEnd(28)}${count.toLocaleString("en").padStart(12)}`);
process.exitCode = failed > 0 ? 1 : 0;
