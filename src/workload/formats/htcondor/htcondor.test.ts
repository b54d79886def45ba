import { describe, expect, it } from "vitest";

import { inputErrorOf, textSource } from "../../input/text.fixture.ts";
import { jobsOf, notesOf, readLinesAs, without } from "../jobs.fixture.ts";
import type { Job } from "../jobs.fixture.ts";
import { readWorkload } from "../registry.ts";
import { htcondor } from "./class-ads.ts";
import { htcondorJson } from "./history-json.ts";

/** 1 March 2026, 08:00 UTC. */
const EIGHT = Date.UTC(2026, 2, 1, 8) / 1000;

/** An expression, which ClassAds have in place of any value. */
class Expression {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Ad = Readonly<Record<string, number | string | boolean | Expression | undefined>>;

function ad(fields: Ad = {}): Ad {
  return {
    ClusterId: 100,
    ProcId: 3,
    Owner: "ann",
    User: "ann@site.org",
    AccountingGroup: "physics.theory.ann",
    Args: 'say "hi" \\ there',
    Cmd: "/home/ann/run",
    QDate: EIGHT,
    JobStartDate: EIGHT + 600,
    JobCurrentStartDate: EIGHT + 600,
    CompletionDate: EIGHT + 4200,
    EnteredCurrentStatus: EIGHT + 4201,
    JobStatus: 4,
    LastJobStatus: 2,
    NumJobStarts: 1,
    RemoteWallClockTime: 3600,
    RequestCpus: 4,
    RequestMemory: 2048,
    RequestDisk: new Expression("DiskUsage"),
    JobUniverse: 5,
    LastRemoteHost: "slot1_2@node7.site.org",
    Rank: 0.5,
    OnExitRemove: true,
    ...fields,
  };
}

/** The ad as condor_history -long writes it, and the history file. */
function long(fields: Ad): string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (value instanceof Expression) return [`${name} = ${value.text}`];
    const text = typeof value === "string" ? `"${value.replace(/["\\]/g, "\\$&")}"` : String(value);
    return [`${name} = ${text}`];
  });
}

function json(fields: Ad): unknown {
  const values = Object.entries(fields).map(([name, value]) => [
    name,
    value instanceof Expression ? `/Expr(${value.text})/` : value,
  ]);
  return Object.fromEntries(values);
}

const usual: Job = {
  submitSeconds: EIGHT,
  recordedWaitSeconds: 600,
  runtimeSeconds: 3600,
  coresMilli: 4000,
  memoryMiB: 2048,
  jobNumber: 100,
  arrayIndex: 3,
  user: "ann",
  project: "physics.theory",
  state: "Completed",
  nodes: "node7.site.org",
};

const readJson = (...ads: readonly Ad[]) =>
  htcondorJson.read(textSource("log", `${JSON.stringify(ads.map(json), null, 1)}\n`));

