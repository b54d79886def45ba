/**
 * Tries what a live farm has to survive: `node scripts/try-live.ts TRIAL [--count N] [--seed N]`, after
 * `npm run build`. Without a name it lists the trials. Each prints what it counted; exits with 1 where anything was
 * lost, ran twice, or came out otherwise than it must.
 */
import { existsSync } from "node:fs";
import { loadavg } from "node:os";
import { parseArgs } from "node:util";

import { croft } from "./live/trial.ts";
import { trials } from "./live/registry.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: "string" }, seed: { type: "string", default: "0" } },
});
const trial = trials.find(({ name }) => name === positionals[0]);
if (trial === undefined) {
  for (const { name, summary, unit, usual } of trials)
    console.log(`${name.padEnd(12)} ${summary} (--count: ${unit}, ${usual})`);
  process.exitCode = positionals.length === 0 ? 0 : 2;
} else if (!existsSync(croft)) throw new Error("run npm run build first");
else {
  const begun = performance.now();
  const isGood = await trial.run(Number(values.count ?? trial.usual), Number(values.seed));
  const minutes = (performance.now() - begun) / 60_000;
  const load = loadavg()
    .map((each) => each.toFixed(1))
    .join(" ");
  console.log(`${isGood ? "passed" : "FAILED"} in ${minutes.toFixed(1)} minutes; load ${load}`);
  process.exitCode = isGood ? 0 : 1;
}
