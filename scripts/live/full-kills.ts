/**
 * Kills the service and the wrappers of a farm that does all it can: arrays of which so many run at once, GPUs, limits,
 * times to begin, hooks with a folder for each attempt, files of the jobs' own, pauses, and acts on jobs by what they are.
 */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { Draws } from "../../src/live/service/draws.ts";
import type { SubmittedJob } from "../../src/live/service/submitting.ts";
import { outputFile } from "../../src/live/service/output-pattern.ts";
import type { AttemptView, JobView } from "../../src/live/store/job-views.ts";
import {
  anyWish,
  began,
  bodyOf,
  crowds,
  hooksOf,
  readLines,
  RUNNING_JOBS,
  saidWrong,
  type Wish,
} from "./course.ts";
import { isBlind, KillFarm, lostText, ranTwice, type InFull } from "./kill-farm.ts";
import { until, Wedged } from "./patience.ts";
import { inRounds, type Sums } from "./rounds.ts";
import type { Trial } from "./trial.ts";

const SUBMISSIONS_IN_A_TRIAL = 5;

export const fullKills: Trial = {
  name: "full-kills",
  summary:
    "kill -9 of service and wrappers of a farm with arrays, GPUs, limits, hooks, pauses, times to begin, files and selections",
  unit: "trials",
  usual: 20,
  short: 4,
  plants: {
    names: ["a-dropped-end-record", "a-second-start", "a-shared-device", "a-forgotten-limit", "a-lost-file"],
    count: 10,
  },
  run,
};

const HEAD = ["trials", "deaths", "wrappers", "jobs", "attempts", "lost", "twice", "wedged", "wrong"];

async function run(count: number, seed: number, plant: string | null): Promise<boolean> {
  const { isGood, sums } = await inRounds<Ground>({
    count,
    seed,
    plant,
    head: HEAD,
    make: () => Ground.make(plant),
    remove: (ground) => ground.remove(),
    one,
  });
  return isGood && !(plant === null && isBlind(count, sums["wrappers"]));
}

/** A farm with its folders. */
class Ground {
  readonly folder = mkdtempSync(join(tmpdir(), "croft-trial-"));
  readonly scratch = join(this.folder, "scratch");
  readonly farm: KillFarm;
  readonly plant: string | null;

  private constructor(plant: string | null) {
    const { folder } = this;
    this.plant = plant;
    mkdirSync(this.scratch);
    const hook = (name: string): string => {
      const path = join(folder, name);
      writeFileSync(path, `#!/bin/sh\necho "${name} - $CROFT_ATTEMPT" >>${join(folder, "lines")}\n`);
      chmodSync(path, 0o755);
      return path;
    };
    const hooks = { prolog: hook("prolog"), epilog: hook("epilog"), scratch: this.scratch };
    const engine = { kind: "local", cores: 8, memoryMiB: 2000, allowRoot: true };
    const pools = [
      {
        name: "own",
        engine: { ...engine, name: "one" },
        hooks,
        gpus: { devices: [0, 1], kind: "a100" },
      },
      {
        name: "parts",
        engine: { ...engine, name: "two" },
        hooks,
        gpus: { devices: [2], kind: "t4", parts: 2 },
      },
    ];
    const runningJobs = plant === "a-forgotten-limit" ? 100 : RUNNING_JOBS;
    const limits = { users: { "*": { runningJobs } } };
    this.farm = new KillFarm(folder, JSON.stringify({ pools, limits }), plant);
  }

  static async make(plant: string | null): Promise<Ground> {
    const ground = new Ground(plant);
    try {
      await ground.farm.start();
    } catch (error) {
      await ground.remove();
      throw error;
    }
    return ground;
  }

  /** A line among those of the jobs. */
  mark(what: "none" | "any", key: string): void {
    appendFileSync(this.farm.lines, `${what} ${key} - - - ${Date.now() / 1000}\n`);
  }

