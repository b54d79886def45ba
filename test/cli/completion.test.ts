import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { beforeAll, describe, expect, it } from "vitest";

import { croftIn, finished, temporaryFolder } from "./croft.fixture.ts";

const folder = temporaryFolder();
const croft = croftIn(folder);
const shells = ["bash", "zsh", "fish"] as const;
const isThere = (shell: string): boolean => spawnSync(shell, ["-c", "exit 0"]).status === 0;

beforeAll(async () => {
  mkdirSync(join(folder, "reports"));
  writeFileSync(join(folder, "jobs.csv"), "");
  for (const shell of shells) {
    const { status, stdout, stderr } = await croft("completion", shell);
    expect([status, stderr]).toEqual([0, ""]);
    writeFileSync(join(folder, `croft.${shell}`), stdout);
  }
});

/** What bash offers for the last of these words. */
async function inBash(...words: readonly string[]): Promise<string[]> {
  const script = `source croft.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _croft; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const child = spawn("bash", ["-c", script, "bash", "croft", ...words], { cwd: folder });
  const { stdout, stderr } = await finished(child);
  expect(stderr).toBe("");
  return stdout.trim().split("\n").sort();
}

describe("croft completion", () => {
  it.each(shells.filter(isThere))("prints a script that %s can read", async (shell) => {
    const read = await finished(spawn(shell, ["-n", `croft.${shell}`], { cwd: folder }));
    expect(read).toMatchObject({ status: 0, stderr: "" });
  });

  it.each([
    [["simu"], ["simulate"]],
    [["study", "bu"], ["buckets"]],
    [
      ["simulate", "--format", "slurm"],
      ["slurm", "slurm-json"],
    ],
    [["simulate", "--format", "=", "sw"], ["swf"]],
    [["simulate", "--fair-share", "u"], ["usage"]],
    [
      ["export", "--fair-share-of", ""],
      ["cores", "dominant", "memory"],
    ],
    [
      ["simulate", "--policy", "easy"],
      ["easy", "easy++", "easy-sjbf"],
    ],
    [
      ["simulate", "jobs.csv", "--mac"],
      ["--machine-memory-unit", "--machines"],
    ],
    [["simulate", "--out", ""], ["reports"]],
    [["simulate", "jo"], ["jobs.csv"]],
    [["completion", "z"], ["zsh"]],
    [["help", "f"], ["fractional"]],
  ])("completes %j in bash", async (words, offered) => {
    expect(await inBash(...words)).toEqual(offered);
  });

  it.skipIf(!isThere("fish"))("completes in fish (needs fish)", async () => {
    const script =
      'source croft.fish; for line in $argv; complete -C "$line" | string replace -r "\\t.*" ""; echo .; end';
    const lines = [
      "croft simu",
      "croft study bu",
      "croft simulate --format slurm",
      "croft simulate jo",
      "croft simulate --preset=s",
    ];
    const child = spawn("fish", ["-c", script, "--", ...lines], { cwd: folder });
    const { stdout, stderr } = await finished(child);
    expect(stderr).toBe("");
    expect(stdout.split("\n.\n").map((each) => each.split("\n"))).toEqual([
      ["simulate"],
      ["buckets"],
      ["slurm", "slurm-json"],
      ["jobs.csv"],
      ["--preset=simba"],
      [""],
    ]);
  });

  it("asks for a shell that it knows", async () => {
    const { status, stderr } = await croft("completion", "tcsh");
    expect(status).toBe(2);
    expect(stderr).toMatch(/Allowed choices are bash, zsh, fish/);
  });
});
