/** Weeks of use in minutes: machines fail, users cancel and hold, a month goes into its file. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { Draws } from "../../src/live/service/draws.ts";
import type { SubmittedJob } from "../../src/live/service/submitting.ts";
import type { JobView } from "../../src/live/store/job-views.ts";
import { Service } from "./service.ts";
import { replayed } from "./replay.ts";
import { printTable } from "./table.ts";
import { croft, type Trial } from "./trial.ts";

/** Seconds of the farm in a second: a day takes 36 of them. */
const SPEED = 2400;
const DAY_SECONDS = 86_400;
const JOBS_A_DAY = 1600;
const SAMPLES = 12;
const MACHINES = 40;
/** What is flat may be so much above what it was. Times of the clock are printed; on a busy machine they tell of that. */
const TOLERANCE = 1.25;
const FARM = `
preemption: { victim: lowest-priority, keepsMemory: true }
rescheduling: { strategy: ResSusUtil }
pools:
  - { name: one, machines: [${MACHINES}x4c16g], policy: easy, engine: ENGINE }
  - { name: two, machines: [${MACHINES}x4c16g], policy: mix-fit, engine: ENGINE }
virtualPools: [{ name: all, pools: [one, two], routing: utilization }]
`.replaceAll("ENGINE", "{ kind: simulated, failures: { upMeanSeconds: 172800, downMeanSeconds: 3600 } }");

export const weeks: Trial = {
  name: "weeks",
  summary: `a farm in use, at ${SPEED} times its speed: memory, database and times stay flat`,
  unit: "days",
  usual: 1,
  plants: { names: [], count: 1 },
  run,
};

