import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";

import { describe, expect, it } from "vitest";

import type { ExportRequest } from "../exporter.ts";
import { parseExportedFamilies } from "../exported-family.ts";
import { run, temporaryFolders } from "../tools.fixture.ts";
import { gridEngine } from "./grid-engine.ts";

const folderOf = temporaryFolders();

function exported(
  policy: ExportRequest["policy"],
  families: readonly string[],
  ttlSeconds: number | null = null,
) {
  return folderOf(gridEngine.files({ policy, families: parseExportedFamilies(families), ttlSeconds }));
}

/** What the JSV answers to a job, as qmaster speaks to it. */
function verify(folder: string, job: Record<string, string>): string[] {
  const parameters = Object.entries(job).map(([name, value]) => `PARAM ${name} ${value}\n`);
  const input = `START\n${parameters.join("")}BEGIN\nQUIT\n`;
  const [started, ...answers] = run(join(folder, "jsv.croft"), [], { input }).trim().split("\n");
  expect(started).toBe("STARTED");
  return answers;
}

describe("the JSV", () => {
  const exclusive = exported("exclusive", ["queue=ams", "project=chip"]);

  it("adds to what the job asks for", () => {
    expect(verify(exclusive, { USER: "ann", q_hard: "ams@host1,ams", l_hard: "h_vmem=1G" })).toEqual([
      "ENV ADD CROFT_FAMILY queue_ams",
      "PARAM l_hard h_vmem=1G,pkheld=free|queue_ams",
      "PARAM l_soft pk_queue_ams=TRUE",
      "RESULT STATE CORRECT",
    ]);
    expect(verify(exclusive, { USER: "ann", P: "chip", l_soft: "fast=1" })).toEqual([
      "ENV ADD CROFT_FAMILY project_chip",
      "PARAM l_hard pkheld=free|project_chip",
      "PARAM l_soft fast=1,pk_project_chip=TRUE",
      "RESULT STATE CORRECT",
    ]);
    const others = ["ENV ADD CROFT_FAMILY none", "PARAM l_hard pkheld=free", "RESULT STATE CORRECT"];
    expect(verify(exclusive, {})).toEqual(others);
    expect(verify(exclusive, { q_hard: "ams,long" })).toEqual(others);
    expect(verify(exclusive, { q_hard: "*" })).toEqual(others);
  });

  it("prefers hosts with, or without, and keeps nobody off", () => {
    expect(verify(exported("relaxed", ["user=ann"]), { USER: "ann" })).toContain(
      "PARAM l_soft pk_user_ann=TRUE",
    );
    expect(verify(exported("none", ["group=hep"]), { GROUP: "hep" })).toContain(
      "PARAM l_soft pk_group_hep=FALSE",
    );
    expect(verify(exported("none", ["group=hep"]), {})).toEqual([
      "ENV ADD CROFT_FAMILY none",
      "RESULT STATE CORRECT",
    ]);
  });

  it("lets nobody ask for a reserved host, and evaluates nothing", () => {
    expect(verify(exclusive, { l_hard: "mem=1,pkheld=queue_ams" })[0]).toMatch(/^RESULT STATE REJECT /);
    const trap = join(folderOf([]), "evaluated");
    const attack = `$(touch ${trap}) \`touch ${trap}\` a[$(touch ${trap})]`;
    verify(exclusive, {
      [`x[$(touch\${IFS}${trap})]`]: "1",
      P: attack,
      q_hard: attack,
      l_hard: attack,
      USER: attack,
    });
    expect(existsSync(trap)).toBe(false);
  });
});

describe("the load sensor", () => {
  function report(folder: string, spool: string): string[] {
    const text = run(join(folder, "load-sensor.croft"), [], {
      input: "\nquit\n",
      env: { CROFT_EXECD_SPOOL: spool },
    });
    const [begin, ...values] = text.trim().split("\n");
    expect([begin, values.pop()]).toEqual(["begin", "end"]);
    return values.map((value) => value.replace(new RegExp(`^${hostname()}:`), ""));
  }

  it("counts jobs by what the JSV wrote, once each", () => {
    const spool = folderOf([]);
    const trap = join(spool, "evaluated");
    const now = Date.now() / 1000;
    const jobs: readonly [string, string][] = [
      ["1.1", "queue_ams"],
      ["2.1", "none"],
      ["2.1/1.host", "none"],
      ["3.1/1.host", "queue_ams"],
      ["4.1", `x[$(touch ${trap})]`],
    ];
    for (const [job, family] of jobs) {
      const path = join(spool, "active_jobs", job, "environment");
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `HOME=/home/x\nCROFT_FAMILY=${family}\nA=1\n`);
      utimesSync(path, now - 100, now - 100);
    }
    const both = ["queue=cms", "queue=ams"];
    const counts = ["pk_queue_cms:FALSE", "pk_queue_ams:TRUE", "pkyes:2", "pknone:2"];
    expect(report(exported("relaxed", both), spool)).toEqual(counts);
    expect(report(exported("exclusive", both), spool)).toEqual([...counts, "pkheld:queue_ams"]);
    expect(report(exported("exclusive", both, 3600), spool)).toEqual([...counts, "pkheld:queue_ams"]);
    expect(report(exported("exclusive", both, 50), spool)).toEqual([...counts, "pkheld:free"]);
    expect(existsSync(trap)).toBe(false);
  });

  it("reports a host without jobs", () => {
    expect(report(exported("exclusive", ["queue=ams"]), folderOf([]))).toEqual([
      "pk_queue_ams:FALSE",
      "pkyes:0",
      "pknone:0",
      "pkheld:free",
    ]);
  });
});
