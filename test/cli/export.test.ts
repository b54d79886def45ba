import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { croftIn, temporaryFolder } from "./croft.fixture.ts";

describe("croft export", () => {
  const above = temporaryFolder();

  it("writes a folder, says what is in it, and writes it again", async () => {
    const cwd = mkdtempSync(join(above, "cwd-"));
    const croft = croftIn(cwd);
    const args = [
      "export",
      "slurm",
      "--policy",
      "exclusive",
      "--family",
      "queue=ams",
      "--family",
      "user=ann",
    ];
    const first = await croft(args, "--ttl", "1h", "--out", "site");
    expect(first).toMatchObject({ status: 0, stderr: "" });
    expect(first.stdout).toContain("job_submit.lua");
    expect(readFileSync(join(cwd, "site", "croft-packing.conf"), "utf8")).toContain("ttl_seconds=3600");

    // Scripts count in whole seconds.
    expect((await croft(args, "--ttl", "1.1h", "--out", "site")).status).toBe(0);
    expect(readFileSync(join(cwd, "site", "croft-packing.conf"), "utf8")).toMatch(/ttl_seconds=3960$/m);
    const odd = await croft(args, "--ttl", "90.5", "--out", "site");
    expect(odd).toMatchObject({
      status: 2,
      stderr: "croft: a TTL of 90.5 s cannot be exported: give whole seconds\n",
    });

    const second = await croft(args, "--ttl", "0", "--out", "site");
    expect(second.status).toBe(0);
    expect(second.stderr).toContain("TTL of 0 is relaxed");
    expect(readFileSync(join(cwd, "site", "croft-packing.conf"), "utf8")).toContain("policy=relaxed");
  });

  it("writes a scheduling policy for every system that takes one", async () => {
    const cwd = mkdtempSync(join(above, "cwd-"));
    const croft = croftIn(cwd);
    const written = await Promise.all(
      ["slurm", "lsf", "pbs", "grid-engine", "kubernetes"].map((system) =>
        croft("export", system, "--policy", "easy/best-fit-cores", "--fair-share", "--out", system),
      ),
    );
    for (const { status, stdout } of written) {
      expect(status).toBe(0);
      expect(stdout).toContain("README.md has the steps.");
    }
    expect(readFileSync(join(cwd, "slurm", "slurm.conf.croft"), "utf8")).toContain(
      "bf_job_part_count_reserve=1",
    );
    expect(readFileSync(join(cwd, "pbs", "qmgr.croft"), "utf8")).toContain("backfill_depth = 1");
  });

  it("takes values from a log, writes only what a site does not have, and goes back", async () => {
    const cwd = mkdtempSync(join(above, "cwd-"));
    const croft = croftIn(cwd);
    writeFileSync(join(cwd, "slurm.conf"), "ClusterName=a\nSchedulerParameters=defer,bf_window=2880\n");
    writeFileSync(
      join(cwd, "jobs.csv"),
      "submit,start,runtime,cores,estimate\n0,0,60,1,864000\n10,60,60,1,600\n",
    );
    const args = ["export", "slurm", "--policy", "easy", "--log", "jobs.csv", "--out", "site"];
    expect((await croft(args, "--against", "slurm.conf")).status).toBe(0);
    const read = (name: string): string => readFileSync(join(cwd, "site", name), "utf8");
    expect(read("slurm.conf.croft")).toMatch(
      /^SchedulerParameters=defer,bf_window=14400,bf_job_part_count_reserve=1,bf_resolution=120,bf_continue$/m,
    );
    expect(read("slurm.conf.back")).toMatch(/^SchedulerParameters=defer,bf_window=2880$/m);
    expect(read("README.md")).toContain("croft compare BEFORE AFTER");

    writeFileSync(join(cwd, "qmgr"), "set server backfill_depth = 1\n");
    expect(await croft(args, "--against", "qmgr")).toMatchObject({
      status: 2,
      stderr:
        "croft: qmgr: is no file of Slurm that is known here: give slurm.conf, or what scontrol show config prints\n",
    });
  });

  it("says of a plugin's policy why it cannot be exported, and exports one that it only places by", async () => {
    const cwd = mkdtempSync(join(above, "cwd-"));
    writeFileSync(
      join(cwd, "own.ts"),
      `export default {
        heuristics: [{ name: "own-order", summary: "", needsMemory: false, keepsChoice: false, score: () => 0 }],
        policies: [{ name: "own-rule", summary: "", needsEstimates: false, needsMemory: false, takesHeuristic: false, reactsToEvents: false, create: () => ({}) }],
      };\n`,
    );
    const args = ["export", "slurm", "--plugin", "own.ts", "--out", "site", "--policy"];
    const own = await croftIn(cwd)(args, "own-rule");
    expect(own.status).toBe(2);
    expect(own.stderr).toMatch(/own-rule is a plugin's: .* no batch system runs that/);
    expect((await croftIn(cwd)(args, "easy/own-order")).status).toBe(0);
    expect(readFileSync(join(cwd, "site", "README.md"), "utf8")).toContain(
      "does not choose nodes by own-order",
    );
  });

  it("says what was never tried", async () => {
    const cwd = mkdtempSync(join(above, "cwd-"));
    const args = ["export", "htcondor", "--policy", "relaxed", "--family", "queue=ams", "--out", "site"];
    expect((await croftIn(cwd)(args)).stdout).toContain("Tried nothing");
  });

  it("understands what else a batch system is called", async () => {
    const cwd = mkdtempSync(join(above, "cwd-"));
    const args = ["--policy", "none", "--family", "queue=ams"];
    for (const [other, name] of [
      ["gridengine", "grid-engine"],
      ["condor", "htcondor"],
    ] as const) {
      const { status } = await croftIn(cwd)("export", other, ...args, "--out", name);
      expect(status).toBe(0);
      const written = JSON.parse(readFileSync(join(cwd, name, "croft-export.json"), "utf8")) as unknown;
      expect(written).toMatchObject({ croftExport: name });
    }
  });

  it.each([
    [["lsf", "--policy", "exclusive", "--family", "queue=$(touch evil)"], "cannot be used"],
    [["lsf", "--policy", "exclusive", "--family", "ams"], "KIND=NAME"],
    [["lsf", "--policy", "exclusive"], "--family"],
    [["lsf", "--policy", "tight", "--family", "queue=ams"], "relaxed, exclusive, none"],
    [["pbs", "--policy", "relaxed", "--family", "queue=ams"], "lsf, slurm, htcondor, grid-engine"],
    [["sge", "--policy", "relaxed", "--family", "queue=ams"], "pbs"],
    [["htcondor", "--policy", "easy"], "slurm, lsf, pbs, grid-engine, kubernetes"],
    [["slurm", "--policy", "easy", "--ttl", "60"], "are for packing policies"],
    [["slurm", "--policy", "esay"], "did you mean easy"],
    [["slurm", "--policy", "my-easy"], "; one of your own needs --plugin FILE"],
    [["htcondor", "--policy", "exclusive", "--family", "queue=ams", "--ttl", "60"], "no means to free"],
    [["kubernetes", "--policy", "relaxed", "--family", "user=ann"], "does not tell jobs apart by user"],
  ])("refuses %j", async (args, message) => {
    const cwd = mkdtempSync(join(above, "cwd-"));
    const { status, stdout, stderr } = await croftIn(cwd)("export", args, "--out", "site");
    expect(status).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(message);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it("leaves a folder alone that holds anything else", async () => {
    const cwd = mkdtempSync(join(above, "cwd-"));
    writeFileSync(join(cwd, "mine"), "");
    const { status, stderr } = await croftIn(cwd)(
      ["export", "lsf", "--policy", "none", "--family", "queue=ams"],
      ["--out", "."],
    );
    expect(status).toBe(2);
    expect(stderr).toContain("no earlier export");
    expect(readdirSync(cwd)).toEqual(["mine"]);
  });
});