describe("HTCondor's history", () => {
  it("gives a job for each ad, as text, as the history file, as JSON and as lines of JSON", async () => {
    const other = ad({ ClusterId: 101, ProcId: 0 });
    const expected = [usual, { ...usual, jobNumber: 101, arrayIndex: 0 }];
    const banner = (id: number) =>
      `*** Offset = 0 ClusterId = ${id} ProcId = 0 Owner = "ann" CompletionDate = 1`;
    const logs = [
      [...long(ad()), "", ...long(other), "", ""],
      [...long(ad()), banner(100), ...long(other), banner(101), ""],
      [JSON.stringify([json(ad()), json(other)], null, 2), ""],
      [JSON.stringify(json(ad())), JSON.stringify(json(other)), ""],
    ];
    for (const lines of logs) {
      const workload = await readWorkload(textSource("history", ...lines));
      expect(jobsOf(workload)).toEqual(expected);
      expect(workload.notes).toEqual([]);
    }
  });

  it.each([
    ["GPUs", { RequestGPUs: 2 }, { gpuMilli: 2000 }],
    [
      "an accounting group of its own",
      { AcctGroup: "chem", AccountingGroup: "chem.x.ann" },
      { project: "chem" },
    ],
    [
      "what was provisioned where an expression asks",
      {
        RequestMemory: new Expression("ImageSize / 1024"),
        MemoryProvisioned: 512,
        RequestCpus: new Expression("2 + 2"),
        CpusProvisioned: 8,
      },
      { memoryMiB: 512, coresMilli: 8000 },
    ],
    ["a limit", { AllowedJobDuration: 7200 }, { estimateSeconds: 7200 }],
    ["a limit in minutes", { MaxWallTimeMins: 60 }, { estimateSeconds: 3600 }],
    [
      "a parallel job",
      { JobUniverse: 11, CurrentHosts: 2, AllRemoteHosts: "slot1@a,slot1@b" },
      { tasks: 2, nodes: "a,b" },
    ],
    [
      "a job that was removed while it ran",
      { JobStatus: 3, CompletionDate: 0 },
      { state: "Removed", runtimeSeconds: 3601 },
    ],
    [
      "a job that was removed after it ran",
      {
        JobStatus: 3,
        CompletionDate: 0,
        LastJobStatus: 5,
        EnteredCurrentStatus: EIGHT + 90_000,
        RemoteWallClockTime: 60,
      },
      { state: "Removed", runtimeSeconds: 60 },
    ],
    [
      "few attributes",
      { JobStatus: undefined, LastJobStatus: undefined, JobUniverse: undefined, JobStartDate: undefined },
      { state: undefined },
    ],
  ] as const)("reads %s", async (_what, fields, expected) => {
    const job = Object.entries({ ...usual, ...expected }).filter(([, value]) => value !== undefined);
    const wanted = [Object.fromEntries(job)];
    expect(jobsOf(await readLinesAs(htcondor, long(ad(fields))))).toEqual(wanted);
    expect(jobsOf(await readJson(ad(fields)))).toEqual(wanted);
  });

  it("counts amounts that are neither numbers nor undefined, with an example", async () => {
    const fields = ad({
      RequestMemory: "4 GB",
      MemoryProvisioned: new Expression("undefined"),
      RequestGPUs: new Expression("2 + 2"),
      AllowedJobDuration: new Expression("3600 * 2"),
      CpusProvisioned: new Expression("Cpus"),
    });
    for (const workload of [await readLinesAs(htcondor, long(fields)), await readJson(fields)]) {
      expect(jobsOf(workload)).toEqual([without(usual, "memoryMiB")]);
      expect(workload.notes.map(({ what, count, example }) => [what, count, example])).toEqual([
        ["counted as unknown: memory that cannot be read", 1, "4 GB"],
        ["counted as none: GPUs that cannot be read", 1, "2 + 2"],
        ["counted as unknown: a limit that cannot be read", 1, "3600 * 2"],
      ]);
    }
  });

  it.each([
    ["memory", { RequestMemory: new Expression("ImageSize") }, "memoryMiB"],
    ["a group", { AccountingGroup: "ann" }, "project"],
    ["where it ran", { LastRemoteHost: undefined }, "nodes"],
  ] as const)("does not make up %s", async (_what, fields, column) => {
    expect(jobsOf(await readJson(ad(fields)))).toEqual([without(usual, column)]);
  });

  it("has jobs started again, jobs that never ran, and those of other universes", async () => {
    const workload = await readJson(
      ad({ JobStartDate: EIGHT + 60, NumJobStarts: 2 }),
      ad({
        ClusterId: 101,
        JobStatus: 3,
        JobStartDate: undefined,
        JobCurrentStartDate: undefined,
        CompletionDate: 0,
      }),
      ad({ ClusterId: 102, JobUniverse: 7 }),
      ad({ ClusterId: 103, JobStatus: 3, LastJobStatus: 1, NumJobStarts: 2 }),
      ad({ ClusterId: 104, JobStatus: 2, CompletionDate: 0 }),
    );
    expect(jobsOf(workload)).toEqual([usual]);
    expect(notesOf(workload)).toEqual([
      "kept: the last of its runs, which waits from the submission: 1",
      "dropped: it never started: 1",
      "left out: jobs of the scheduler, local and grid universe, which the pool does not run: 1",
      "dropped: it was removed while it waited again, and when its last run ended is not told: 1",
      "dropped: it had not ended when the log was made: 1",
    ]);
  });

  it("has odd ads dropped and counted", async () => {
    const lines = [
      ...long(ad({ ClusterId: undefined })),
      "",
      ...long(ad()).slice(0, 5),
      "no attribute",
      ...long(ad()).slice(5),
      "",
      ...long(ad()),
      ...long(ad()),
      "",
      ...long(ad({ QDate: undefined })),
      "",
      ...long(ad({ CompletionDate: EIGHT })),
      "",
      ...long(ad()),
    ];
    const workload = await readLinesAs(htcondor, lines);
    expect(jobsOf(workload)).toEqual([usual]);
    expect(notesOf(workload)).toEqual([
      "dropped: no ClusterId: 1",
      "dropped: an ad with a line that is no attribute, or two in one: 2",
      "dropped: no time of submission: 1",
      "dropped: it ended before it started: 1",
    ]);
    const error = await inputErrorOf(() => readLinesAs(htcondor, lines, { strict: true }));
    expect(error.message).toBe("log:1: no ClusterId");
  });
});
