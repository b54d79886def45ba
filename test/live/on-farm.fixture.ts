import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { inject } from "vitest";

import type { JobView } from "../../src/live/store/job-views.ts";
import { TestFarm } from "./farm.fixture.ts";

/** All files of a folder with their bytes. */
export function filesIn(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")]),
  );
}

/** Stands for croft on a farm's machines: a script that does something before it becomes it. */
export function croftIsAfter(folder: string, name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\nexec ${process.execPath} ${inject("cliBundle")} "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

/** A farm of this machine, which is still to serve. */
export function farmOf(limits = ""): TestFarm {
  return new TestFarm((data) => {
    writeFileSync(join(data, "farm.yaml"), `pools: [{ name: here }]\n${limits}`);
    return ["--farm", join(data, "farm.yaml"), "--allow-root"];
  });
}

export const jobsOf = (farm: TestFarm): Promise<JobView[]> => farm.client.get("/v1/jobs?limit=1000");
