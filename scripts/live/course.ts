/** What the jobs of `full-kills` ask for, and what must hold of the lines and files that they have written. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Draws } from "../../src/live/service/draws.ts";
import type { AttemptView } from "../../src/live/store/job-views.ts";
import type { InFull } from "./kill-farm.ts";

/** So many of the farm's jobs run at a time. */
export const RUNNING_JOBS = 6;
const ARRAY = 5;

/** A submission: a job, or an array of them. */
export interface Wish {
  readonly key: string;
  readonly kind: "plain" | "array" | "gpu" | "part" | "begin";
  readonly seconds: number;
  readonly retries: number;
  /** It fails so many times before it succeeds. */
  readonly failures: number;
  /** Of an array: so many at once. */
  readonly most: number;
  /** Its jobs write to files of their own. */
  readonly hasFile: boolean;
  readonly beginUnixSeconds: number | null;
}

export function anyWish(key: string, draws: Draws): Wish {
  const of = <T>(list: readonly T[]): T => list[draws.below(list.length)];
  const [retries, failures] = of([
    [0, 0],
    [0, 0],
    [1, 0],
    [3, 1],
  ]);
  const kind = of(["plain", "array", "array", "gpu", "gpu", "part", "begin"] as const);
  return {
    key,
    kind,
    seconds: of([0, 0.1, 0.3, 0.8]),
    retries,
    failures,
    most: of([1, 2]),
    hasFile: draws.below(2) === 0,
    beginUnixSeconds: kind === "begin" ? Math.floor(Date.now() / 1000) + 1 + draws.below(3) : null,
  };
}

/** As REST has it. Its lines: what, key, attempt, index, device, the time. */
export function bodyOf(wish: Wish, folder: string, lines: string, tag: string): object {
  const { key, kind, seconds, retries, failures } = wish;
  const line = (what: string): string =>
    `echo "${what} ${key} $CROFT_ATTEMPT \${CROFT_JOB_INDEX:--} \${CUDA_VISIBLE_DEVICES:--} $(date +%s.%N)" >>${lines}`;
  // It has the folder of its own, and leaves something there.
  const scratch = `touch "$TMPDIR/left" || ${line("homeless")}`;
  const said = `echo "says $CROFT_ATTEMPT"`;
  const script = `${line("begins")}; ${scratch}; ${said}; sleep ${seconds}; ${said}; ${line("ends")}; [ $CROFT_JOB_ATTEMPT -gt ${failures} ]`;
  return {
    command: ["/bin/sh", "-c", script],
    name: key,
    retries,
    tags: { trial: tag, key },
    ...(kind === "array" ? { array: { from: 1, to: ARRAY, most: wish.most } } : {}),
    ...(kind === "gpu" ? { gpus: 1, gpuKind: "a100" } : {}),
    ...(kind === "part" ? { gpus: 0.5, gpuKind: "t4" } : {}),
    ...(wish.beginUnixSeconds === null
      ? {}
      : { beginAt: new Date(wish.beginUnixSeconds * 1000).toISOString() }),
    ...(wish.hasFile
      ? { output: join(folder, "out", kind === "array" ? "%x-%a.txt" : "%j-%x.txt"), makeFolders: true }
      : {}),
  };
}

export interface Line {
  readonly what: string;
  /** Of a job's line the submission's; of a mark what it is about. */
  readonly key: string;
  readonly attempt: string;
  readonly index: string;
  readonly device: string;
  readonly unixSeconds: number;
}

export function readLines(path: string): Line[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((text) => text !== "")
    .map((text) => {
      const [what = "", key = "", attempt = "", index = "", device = "", time] = text.split(" ");
      return { what, key, attempt, index, device, unixSeconds: Number(time) };
    });
}

/**
 * Too many at a time: of an array, on a device, of all. Those that were harmed count where they have a line of their end.
 * One that is cancelled has none: it is over when its epilog runs.
 */
