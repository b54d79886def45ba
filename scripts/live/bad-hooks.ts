/** Prologs and epilogs that hang, fail, print without end or are not there, beside jobs of another pool. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import type { MachineView } from "../../src/live/service/farm-views.ts";
import type { SubmittedJob } from "../../src/live/service/submitting.ts";
import type { JobView } from "../../src/live/store/job-views.ts";
import { within } from "./patience.ts";
import { Service } from "./service.ts";
import { printTable } from "./table.ts";
import type { Trial } from "./trial.ts";

/** Of a hook: nothing of the other pool may take as long, with nothing to do but to wait. */
const LIMIT_SECONDS = 5;
const SECONDS = 10;
const MILLISECONDS_BETWEEN_JOBS = 50;
/** Each of the scripts, as a prolog and as an epilog; null: it is not there. */
const FAULTS: Readonly<Record<string, string | null>> = {
  hangs: "sleep 1000 & wait",
  fails: "exit 1",
  "prints without end": "exec yes",
  "is not there": null,
};

type Hook = "prolog" | "epilog";

interface Case {
  readonly name: string;
  /** Scripts by hook; absent: the pool has none. */
  readonly hooks: Readonly<Partial<Record<Hook, string | null>>>;
}

const cases: readonly Case[] = [
  { name: "no hooks", hooks: {} },
  { name: "both do nothing", hooks: { prolog: "exit 0", epilog: "exit 0" } },
  ...Object.entries(FAULTS).flatMap(([fault, script]) =>
    (["prolog", "epilog"] as const).map((hook) => ({ name: `${hook} ${fault}`, hooks: { [hook]: script } })),
  ),
];

export const badHooks: Trial = {
  name: "bad-hooks",
  summary: "prologs and epilogs that hang, fail, print without end or are not there: the farm does not wait",
  unit: "rounds",
  usual: 1,
  plants: { names: ["a-hook-that-is-waited-for", "a-hook-without-a-mark"], count: 1 },
  run,
};

const HEAD = ["hooks", "jobs beside", "p50 ms", "longest ms", "longest request ms", "turns", "turn ms"];
const MORE = ["of a processor ms", "jobs with hooks", "over", "left", "load"];

async function run(rounds: number, _: number, plant: string | null): Promise<boolean> {
  const rows: string[][] = [];
  const problems: string[] = [];
  for (let round = 0; round < rounds; round++)
    for (const each of cases) {
      // A planted fault is found at hooks that hang.
      if (plant !== null && !each.name.endsWith("hangs")) continue;
      rows.push(await one(each, plant, (problem) => problems.push(`${each.name}: ${problem}`)));
      process.stderr.write(`${rows.at(-1)!.join("  ")}\n`);
    }
  printTable([...HEAD, ...MORE], rows);
  for (const problem of problems) console.log(problem);
  return problems.length === 0;
}

async function one(
  { name, hooks }: Case,
  plant: string | null,
  wrong: (what: string) => void,
): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "croft-trial-"));
  const scratch = join(folder, "scratch");
  mkdirSync(scratch);
  chmodSync(folder, 0o755);
  const service = Service.of(folder, farmOf(folder, scratch, hooks), ["--allow-root"], plant);
  try {
    await service.start();
    const use = await new Use(service).begin();
    const { beside, around, requestMs } = await use.during(SECONDS);
    const ends = await within("the jobs beside are over", use.ends(beside));
    const row = await use.figures(ends, requestMs);
    for (const ms of ends) if (ms >= LIMIT_SECONDS * 1000) wrong(`a job of the other pool took ${ms} ms`);
    if (requestMs >= LIMIT_SECONDS * 1000) wrong(`a request took ${requestMs.toFixed(0)} ms`);
    const over = await use.over(around);
    await service.end("SIGKILL");
    await service.start();
    await service.end("SIGTERM");
    const left = hooksLeft(scratch);
    if (left > 0) wrong(`${left} processes of hooks are left when the service has ended`);
    return [name, ...row, String(around.length), String(over), String(left), loadavg()[0].toFixed(1)];
  } finally {
    await service.end("SIGKILL");
    hooksLeft(scratch, (pid) => process.kill(pid, "SIGKILL"));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function farmOf(folder: string, scratch: string, hooks: Case["hooks"]): string {
  const settings: Record<string, string> = { limit: `${LIMIT_SECONDS}s`, scratch };
  for (const [hook, script] of Object.entries(hooks)) {
    const path = join(folder, hook);
    settings[hook] = path;
    if (script === null) continue;
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
  }
  const pool = (pool: string, more: object): object => ({
    name: pool,
    engine: { kind: "local", name: pool },
    machines: ["1x64c64g"],
    ...more,
  });
  const around = pool("around", Object.keys(hooks).length === 0 ? {} : { hooks: settings });
  return JSON.stringify({ pools: [pool("beside", {}), around] });
}

/** The processes of hooks of this trial: each has its folder in the scratch folder. */
function hooksLeft(scratch: string, see: (pid: number) => void = () => undefined): number {
  const pids = readdirSync("/proc").filter((each) => /^\d+$/.test(each));
  const left = pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "latin1").includes(`TMPDIR=${scratch}/`);
    } catch {
      // It is gone, or somebody else's.
      return false;
    }
  });
  for (const pid of left) see(Number(pid));
  return left.length;
}

