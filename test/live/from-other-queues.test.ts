import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, it } from "vitest";

import type { JobView } from "../../src/live/store/job-views.ts";
import { TestFarm } from "./farm.fixture.ts";

const page = readFileSync(
  fileURLToPath(new URL("../../docs/live/from-other-queues.md", import.meta.url)),
  "utf8",
);

interface Row {
  readonly what: string;
  /** Of the last column. */
  readonly commands: readonly string[];
  readonly text: string;
}

/** A row's cells; in code a `|` is written `\|`. */
const cellsOf = (line: string): string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));

const lines = page.split("\n").filter((line) => line.startsWith("|"));
const rows: Row[] = lines.map(cellsOf).flatMap(([what, ...others]): Row[] => {
  const text = others.at(-1)!;
  if (what === "" || what.startsWith("---")) return [];
  const commands = [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code);
  return [{ what, text, commands }];
});

/** What the farm answers afterwards. */
interface Answer {
  readonly path: string;
  readonly answer: unknown;
}

/** What a command has to print, or what its job (that it submits, or that it names) has to become. */
type Effect = RegExp | Partial<JobView> | Answer;

const paused = (reason: string | null): Effect => ({
  path: "/v1/pools",
  answer: [
    { name: "here", paused: reason === null ? null : { reason } },
    { name: "gpu", paused: null },
  ],
});
const drained = (state: "drained" | "up"): Effect => ({
  path: "/v1/machines",
  answer: [
    { name: "m1", state },
    { name: "m2", state: "up" },
  ],
});
const reserved = (...names: readonly string[]): Effect => ({
  path: "/v1/reservations",
  answer: names.map((name) => ({ name })),
});

const after = (condition: "ok" | "any" | "failed"): Effect => ({
  state: "held",
  after: expect.arrayContaining([{ job: expect.any(Number) as number, condition }]) as JobView["after"],
});
const ended: Effect = { state: "ended", exitStatus: 0 };

