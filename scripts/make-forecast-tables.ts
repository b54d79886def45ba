import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { ForecastResult } from "../src/research/study/index.ts";
import { writeFileAtomically } from "../src/workload/index.ts";
import { forecastParts, scoresTable, tenthsTable, withTable, type ForecastPart } from "./forecast-tables.ts";

/**
 * Writes the tables of docs/forecasts.md. The logs are in one folder, under the names that `forecast-tables.ts` has. What
 * has results is not run again: to redo a log, delete its file. All of them take an hour or so, and logs that are not
 * there are left out.
 *
 * node scripts/make-forecast-tables.ts LOGS RESULTS
 */
const [logs, results] = process.argv.slice(2);
if (logs === undefined || results === undefined) {
  process.stderr.write("usage: node scripts/make-forecast-tables.ts LOGS RESULTS\n");
  process.exit(2);
}

const main = fileURLToPath(new URL("../src/cli/main.ts", import.meta.url));
const fileOf = ({ name }: ForecastPart): string => join(results, `${name}.json`);

function croft(options: readonly string[]): string {
  process.stderr.write(`croft ${options.join(" ")}\n`);
  const { status, stdout } = spawnSync(process.execPath, [main, ...options], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) process.exit(1);
  return stdout;
}

mkdirSync(results, { recursive: true });
const measured: [ForecastPart, ForecastResult][] = [];
for (const part of forecastParts) {
  const options = part.arguments.map((each) =>
    each.replace(/^LOGS/, () => logs).replace(/^RESULTS/, () => results),
  );
  if (!existsSync(fileOf(part))) {
    if (part.name === "owners") {
      const [csv, , farm] = options;
      const made = ["--jobs", "12000", "--seed", "4", "--out", csv, "--farm-out", farm];
      croft(["workload", "generate", "netbatch-week-suspended", ...made]);
    }
    if (!existsSync(options[0])) {
      process.stderr.write(`${options[0]} is not there: ${part.name} is left out\n`);
      continue;
    }
    const counts = ["--moments", String(part.moments), "--members", String(part.members)];
    const asked = [...options, "--policy", "easy", ...counts, "--seed", "1", "--quiet", "--json"];
    await writeFileAtomically(fileOf(part), [croft(["study", "forecast", ...asked])]);
  }
  measured.push([part, JSON.parse(readFileSync(fileOf(part), "utf8")) as ForecastResult]);
}

const path = fileURLToPath(new URL("../docs/forecasts.md", import.meta.url));
const page = withTable(readFileSync(path, "utf8"), "scores", scoresTable(measured));
await writeFileAtomically(path, [withTable(page, "tenths", tenthsTable(measured))]);
