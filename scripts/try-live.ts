/**
 * Tries what a live farm has to survive: `node scripts/try-live.ts TRIAL [--count N] [--seed N] [--as-user]`, after
 * `npm run build`. Without a name it lists the trials; `short` tries what `.ci/run` does. Each first shows that it finds faults that are planted
 * (`--plant NAME`: only that one; `--plant none`: without), then prints what it counted; exits with 1 where anything was
 * lost, ran twice, or came out otherwise than it must.
 *
 * `--as-user`: as an ordinary user who is made for it, without cgroups, from the package as it would be installed.
 */
import { existsSync } from "node:fs";
import { loadavg } from "node:os";
import { parseArgs } from "node:util";

import { runAsUser } from "./live/as-user.ts";
import { trials } from "./live/registry.ts";
import { croft, type Trial } from "./live/trial.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string" },
    seed: { type: "string", default: "0" },
    plant: { type: "string" },
    "as-user": { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const { plant, seed, count, "as-user": isAsUser } = values;
const [wanted] = values.help ? [] : positionals;
const chosen = trials.filter(
  ({ name, short }) => name === wanted || (wanted === "short" && short !== undefined),
);
if (chosen.length === 0) {
  for (const { name, summary, unit, usual, plants } of trials)
    console.log(
      `${name.padEnd(13)} ${summary} (--count: ${unit}, ${usual}; --plant: ${plants.names.join(", ")})`,
    );
  process.exitCode = wanted === undefined ? 0 : 2;
} else if (!existsSync(croft)) throw new Error("run npm run build first");
else if (isAsUser)
  process.exitCode = await runAsUser(process.argv.slice(2).filter((each) => each !== "--as-user"));
else
  for (const trial of chosen) {
    if (plant !== undefined && plant !== "none" && !trial.plants.names.includes(plant))
      throw new Error(`${trial.name} has no fault ${plant}: ${trial.plants.names.join(", ")}`);
    if (await tried(trial)) continue;
    // Not the next one: what this one has printed stays the last, and is what is read.
    process.exitCode = 1;
    break;
  }

async function tried({ name, usual, short, plants, run }: Trial): Promise<boolean> {
  const begun = performance.now();
  const first = plant === undefined ? plants.names : plant === "none" ? [] : [plant];
  const missed: string[] = [];
  for (const each of first) {
    console.log(`-- a planted fault: ${each}`);
    const isFound = !(await run(plants.count, Number(seed), each));
    console.log(`-- ${each}: ${isFound ? "found" : "NOT FOUND"}\n`);
    if (!isFound) missed.push(each);
  }
  const isOnlyPlant = first.length > 0 && plant !== undefined;
  const isGood =
    isOnlyPlant || (await run(Number(count ?? (wanted === "short" ? short : usual)), Number(seed), null));
  const minutes = (performance.now() - begun) / 60_000;
  const load = loadavg()
    .map((each) => each.toFixed(1))
    .join(" ");
  if (missed.length > 0) console.log(`planted and not found: ${missed.join(", ")}`);
  console.log(
    `${name}: ${isGood && missed.length === 0 ? "passed" : "FAILED"} in ${minutes.toFixed(1)} minutes; load ${load}`,
  );
  return isGood && missed.length === 0;
}