/** For each row, what each of its commands does. */
const effects: Readonly<Record<string, readonly Effect[]>> = {
  "cores, memory, time": [{ cores: 4, memoryMiB: 8192, timeSeconds: 3600, state: "ended" }],
  "a line of shell": [ended],
  "name, note": [{ name: "sim", comment: "run 3", tags: { experiment: "e17" } }],
  "its number, its cores": [/^\d+ 2\n$/],
  environment: [ended, ended],
  folder: [{ ...ended, directory: expect.stringMatching(/\/inputs$/) as string }],
  "output to files": [
    {
      ...ended,
      output: expect.stringMatching(/\/logs\//) as string,
      errorOutput: expect.any(String) as string,
    },
  ],
  input: [ended],
  array: [{ ...ended, array: { first: expect.any(Number) as number, index: 10 } }],
  "…, 2 at once": [{ ...ended, array: { first: expect.any(Number) as number, index: 10, most: 2 } }],
  "its own index": [{ ...ended, array: { first: expect.any(Number) as number, index: 7 } }],
  "many other commands": [{ ...ended, memoryMiB: 1024, command: ["./job.sh", "18"] }],
  "after another": [after("ok")],
  "…, however it ends": [after("any")],
  "…, if it fails": [after("failed")],
  "after a whole array": [after("any")],
  "index by index": [after("ok")],
  held: [{ state: "held" }],
  "not before": [
    { state: "held", waitsFor: "begin-time" },
    { state: "held", waitsFor: "begin-time" },
  ],
  "has to be over by": [{ ...ended, deadlineAt: expect.any(String) as string }],
  "wait for its end": [ended],
  "see what it prints meanwhile": [/^hello\n$/],
  "urgent, not urgent": [{ priority: 80 }, { priority: 10 }],
  GPUs: [{ ...ended, gpus: 1, pool: "gpu" }],
  "…, of a kind": [{ ...ended, gpus: 1, pool: "gpu" }],
  licences: [{ ...ended, licences: "matlab=2" }],
  "a machine that has": [{ ...ended, requires: 'disk == "ssd"', pool: "here" }],
  "partition, queue, group": [{ ...ended, pool: "here" }],
  "account, project": [{ ...ended, project: "/physics" }],
  "be told of its end": [{ ...ended, notify: [{ channel: "ops", on: ["end"] }] }],
  "again when its machine is lost": [{ ...ended, retries: 3 }],
  "again when it fails": [{ ...ended, retries: 3 }],
  "a signal before its end": [{ ...ended, timeSeconds: 3600 }],
  "once, if asked twice": [ended],
  "the jobs": [/ job\.sh /],
  "those of a user that wait": [/ waiting /],
  "all about one": [/ sim\b/],
  "what it has printed": [/^hello\n$/, /^oh\n$/],
  "why it waits": [/^cores: machine m1 is too full for it: it lacks 8 cores\.$/m],
  "when it starts": [/^Job \d+ starts /],
  "when would one start": [/^Such a job starts /],
  "wait for jobs": [/^$/],
  "who has used what": [/core-hours/],
  "what one has used": [/used/],
  shares: [/physics/],
  "partitions, queues": [/^here /m],
  machines: [/ m1 /],
  "what happened": [/submitted .*job/],
  cancel: [{ state: "cancelled" }],
  "…, a user's that wait": [{ state: "cancelled" }],
  "…, by name": [{ state: "cancelled" }],
  "hold, release": [{ state: "held" }, { state: "waiting" }],
  "stop, go on": [{ state: "suspended" }, { state: "running" }],
  "once more": [/^\d+\n$/],
  "…, all that failed": [/\d/],
  // Above the priority of what runs it may start at once.
  change: [{ timeSeconds: 7200, priority: 60 }],
  "…, its begin": [{ state: "held", waitsFor: "begin-time" }],
  "…, where it waits": [{ pool: "gpu" }],
  "start nothing for now": [paused("moving house"), paused(null)],
  "…, and stop what runs": [{ state: "suspended" }, { state: "running" }],
  "a machine for repair": [drained("drained"), drained("up")],
  "machines for a time": [reserved("disks"), reserved()],
  "new settings": [/^nothing was changed$/m, /^nothing has changed$/m],
  "limits of users": [/^nothing has changed$/m],
  "who am I here": [new RegExp(userInfo().username)],
  "a copy of the books": [/books\.db/],
};

/** The state that job 12 of a row is in before it: it runs, unless this says otherwise. */
const before: Readonly<Record<string, "running" | "waiting" | "failed" | "ended">> = {
  "those of a user that wait": "waiting",
  "why it waits": "waiting",
  "when it starts": "waiting",
  "what it has printed": "ended",
  "wait for jobs": "ended",
  "what one has used": "ended",
  "…, a user's that wait": "waiting",
  "…, by name": "running",
  "…, and stop what runs": "running",
  "hold, release": "waiting",
  "once more": "ended",
  "…, all that failed": "failed",
  change: "waiting",
  "…, its begin": "waiting",
  "…, where it waits": "waiting",
};

const notOver = "waiting,held,starting,running,suspended";

/** One of the page. */
function farmFile(name: string): string {
  const files = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => text);
  return files.find((text) => text.startsWith(`name: ${name}\n`))!;
}

/** A farm as the page has it, in a folder with the files that its commands name. */
async function servedFarm(): Promise<TestFarm> {
  const farm = new TestFarm((folder) => {
    writeFileSync(join(folder, "lab.yaml"), farmFile("lab"));
    writeFileSync(join(folder, "job.sh"), "#!/bin/sh\necho hello\necho oh >&2\n");
    chmodSync(join(folder, "job.sh"), 0o755);
    mkdirSync(join(folder, "inputs"));
    writeFileSync(join(folder, "a.txt"), "b\na\n");
    const listed = ["17", "18"].map((argument) => JSON.stringify({ command: ["./job.sh", argument] }));
    writeFileSync(join(folder, "jobs.jsonl"), `${listed.join("\n")}\n`);
    return ["--farm", "lab.yaml", "--allow-root"];
  });
  await farm.serve();
  return farm;
}