export function crowds(
  lines: readonly Line[],
  wishes: ReadonlyMap<string, Wish>,
  isHarmed: (attempt: string) => boolean,
): string[] {
  const wrong: string[] = [];
  const running = new Map<string, Line>();
  const ended = new Set(lines.filter(({ what }) => what === "ends").map(({ attempt }) => attempt));
  for (const line of lines) {
    const { what, key, attempt, device } = line;
    if (what === "ends" || what === "epilog") running.delete(attempt);
    const wish = wishes.get(key);
    if (wish === undefined || (isHarmed(attempt) && !ended.has(attempt))) continue;
    if (what !== "begins") continue;
    const beside = [...running.values()];
    running.set(attempt, line);
    if (running.size > RUNNING_JOBS) wrong.push(`${attempt} is the ${running.size}th that runs`);
    const same = beside.filter((each) => each.key === key).length;
    if (wish.kind === "array" && same >= wish.most)
      wrong.push(`${attempt} of array ${key} runs beside ${same}, where ${wish.most} may`);
    const onDevice = beside.filter((each) => each.device === device).length;
    if ((wish.kind === "gpu" && onDevice >= 1) || (wish.kind === "part" && onDevice >= 2))
      wrong.push(`${attempt} has GPU ${device}, as ${onDevice} others have`);
    if ((wish.kind === "gpu" || wish.kind === "part") !== /^[012]$/.test(device))
      wrong.push(`${attempt} (${wish.kind}) has the GPUs ${device}`);
    if (wish.beginUnixSeconds !== null && line.unixSeconds < wish.beginUnixSeconds)
      wrong.push(`${attempt} began at ${line.unixSeconds}, before ${wish.beginUnixSeconds}`);
  }
  return wrong;
}

/** Between the marks `none` and `any` of a key, and for ever without the second, no attempt may begin that was not started. */
export function began(
  lines: readonly Line[],
  mark: string,
  isMeant: (line: Line) => boolean,
  startOf: (attempt: string) => AttemptView | undefined,
): string[] {
  const from = lines.findIndex(({ what, key }) => what === "none" && key === mark);
  const to = lines.findIndex(({ what, key }) => what === "any" && key === mark);
  if (from === -1) return [];
  const since = lines[from].unixSeconds;
  return lines
    .slice(from, to === -1 ? lines.length : to)
    .filter((line) => line.what === "begins" && isMeant(line))
    .filter(({ attempt }) => Date.parse(startOf(attempt)?.startedAt ?? "") / 1000 > since)
    .map(({ attempt }) => `${attempt} has begun after ${mark}`);
}

/** The prolog runs before, the epilog after each attempt that has begun; either may run again. */
export function hooksOf(lines: readonly Line[], isOver: (attempt: string) => boolean): string[] {
  const wrong: string[] = [];
  const before = new Set<string>();
  const after = new Set<string>();
  for (const { what, attempt } of lines) {
    if (what === "prolog") before.add(attempt);
    if (what === "epilog") after.add(attempt);
    if (what === "begins" && !before.has(attempt)) wrong.push(`${attempt} has begun without a prolog`);
    if ((what === "begins" || what === "ends") && after.has(attempt))
      wrong.push(`${attempt} ${what} after its epilog`);
    if (what === "homeless") wrong.push(`${attempt} has no folder of its own`);
  }
  for (const { what, attempt } of lines)
    if (what === "begins" && isOver(attempt) && !after.has(attempt)) wrong.push(`${attempt} has no epilog`);
  return wrong;
}

/** What a job's file, or the farm, has of it: of each attempt what that one said, and of no other job. */
export function saidWrong(
  text: string,
  { id, attempts }: InFull,
  isWhole: (attempt: number) => boolean,
): string[] {
  const said = [...text.matchAll(/^says (\S+)$/gm)].map(([, attempt]) => attempt);
  const wrong = said.filter((each) => !each.startsWith(`${id}.`)).map((each) => `it has what ${each} said`);
  for (const { attempt } of attempts) {
    const times = said.filter((each) => each === `${id}.${attempt}`).length;
    if (times > 2 || (isWhole(attempt) && times < 2))
      wrong.push(`attempt ${attempt} said it twice, and ${times} are there`);
  }
  return wrong;
}
