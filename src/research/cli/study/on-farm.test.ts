import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";

import { parseFamily } from "../../../simulation/index.ts";
import { register } from "../../register.ts";
import { makeHere, type ListedStudy, type StudyRuns } from "../../study/index.ts";
import { listLoad, type LoadFlags } from "./load.ts";
import { farmOfStudy, makeStudyUnit, runIn, under, unitsOf, type StudyWork } from "./on-farm.ts";
import { listPacking, type PackingStudyFlags } from "./packing.ts";
import { listRescheduling, type ReschedulingFlags } from "./rescheduling.ts";

register();
const folder = mkdtempSync(join(tmpdir(), "croft-study-"));
afterAll(() => rmSync(folder, { recursive: true }));
const rows = Array.from({ length: 60 }, (_, i) => `${i * 20},${(i * 7919) % 900},500,1,1024,ams`);

function written(name: string, lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, [...lines, ""].join("\n"));
  return path;
}

const head = "submit,runtime,estimate,cores,memory,queue";
const log = written("log.csv", [head, ...rows]);
const farm = written("farm.yaml", [
  "pools: [{ name: a, machines: [2x4c8g] }, { name: b, machines: [2x2c8g] }]",
]);
const load: LoadFlags = { machines: "2x4c8g", policy: ["fcfs", "max-jobs"], beta: [1, 0.5] };

/** Without what the clock has measured. */
function untimed(run: unknown): unknown {
  const strip = (value: object): object => ({ ...value, simulationSeconds: 0, simulatedJobsPerSecond: 0 });
  const { result } = run as { readonly result?: object };
  return result === undefined ? strip(run as object) : { ...(run as object), result: strip(result) };
}

/** Makes the very first and the very last run by itself, from what a plan's text and other paths have of the work. */
async function expectAsHere<Flags extends object, Runs extends StudyRuns, Run>(
  work: StudyWork<Flags>,
  list: (work: StudyWork<Flags>) => Promise<ListedStudy<Runs, Run>>,
): Promise<void> {
  const { lists, make } = await list(work);
  const ends = [lists[0], lists.at(-1)!];
  const few = ends.map((each) => ({ ...each, settings: [each.settings[0], each.settings.at(-1)!] }));
  const here = await makeHere({ lists: few, make }, { threads: 1 });
  const units = lists.flatMap((each) => unitsOf(work, each));
  expect(new Set(units.map(({ hash }) => hash)).size).toBe(units.length);
  const sent = under("/.", JSON.parse(JSON.stringify(work)) as StudyWork<Flags>);
  for (const [unit, run] of [
    [units[0], here[0][0]],
    [units.at(-1)!, here[1][1]],
  ] as const) {
    const text = await makeStudyUnit(await list(sent), sent, unit);
    expect(untimed(runIn(text, unit.hash))).toEqual(untimed(run));
    expect(runIn(text, "another")).toBeNull();
    expect(runIn(text.slice(0, -20), unit.hash)).toBeNull();
  }
}

beforeEach(() => {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
});

it("makes each run of load by itself as all are made here", () =>
  expectAsHere({ study: "load", log, flags: load }, listLoad));

it("makes each run of packing by itself as all are made here", () => {
  const family = [parseFamily("queue=ams")];
  const flags: PackingStudyFlags = { machines: "4x4c", family, ttl: [60], warmup: 1, out: "out" };
  return expectAsHere({ study: "packing", log, flags }, listPacking);
});

it("makes each run of rescheduling by itself as all are made here", async () => {
  const weeks: ReschedulingFlags = { jobs: 1000, seeds: 2, year: false };
  await expectAsHere({ study: "rescheduling", flags: weeks }, listRescheduling);
  await expectAsHere({ study: "rescheduling", log, flags: { farm } }, listRescheduling);
});

it("finds no run of other jobs, other machines or another study", async () => {
  const unitOf = async (work: StudyWork<LoadFlags>): Promise<string> =>
    unitsOf(work, (await listLoad(work)).lists[0])[0].hash;
  const work = { study: "load", log, flags: load };
  const moved = written("moved.csv", [head, ...rows, "2000,1,1,1,1,ams"]);
  const others = [
    { ...work, log: moved },
    { ...work, flags: { ...load, machines: "2x4c9g" } },
    { ...work, flags: { ...load, overrun: "cap" as const } },
    { ...work, study: "packing" },
  ];
  const hashes = await Promise.all([work, ...others].map(unitOf));
  expect(new Set(hashes).size).toBe(5);
  const [unit] = unitsOf(work, (await listLoad(work)).lists[0]);
  await expect(makeStudyUnit(await listLoad(others[0]), others[0], unit)).rejects.toThrow(
    "is not what it was when the study was sent",
  );
});

it("refuses what a farm cannot make", () => {
  const work = (log: string, flags: object): StudyWork => ({ study: "load", log, flags });
  expect(() => farmOfStudy(work(log, { on: "/s" }))).toThrow("in the folder of --out");
  expect(() => farmOfStudy(work(log, { send: true }))).toThrow("--send is for runs on a farm");
  expect(() => farmOfStudy(work(log, { onPool: "p" }))).toThrow("--on-pool is for runs on a farm");
  expect(() => farmOfStudy(work("-", { on: "/s", out: "x" }))).toThrow("can be read once only");
  expect(() => farmOfStudy(work("/dev/null", { on: "/s", out: "x" }))).toThrow("can be read once only");
});