  async remove(): Promise<void> {
    await this.farm.abandon();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function one(ground: Ground, seed: number, sums: Sums): Promise<void> {
  const { farm, plant } = ground;
  const draws = new Draws(seed);
  const tag = `t${seed}`;
  const wishes = new Map<string, Wish>();
  // Faults are planted for jobs of a kind, so there have to be some.
  for (let left = SUBMISSIONS_IN_A_TRIAL; left > 0; left--) {
    const wish = anyWish(farm.newKey(), draws);
    const isCrowd = plant === "a-shared-device" || plant === "a-forgotten-limit";
    wishes.set(
      wish.key,
      isCrowd
        ? { ...wish, kind: plant === "a-shared-device" ? "gpu" : "array", most: 5, seconds: 0.8 }
        : { ...wish, hasFile: wish.hasFile || plant === "a-lost-file" },
    );
  }
  const taken = new Set<string>();
  const sending = Promise.all(
    [...wishes.values()].map(async (wish) => {
      const body = bodyOf(wish, ground.folder, farm.lines, tag);
      const answer = await farm.ask<SubmittedJob | { jobs: SubmittedJob[] }>("/v1/jobs", body, wish.key);
      taken.add(wish.key);
      return { wish, numbers: ("jobs" in answer ? answer.jobs : [answer]).map(({ number }) => number) };
    }),
  );
  sending.catch(() => undefined);
  const acting = act(ground, [...wishes.keys()], taken, tag, new Draws(seed ^ 0xac7));
  acting.catch(() => undefined);
  await kill(farm, draws, sums);
  const cancelled = await acting;
  await judge(ground, await sending, { wishes, tag, cancelled }, sums);
}

async function kill(farm: KillFarm, draws: Draws, sums: Sums): Promise<void> {
  const of = <T>(list: readonly T[]): T => list[draws.below(list.length)];
  for (let left = of([1, 2, 3]); left > 0; left--) {
    await pause(draws.below(of([50, 300, 800])));
    const what = of(["service", "both", "both", "wrappers"] as const);
    const part = of([1, 1, 2]);
    const harm = async (): Promise<void> => {
      if (what !== "service") sums["wrappers"] += await farm.killWrappers(() => draws.below(part) === 0);
    };
    const isFirst = draws.below(2) === 0;
    if (isFirst) await harm();
    const ending =
      what === "wrappers" ? null : farm.service.end(of(["SIGKILL", "SIGKILL", "SIGTERM"] as const));
    if (!isFirst) await harm();
    if (ending === null) continue;
    await ending;
    sums["deaths"]++;
    await pause(of([0, 0, 50, 300, 1500]));
    await farm.start();
  }
}

/**
 * A pause, a cancellation, and jobs that are held for a while.
 *
 * @param taken the submissions that were acknowledged
 * @returns the submission that was cancelled; it may have come afterwards, and then it runs
 */
async function act(
  ground: Ground,
  keys: readonly string[],
  taken: ReadonlySet<string>,
  tag: string,
  draws: Draws,
): Promise<string | null> {
  const { farm } = ground;
  let cancelled: string | null = null;
  await pause(draws.below(400));
  if (draws.below(2) === 0) {
    const pool = ["own", null][draws.below(2)];
    const path = pool === null ? "/v1/farm" : `/v1/pools/${pool}`;
    await farm.act(`${path}/pause`, { reason: "a trial", suspend: draws.below(2) === 0 });
    await noneStarts(farm, "");
    const name = `pause-${tag}-${pool ?? ""}`;
    ground.mark("none", name);
    await pause(draws.below(1500));
    ground.mark("any", name);
    await farm.act(`${path}/unpause`, {});
  }
  if (draws.below(3) === 0) {
    cancelled = keys[draws.below(keys.length)];
    const isThere = taken.has(cancelled);
    await farm.act("/v1/job-selections/cancel", { tags: { key: cancelled } });
    await noneStarts(farm, `&tag=key%3D${cancelled}`);
    if (isThere) ground.mark("none", `cancel-${cancelled}`);
  }
  if (draws.below(2) === 0) {
    await farm.act("/v1/job-selections/hold", { tags: { trial: tag } });
    await pause(draws.below(500));
    // Also those that came while it went on.
    await farm.act("/v1/job-selections/release", { tags: { trial: tag } });
  }
  return cancelled;
}

/** What was decided before is started, and may have to be started again; one that is cancelled then is ended. */
async function noneStarts(farm: KillFarm, which: string): Promise<void> {
  await until(
    "no job is starting",
    async () => (await jobsOf(farm, `state=starting${which}`)).length === 0 || null,
  );
}

function jobsOf(farm: KillFarm, query: string): Promise<JobView[]> {
  const path = `/v1/jobs?${query}`;
  return farm.insist(`GET ${path}`, () => farm.service.client.get<JobView[]>(path));
}

interface Course {
  readonly wishes: ReadonlyMap<string, Wish>;
  readonly tag: string;
  readonly cancelled: string | null;
}

async function judge(
  ground: Ground,
  sent: readonly { readonly wish: Wish; readonly numbers: readonly number[] }[],
  { wishes, tag, cancelled }: Course,
  sums: Sums,
): Promise<void> {
  const { farm } = ground;
  const tell = (kind: string, wrong: readonly string[]): void => {
    sums[kind] += wrong.length;
    for (const each of wrong) console.log(`${kind}: ${each}`);
  };
  const jobs: { readonly wish: Wish; readonly view: InFull }[] = [];
  await Promise.all(
    sent.flatMap(({ wish, numbers }) =>
      numbers.map(async (number) => {
        sums["jobs"]++;
        const view = await farm.over(number);
        if (view === null) sums["wedged"]++;
        else jobs.push({ wish, view });
      }),
    ),
  );
  const attempts = new Map<string, AttemptView>();
  for (const { view } of jobs)
    for (const each of view.attempts) attempts.set(`${view.id}.${each.attempt}`, each);
  sums["attempts"] += attempts.size;
  const isHarmed = (attempt: string): boolean => farm.isHarmed(attempt);
  await emptied(ground, attempts);
  if (ground.plant === "a-second-start") secondStart(farm, attempts);
  if (ground.plant === "a-lost-file") rmSync(join(ground.folder, "out"), { recursive: true, force: true });
  const lines = readLines(farm.lines)
    .filter(({ what, attempt }) => what === "none" || what === "any" || attempts.has(attempt))
    // A planted fault: all have the same device.
    .map((line) => (ground.plant === "a-shared-device" ? { ...line, device: "0" } : line));
  for (const { wish, view } of jobs) {
    const { id, number } = view;
    const did = lines
      .filter(({ what, attempt }) => (what === "begins" || what === "ends") && attempt.startsWith(`${id}.`))
      .map(({ what, attempt }) => ({ what, attempt: Number(attempt.split(".")[1]) }));
    const isOwnHarmed = (attempt: number): boolean => isHarmed(`${id}.${attempt}`);
    const about = (text: string): string =>
      `job ${number} (${JSON.stringify(wish)}): ${text}: ${JSON.stringify(did)}`;
    tell("twice", ranTwice(wish, did, isOwnHarmed).map(about));
    // One that had failed by itself when it was cancelled, and whose epilog ran, has failed and is not tried again.
    const isCancelled = wish.key === cancelled && (view.state === "cancelled" || view.state === "failed");
    const lost = isCancelled ? null : lostText(wish, view, did, isOwnHarmed);
    if (lost !== null) tell("lost", [about(lost)]);
    const isWhole = (attempt: number): boolean =>
      !isOwnHarmed(attempt) && did.some((each) => each.what === "ends" && each.attempt === attempt);
    tell("wrong", (await output(ground, wish, view, isWhole)).map(about));
  }
  const numbers = new Set((await jobsOf(farm, `tag=trial%3D${tag}&limit=1000`)).map(({ number }) => number));
  const unseen = sent.flatMap((each) => each.numbers).filter((number) => !numbers.has(number));
  tell(
    "lost",
    unseen.map((number) => `job ${number} is not among those of its tag`),
  );
  tell("wrong", crowds(lines, wishes, isHarmed));
  tell(
    "wrong",
    hooksOf(lines, (attempt) => attempts.has(attempt)),
  );
  const startOf = (attempt: string): AttemptView | undefined => attempts.get(attempt);
  tell(
    "wrong",
    began(lines, `pause-${tag}-`, () => true, startOf),
  );
  tell(
    "wrong",
    began(lines, `pause-${tag}-own`, ({ attempt }) => startOf(attempt)?.pool === "own", startOf),
  );
  if (cancelled !== null)
    tell(
      "wrong",
      began(lines, `cancel-${cancelled}`, ({ key }) => key === cancelled, startOf),
    );
}

/** Waits until all epilogs have run, and no attempt has a folder any more. */
async function emptied({ farm, scratch }: Ground, attempts: ReadonlyMap<string, AttemptView>): Promise<void> {
  let left: readonly string[] = [];
  try {
    await until("all epilogs have run, and the folders of the attempts are gone", () => {
      const lines = readLines(farm.lines);
      const after = new Set(lines.filter(({ what }) => what === "epilog").map(({ attempt }) => attempt));
      const late = lines.filter(
        ({ what, attempt }) => what === "begins" && attempts.has(attempt) && !after.has(attempt),
      );
      left = [...readdirSync(scratch), ...late.map(({ attempt }) => `the epilog of ${attempt}`)];
      return left.length === 0 || null;
    });
  } catch (error) {
    if (error instanceof Wedged) throw new Wedged(`${error.message}; but not ${left.join(", ")}`);
    throw error;
  }
}

async function output(
  { farm, folder }: Ground,
  { hasFile }: Wish,
  view: InFull,
  isWhole: (attempt: number) => boolean,
): Promise<string[]> {
  const { number, output: pattern } = view;
  if (hasFile) {
    const path = outputFile(pattern ?? "", view, 1);
    const isThere = path.startsWith(folder) && existsSync(path);
    return saidWrong(isThere ? readFileSync(path, "utf8") : "", view, isWhole);
  }
  let text = "";
  for (const { attempt } of view.attempts) {
    const answer = await farm.service.client.raw("GET", `/v1/jobs/${number}/output?attempt=${attempt}`);
    if (answer.status === 200) text += answer.body.toString();
  }
  return saidWrong(text, view, isWhole);
}

/** A planted fault: an attempt runs once more. */
function secondStart(farm: KillFarm, attempts: ReadonlyMap<string, AttemptView>): void {
  const line = readFileSync(farm.lines, "utf8")
    .split("\n")
    .find((each) => each.startsWith("begins ") && attempts.has(each.split(" ")[2]));
  if (line !== undefined) appendFileSync(farm.lines, `${line}\n`);
}
