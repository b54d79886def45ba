import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { build } from "rolldown";
import type { TestProject } from "vitest/node";

import config from "../rolldown.config.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The command line, bundled from the present sources. */
    cliBundle: string;
  }
}

/**
 * Bundles the command line before its tests, as `npm run build` does: to load its modules one by one, with their
 * types, takes a process five times as long as all else that it does to start.
 *
 * The bundle is made anew at every run of the tests, in a folder of that run, so that it cannot be older than the
 * sources. The folder is at the depth of `dist/bundle`, from which the bundle finds the project's files.
 */
export default async function bundleCommandLine(project: TestProject): Promise<() => void> {
  mkdirSync("node_modules", { recursive: true });
  const dir = mkdtempSync(join(project.config.root, "node_modules", ".croft-"));
  const bundle = async (): Promise<void> => {
    await build({ ...config, logLevel: "silent", output: { format: "esm", sourcemap: true, dir } });
  };
  await bundle();
  project.onTestsRerun(bundle);
  const croft = join(dir, "croft.js");
  // For scripts, with this on their path. Made before any test starts a process, which might have it open meanwhile.
  mkdirSync(join(dir, "bin"));
  writeFileSync(join(dir, "bin/croft"), `#!/bin/sh\nexec '${process.execPath}' '${croft}' "$@"\n`, {
    mode: 0o755,
  });
  project.provide("cliBundle", croft);
  return () => rmSync(dir, { recursive: true, force: true });
}