/** Submits job 12 of a row, and resolves once it is in that state. */
async function prepare(farm: TestFarm, state: NonNullable<(typeof before)[string]>): Promise<number> {
  const submit = async (job: object): Promise<number> => {
    const body = { directory: farm.folder, pool: "here", name: "sim", ...job };
    const answer = await farm.client.send<JobView | { jobs: JobView[] }>("POST", "/v1/jobs", body);
    return "jobs" in answer ? answer.jobs[0].number : answer.number;
  };
  const become = (job: number, wanted: JobView["state"]): Promise<void> =>
    matches(farm, job, { state: wanted });
  if (state === "waiting") await become(await submit({ command: ["sleep", "1000"], cores: 8 }), "running");
  const command = { waiting: ["true"], ended: ["./job.sh"], failed: ["false"], running: ["sleep", "1000"] }[
    state
  ];
  // An array, for the options that take arrays.
  const job = await submit({
    command,
    ...(state === "running" ? { array: { from: 1, to: 2 } } : { cores: 8 }),
  });
  await become(job, state);
  return job;
}

async function matches(farm: TestFarm, job: number, effect: Partial<JobView> | Answer): Promise<void> {
  const { path, answer } = "path" in effect ? effect : { path: `/v1/jobs/${job}`, answer: effect };
  await expect.poll(() => farm.client.get(path), { timeout: 60_000 }).toMatchObject(answer as object);
}

/** Leaves no job behind that another row would meet. */
async function clear(farm: TestFarm): Promise<void> {
  await farm.client.send("POST", "/v1/job-selections/cancel", { name: "*" });
  const left = (): Promise<JobView[]> => farm.client.get<JobView[]>(`/v1/jobs?state=${notOver}`);
  await expect.poll(left, { timeout: 60_000 }).toEqual([]);
}

it("has a counterpart for each line, or says that there is none", () => {
  expect(rows.length).toBeGreaterThan(60);
  const without = rows.filter(
    ({ commands, text }) => commands.length === 0 || text.startsWith("no counterpart"),
  );
  for (const { text } of without) expect(text).toMatch(/^no counterpart: \w/);
  const tried = rows.filter((row) => !without.includes(row)).map(({ what }) => what);
  expect(tried).toEqual(Object.keys(effects));
});

it("has as many cells in each row as in its heading", () => {
  for (const line of lines) expect(cellsOf(line), line).toHaveLength(7);
});

it("tells commands that do what the page says", async () => {
  const farm = await servedFarm();
  for (const { what, commands } of rows.filter(({ what: each }) => each in effects)) {
    const isAboutOne = what in before || commands.some((command) => /\b12\b/.test(command));
    const job = isAboutOne ? await prepare(farm, before[what] ?? "running") : 0;
    const other = /\b13\b/.test(commands[0]) ? await prepare(farm, "ended") : 0;
    expect(commands, what).toHaveLength(effects[what].length);
    for (const [index, command] of commands.entries()) {
      const script = command
        .replace(/\b12\b/g, String(job))
        .replace(/\b13\b/g, String(other))
        .replace(/\bann\b/g, userInfo().username);
      const { status, stdout, stderr } = await farm.shell(script);
      expect({ command, status, stderr }).toMatchObject({ command, status: 0 });
      const effect = effects[what][index];
      if (effect instanceof RegExp) expect(stdout, command).toMatch(effect);
      else if (command.startsWith("croft submit"))
        await matches(farm, Number(/\d+$/.exec(stdout.trim())), effect);
      else await matches(farm, job, effect);
    }
    await clear(farm);
  }
});

it("has pools that run as many jobs at once as groups of pueue would", async () => {
  const farm = new TestFarm((folder) => {
    writeFileSync(join(folder, "mine.yaml"), farmFile("mine"));
    return ["--farm", "mine.yaml", "--allow-root"];
  });
  await farm.serve();
  const submit = (pool: object): Promise<unknown> =>
    farm.client.send("POST", "/v1/jobs", { command: ["sleep", "1000"], array: { from: 1, to: 4 }, ...pool });
  await submit({});
  await submit({ pool: "downloads" });
  await expect
    .poll(() => farm.client.get("/v1/pools"), { timeout: 60_000 })
    .toMatchObject([
      { name: "default", running: 1, waiting: 3 },
      { name: "downloads", running: 2, waiting: 2 },
    ]);
  writeFileSync(join(farm.folder, "mine.yaml"), farmFile("mine").replace("1x2c", "1x4c"));
  expect(await farm.croft("reload")).toMatchObject({ status: 0 });
  await expect
    .poll(() => farm.client.get("/v1/pools"), { timeout: 60_000 })
    .toMatchObject([{ running: 1 }, { running: 4, waiting: 0 }]);
  await clear(farm);
});
