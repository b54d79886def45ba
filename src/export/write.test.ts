import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { writeExport } from "./write.ts";

const script = { name: "script", text: "#!/bin/sh\n", isExecutable: true };
const settings = { name: "settings", text: "x\n", isExecutable: false };

describe("the folder of an export", () => {
  let above: string;
  let folder: string;
  beforeEach(() => {
    above = mkdtempSync(join(tmpdir(), "croft-export-"));
    folder = join(above, "a", "b");
  });
  afterEach(() => rmSync(above, { recursive: true, force: true }));

  it("is made, with programs that can be run", async () => {
    await writeExport(folder, "slurm", [script, settings]);
    expect(readdirSync(folder).sort()).toEqual(["croft-export.json", "script", "settings"]);
    expect(statSync(join(folder, "script")).mode & 0o777).toBe(0o755);
    expect(statSync(join(folder, "settings")).mode & 0o777).toBe(0o644);
  });

  it("is brought up to date where it holds an earlier export, and what others put there stays", async () => {
    await writeExport(folder, "slurm", [script, settings]);
    writeFileSync(join(folder, "notes"), "mine");
    await writeExport(folder, "lsf", [{ ...settings, text: "y\n" }]);
    expect(readdirSync(folder).sort()).toEqual(["croft-export.json", "notes", "settings"]);
    expect(readFileSync(join(folder, "settings"), "utf8")).toBe("y\n");
  });

  it("is refused where it holds anything else", async () => {
    writeFileSync(join(above, "mine"), "");
    await expect(writeExport(above, "slurm", [script])).rejects.toThrow(/no earlier export/);
    expect(readdirSync(above)).toEqual(["mine"]);
    await expect(writeExport(join(above, "mine"), "slurm", [script])).rejects.toThrow(/no folder/);
    for (const text of ["{", "[]", "null", '{"croftExport":"slurm"}']) {
      writeFileSync(join(above, "croft-export.json"), text);
      await expect(writeExport(above, "slurm", [script])).rejects.toThrow(/no earlier export/);
    }
  });

  it("has nothing removed outside it, whatever the list of the earlier export says", async () => {
    await writeExport(folder, "slurm", [script]);
    writeFileSync(join(above, "mine"), "");
    const list = { croftExport: "slurm", files: ["../../mine", join(above, "mine"), 7] };
    writeFileSync(join(folder, "croft-export.json"), JSON.stringify(list));
    await writeExport(folder, "slurm", [settings]);
    expect(readdirSync(above)).toContain("mine");
  });
});