async function run(days: number, seed: number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "croft-trial-"));
  const service = Service.fast(folder, FARM, SPEED);
  try {
    await service.start();
    const use = new Use(service, new Draws(seed));
    const good = await use.days(days);
    await service.end("SIGTERM");
    const isSame = replayed(join(folder, "data", "croft.db"));
    readBack(join(folder, "data"));
    return good && isSame;
  } finally {
    await service.end("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Sample {
  readonly day: number;
  readonly jobs: number;
  readonly memoryMiB: number;
  readonly databaseMiB: number;
  readonly submitMs: number;
  readonly turnMs: number;
  /** Processor time of the service a turn: other programs on the machine hardly change it. */
  readonly processorMs: number;
  /** Processes of the whole machine that want to run. */
  readonly load: number;
}

class Use {
  private readonly service: Service;
  private readonly draws: Draws;
  private readonly numbers: number[] = [];
  private submitMs: number[] = [];
  private turns = { seconds: 0, count: 0, processorSeconds: 0 };
  private readonly problems: string[] = [];
  /** The path of the machine that was drained last; null: none was. */
  private drained: string | null = null;

  constructor(service: Service, draws: Draws) {
    this.service = service;
    this.draws = draws;
  }

  async days(days: number): Promise<boolean> {
    const samples: Sample[] = [];
    const begun = performance.now();
    const seconds = (days * DAY_SECONDS) / SPEED;
    const passed = (): number => (performance.now() - begun) / 1000;
    let sent = 0;
    while (passed() < seconds) {
      const due = (passed() * SPEED * JOBS_A_DAY) / DAY_SECONDS;
      for (; sent < due; sent++) await this.one();
      if (passed() > (seconds / SAMPLES) * (samples.length + 1)) {
        samples.push(await this.sample((passed() * SPEED) / DAY_SECONDS));
        process.stderr.write(`${JSON.stringify(samples.at(-1))}\n`);
      }
      await pause(10);
    }
    await this.finish();
    printTable(
      ["day", "jobs", "memory MiB", "database MiB", "submit p50 ms", "turn ms", "of a processor ms", "load"],
      samples.map((each) => Object.values(each as unknown as number[]).map((value) => value.toFixed(1))),
    );
    // The first part is when caches fill and the compiler has not seen the code yet.
    const [early, late] = [samples.slice(3, 6), samples.slice(-3)];
    for (const key of ["memoryMiB", "processorMs"] as const)
      if (mean(late, key) > TOLERANCE * mean(early, key))
        this.problems.push(`${key}: ${mean(early, key).toFixed(1)} became ${mean(late, key).toFixed(1)}`);
    for (const problem of this.problems.slice(0, 20)) console.log(problem);
    return this.problems.length === 0;
  }

  private async one(): Promise<void> {
    const { client } = this.service;
    const of = <T>(list: readonly T[]): T => list[this.draws.below(list.length)];
    const runs = of([60, 600, 3600, 3600, 4 * 3600]);
    const body = {
      command: ["pretend"],
      cores: of([1, 1, 2, 4]),
      memoryMiB: 1000,
      priority: of([50, 50, 90]),
      timeSeconds: runs * 2,
      retries: 3,
      environment: { CROFT_SIMULATED_SECONDS: String(runs) },
    };
    const begun = performance.now();
    const { number } = await client.send<SubmittedJob>("POST", "/v1/jobs", body);
    this.submitMs.push(performance.now() - begun);
    this.numbers.push(number);
    if (this.draws.below(20) > 0) return;
    if (this.draws.below(4) === 0) {
      if (this.drained !== null) await client.send("POST", `${this.drained}/undrain`);
      const machines = await client.get<{ pool: string; name: string }[]>("/v1/machines");
      const { pool, name } = of(machines);
      this.drained = `/v1/pools/${pool}/machines/${encodeURIComponent(name)}`;
      await client.send("POST", `${this.drained}/drain`, { reason: "trial" });
    }
    const verb = of(["cancel", "hold", "release", "suspend", "resume"]);
    const target = this.numbers.at(-1 - this.draws.below(Math.min(100, this.numbers.length)))!;
    // It may be over, or in no state for that.
    await client.send("POST", `/v1/jobs/${target}/${verb}`).catch(() => undefined);
  }

  private async sample(day: number): Promise<Sample> {
    const text = (await this.service.client.raw("GET", "/metrics")).body.toString();
    const of = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
    const turns = {
      seconds: of("croft_turn_seconds_sum"),
      count: of("croft_turn_seconds_count"),
      processorSeconds: this.service.processorSeconds(),
    };
    const aTurn = (which: "seconds" | "processorSeconds"): number =>
      (1000 * (turns[which] - this.turns[which])) / (turns.count - this.turns.count);
    const [turnMs, processorMs] = [aTurn("seconds"), aTurn("processorSeconds")];
    this.turns = turns;
    const submits = this.submitMs.sort((a, b) => a - b);
    this.submitMs = [];
    const [memoryMiB, databaseMiB] = [this.service.residentMiB(), this.service.databaseMiB()];
    return {
      day,
      jobs: this.numbers.length,
      memoryMiB,
      databaseMiB,
      submitMs: submits[submits.length >> 1] ?? 0,
      turnMs,
      processorMs,
      load: loadavg()[0],
    };
  }

  /** What is held goes on, and all comes to its end: the books are equal. */
  private async finish(): Promise<void> {
    const { client } = this.service;
    const last = this.numbers.at(-1)!;
    for (let tries = 0; tries < 600; tries++) {
      const left = await client.get<JobView[]>(
        "/v1/jobs?state=waiting,held,starting,running,suspended&limit=1000",
      );
      if (left.length === 0) break;
      for (const { number, state } of left)
        if (state === "held" || state === "suspended")
          await client
            .send("POST", `/v1/jobs/${number}/${state === "held" ? "release" : "resume"}`)
            .catch(() => undefined);
      if (tries === 599) this.problems.push(`${left.length} jobs have not ended, of ${last}`);
      await pause(200);
    }
    const farm = await client.get<{ jobs: number }>("/v1/farm");
    if (farm.jobs > 0) this.problems.push(`the farm still counts ${farm.jobs} jobs`);
    if (new Set(this.numbers).size !== last)
      this.problems.push(`${this.numbers.length} were acknowledged, the last is number ${last}`);
  }
}

function mean(samples: readonly Sample[], key: keyof Sample): number {
  return samples.reduce((sum, each) => sum + each[key], 0) / samples.length;
}

/** Months that were moved are logs that a simulation reads. */
function readBack(data: string): void {
  const folder = join(data, "history");
  const files = existsSync(folder) ? readdirSync(folder) : [];
  for (const file of files) {
    const args = [join(folder, file), "--machines", `${MACHINES * 2}x4c16g`, "--policy", "easy", "--json"];
    const text = execFileSync(process.execPath, [croft, "simulate", ...args], {
      maxBuffer: 2 ** 28,
    }).toString();
    console.log(
      `${file}: croft simulate reads it: ${/"jobs": ?\d+/.exec(text)?.[0] ?? `${text.length} bytes`}`,
    );
  }
  console.log(`${files.length} months were moved into files`);
}
