import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { writeFileAtomically } from "../src/workload/index.ts";
import { claimsPage, claimsParts, isMadeBy, type ClaimsPart, type StoredClaim } from "./claims-page.ts";

/**
 * Writes docs/claims.md. Each study keeps its results in a folder; one that is there is not run again, so to redo a
 * part, delete its folder. All of them take about an hour.
 *
 * node scripts/make-claims.ts FOLDER [--only NAME,...] [--no-run]
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string" }, "no-run": { type: "boolean" } },
});
const [folder] = positionals;
if (folder === undefined) {
  process.stderr.write("usage: node scripts/make-claims.ts FOLDER [--only NAME,...] [--no-run]\n");
  process.exit(2);
}
const only = values.only?.split(",");
const strange = only?.filter((name) => !claimsParts.some((part) => part.name === name)) ?? [];
if (strange.length > 0) {
  const known = claimsParts.map(({ name }) => name).join(", ");
  process.stderr.write(`no part ${strange.join(", ")}: choose ${known}\n`);
  process.exit(2);
}

const croft = fileURLToPath(new URL("../src/cli/main.ts", import.meta.url));
const fileOf = ({ name }: ClaimsPart): string => join(folder, name, "results.json");

for (const part of claimsParts) {
  if (values["no-run"] === true || existsSync(fileOf(part)) || only?.includes(part.name) === false) continue;
  process.stderr.write(`croft study ${part.arguments.join(" ")}\n`);
  const { status } = spawnSync(
    process.execPath,
    [croft, "study", ...part.arguments, "--out", join(folder, part.name)],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  if (status !== 0) process.exit(1);
}

const page = claimsPage((part) => {
  if (!existsSync(fileOf(part))) return null;
  const { command, claims } = JSON.parse(readFileSync(fileOf(part), "utf8")) as {
    command: string;
    claims: StoredClaim[];
  };
  if (!isMadeBy(command, part)) {
    const expected = `croft study ${part.arguments.join(" ")}`;
    process.stderr.write(
      `${fileOf(part)} was made by "${command}", not by "${expected}": delete it, or run that\n`,
    );
    process.exit(1);
  }
  return claims;
});
await writeFileAtomically(fileURLToPath(new URL("../docs/claims.md", import.meta.url)), [page]);
