import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { dirname, join } from "node:path";

import { expect, inject, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const needs = ["useradd", "setpriv", "gpasswd"];
const can =
  process.getuid?.() === 0 &&
  spawnSync("sh", ["-c", `command -v ${needs.join(" && command -v ")}`]).status === 0;

it.skipIf(!can)(
  `the shipped unit serves all users of a machine${can ? "" : " (needs root, useradd and setpriv)"}`,
  () => {
    const program = inject("cliBundle");
    // Users of the machine run it.
    chmodSync(dirname(program), 0o755);
    const { status, stdout, stderr } = spawnSync("bash", [join(root, "scripts/try-installed.sh")], {
      encoding: "utf8",
      env: { ...process.env, CROFT_PROGRAM: program },
    });
    expect(stderr).toBe("");
    expect(stdout).toMatch(/installed for all: it works\n$/);
    expect(status).toBe(0);
  },
);
