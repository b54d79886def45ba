import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { busyLog, croftIn, finished, start, temporaryFolder } from "../cli/croft.fixture.ts";
import { croftIsAfter, farmOf, filesIn, jobsOf } from "./on-farm.fixture.ts";

const folder = temporaryFolder();
const load = ["study", "load", "netbatch-b", "--jobs", "500", "--load", "0.9", "--json", "--out", "F"];
const RUNS = 3;
const words = [...load, "--policy", "fcfs,easy,mix-fit"];

/** Each call in a folder of its own, so that all may name the same one. */
function croftAt(name: string): ReturnType<typeof croftIn> {
  mkdirSync(join(folder, name));
  return croftIn(join(folder, name));
}

const local = croftAt("local")(words);

/** What a study has written, but for its finished runs and how it was called. */
function writtenAt(name: string): Record<string, string> {
  const files = Object.entries(filesIn(join(folder, name, "F")));
  return Object.fromEntries(files.filter(([file]) => file !== "settings.yaml" && !file.startsWith("units/")));
}

async function expectAsLocal(name: string, { status, stdout }: { status: number | null; stdout: string }) {
  const here = await local;
  expect([status, stdout]).toEqual([0, here.stdout]);
  const written = writtenAt(name);
  expect(Object.keys(written).sort()).toEqual(["report.html", "results.json"]);
  expect(written).toEqual(writtenAt("local"));
}

it("gives the bytes of a local run, and makes no run again", async () => {
  const farm = farmOf();
  await farm.serve();
  const croft = croftAt("on");
  const on = ["--on", farm.socket, "--memory", "1G", "--on-pool", "here"];
  await expectAsLocal("on", await croft(words, on));
  const jobs = await jobsOf(farm);
  expect(jobs.map(({ name, state, memoryMiB }) => [name, state, memoryMiB])).toEqual(
    Array.from({ length: RUNS }, () => ["study", "ended", 1024]),
  );
  const again = await croft(words, on);
  await expectAsLocal("on", again);
  expect(again.stderr).toContain(`F: ${RUNS} of ${RUNS} runs were made before`);
  // A policy more is a run more.
  const more = await croft(load, "--policy", "fcfs,easy,mix-fit,first-fit", on);
  expect(more.status).toBe(0);
  expect(await jobsOf(farm)).toHaveLength(RUNS + 1);
});

it("takes up what goes on at the farm after SIGINT", async () => {
  const farm = farmOf();
  await farm.serve();
  const croft = croftAt("up");
  const gate = join(folder, "open");
  // One task is let through; the others wait for the gate.
  const wait = `test "$CROFT_JOB_INDEX" = 0 || while ! [ -e "${gate}" ]; do sleep 0.1; done`;
  const args = [...words, "--on", farm.socket, "--croft", croftIsAfter(folder, "waits", wait)];
  const child = start(args, join(folder, "up"));
  const end = finished(child);
  const units = join(folder, "up/F/units");
  const isKept = (): boolean => existsSync(units) && readdirSync(units).some((name) => !name.startsWith("."));
  await expect.poll(isKept, { timeout: 300_000, interval: 50 }).toBe(true);
  child.kill("SIGINT");
  const { status, stderr } = await end;
  expect([status, stderr]).toEqual([
    130,
    expect.stringContaining(`${RUNS - 1} runs go on at the farm, to be taken up by the same command`),
  ]);
  expect(stderr).toContain(`croft cancel --tag study=${join(folder, "up/F")} ends them`);
  const second = croft(args);
  writeFileSync(gate, "");
  const after = await second;
  expect(after.stderr).toContain(`F: 1 of ${RUNS} runs were made before`);
  expect(after.stderr).toContain(`${RUNS - 1} runs were sent to the farm before, and taken up\n`);
  await expectAsLocal("up", after);
  // None was made twice.
  expect((await jobsOf(farm)).map(({ state, attempt }) => [state, attempt])).toEqual(
    Array.from({ length: RUNS }, () => ["ended", 1]),
  );
});

it("makes a run again whose process was killed", async () => {
  const farm = farmOf();
  await farm.serve();
  const croft = croftAt("killed");
  const once = `test "$CROFT_JOB_INDEX" = 0 && mkdir "${folder}/killed-once" 2>/dev/null && kill -9 $$`;
  const made = await croft(words, "--on", farm.socket, "--croft", croftIsAfter(folder, "dies", once));
  await expectAsLocal("killed", made);
  expect((await jobsOf(farm)).map(({ state }) => state).sort()).toEqual([
    ...Array.from({ length: RUNS }, () => "ended"),
    "failed",
  ]);
});

it("sends a log and a list of machines to machines that do not see them", async () => {
  const farm = farmOf();
  await farm.serve();
  const source = join(folder, "source");
  mkdirSync(source);
  writeFileSync(join(source, "cluster.csv"), busyLog(50));
  writeFileSync(join(source, "nodes.txt"), "NODELIST CPUS MEMORY STATE\nn1 8 32768 idle\nn2 8 32768 idle\n");
  const study = [
    "study",
    "load",
    "../source/cluster.csv",
    "--machines",
    "../source/nodes.txt",
    "--beta",
    "1",
  ];
  const args = [...study, "--policy", "fcfs,easy", "--out", "F"];
  const here = await croftAt("here")(args);
  expect(here.status).toBe(0);
  // The first run takes the folder away before it begins.
  const hides = `mv "${source}" "${source}-gone" 2>/dev/null; export XDG_CACHE_HOME="${folder}/cache"`;
  const sent = ["--on", farm.socket, "--send", "--croft", croftIsAfter(folder, "hides", hides)];
  const made = await croftAt("there")(args, sent);
  expect([made.status, made.stderr]).toEqual([0, expect.stringContaining("bytes were sent to the farm")]);
  expect(made.stdout).toBe(here.stdout);
  expect(writtenAt("there")).toEqual(writtenAt("here"));
  // The plan, the log and the list.
  expect(readdirSync(join(folder, "cache/croft/files"))).toHaveLength(3);
  renameSync(`${source}-gone`, source);
});

it("refuses runs of another version of Croft, and says so", async () => {
  const farm = farmOf();
  await farm.serve();
  const croft = croftAt("version");
  // As far as the task can tell, the plan was made by another one.
  const other = `sed 's/"version":"[^"]*"/"version":"0.0.9"/' "$2" >"${folder}/$CROFT_JOB_INDEX.json"
set -- study-unit "${folder}/$CROFT_JOB_INDEX.json"`;
  const args = [...words, "--on", farm.socket];
  const refused = await croft(args, "--croft", croftIsAfter(folder, "other", other));
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  expect([refused.status, refused.stderr]).toEqual([
    2,
    expect.stringContaining(
      `was not made: the runs are of croft 0.0.9, and this machine's croft is ${version}: name the same one with --croft; so ended ${RUNS - 1} more`,
    ),
  ]);
  expect(readdirSync(join(folder, "version/F"))).toEqual(["units"]);
  await expectAsLocal("version", await croft(args));
});