/** Jobs of both pools come at a steady pace, and an operator opens the machine whenever it is drained. */
class Use {
  private readonly service: Service;
  private before = { seconds: 0, count: 0, processorSeconds: 0 };

  constructor(service: Service) {
    this.service = service;
  }

  /** The first jobs make wrappers, and have the code compiled. */
  async begin(): Promise<this> {
    const first: number[] = [];
    for (let at = 0; at < 20; at++) first.push(await this.submit("beside"));
    await this.ends(first);
    this.before = await this.turns();
    return this;
  }

  async during(seconds: number): Promise<{ beside: number[]; around: number[]; requestMs: number }> {
    const jobs = { beside: [] as number[], around: [] as number[] };
    const begun = performance.now();
    const passed = (): number => performance.now() - begun;
    let requestMs = 0;
    const timed = async <Answer>(ask: Promise<Answer>): Promise<Answer> => {
      const from = performance.now();
      const answer = await ask;
      requestMs = Math.max(requestMs, performance.now() - from);
      return answer;
    };
    for (let sent = 0; passed() < seconds * 1000; sent++) {
      jobs.beside.push(await timed(this.submit("beside")));
      jobs.around.push(await timed(this.submit("around")));
      await timed(this.open());
      await pause(Math.max(0, (sent + 1) * MILLISECONDS_BETWEEN_JOBS - passed()));
    }
    return { ...jobs, requestMs };
  }

  /** From its submission to its end, of each in milliseconds. */
  async ends(numbers: readonly number[]): Promise<number[]> {
    const { client } = this.service;
    const views = await Promise.all(numbers.map((each) => client.get<JobView>(`/v1/jobs/${each}?wait=60`)));
    return views.map(({ number, state, submittedAt, endedAt }) => {
      if (state !== "ended") throw new Error(`job ${number} is ${state}`);
      return Date.parse(endedAt!) - Date.parse(submittedAt);
    });
  }

  async over(numbers: readonly number[]): Promise<number> {
    const { client } = this.service;
    const views = await Promise.all(numbers.map((each) => client.get<JobView>(`/v1/jobs/${each}`)));
    return views.filter(({ state }) => state === "ended").length;
  }

  async figures(ends: readonly number[], requestMs: number): Promise<string[]> {
    const { seconds, count, processorSeconds } = await this.turns();
    const turns = count - this.before.count;
    const sorted = ends.toSorted((a, b) => a - b);
    return [
      String(ends.length),
      String(sorted[Math.floor(ends.length / 2)]),
      String(sorted.at(-1)),
      requestMs.toFixed(0),
      String(turns),
      ((1000 * (seconds - this.before.seconds)) / turns).toFixed(1),
      ((1000 * (processorSeconds - this.before.processorSeconds)) / turns).toFixed(1),
    ];
  }

  private async submit(pool: string): Promise<number> {
    const body = { command: ["/bin/true"], pool };
    return (await this.service.client.send<SubmittedJob>("POST", "/v1/jobs", body)).number;
  }

  private async open(): Promise<void> {
    const { client } = this.service;
    for (const { pool, name, state } of await client.get<MachineView[]>("/v1/machines"))
      if (state === "drained") await client.send("POST", `/v1/pools/${pool}/machines/${name}/undrain`);
  }

  private async turns(): Promise<{ seconds: number; count: number; processorSeconds: number }> {
    const text = (await this.service.client.raw("GET", "/metrics")).body.toString();
    const value = (name: string): number => Number(new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1]);
    return {
      seconds: value("croft_turn_seconds_sum"),
      count: value("croft_turn_seconds_count"),
      processorSeconds: this.service.processorSeconds(),
    };
  }
}
