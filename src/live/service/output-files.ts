import { normalize } from "node:path";

import type { Database } from "../store/database.ts";
import { readRequest, type JobRequest } from "../store/job-request.ts";
import type { KnownAttempt } from "../engines/engine.ts";
import { ATTEMPT, FileNames } from "./file-names.ts";
import { outputFile, patternProblem, type Named } from "./output-pattern.ts";
import { Refusal } from "../refusal.ts";

/** So many files are kept before those of jobs that are over are looked for. */
const SWEPT_FROM = 1000;

/** A job may have more attempts than retries: it is preempted, or does not come to start. */
const MORE_ATTEMPTS = 10;
/** For so many attempts at most it is found out which files they write to: each is looked up. */
const MOST_ATTEMPTS = 40;

/**
 * The files that jobs which are not over write to, of those that they name themselves. Only one job at a time writes to
 * a file: what is whose could not be told otherwise.
 */
export class OutputFiles {
  private readonly isPresent: (job: number) => boolean;
  /** By pool: the files of attempts that the books do not have and that still run there, and the highest attempt number. */
  private readonly left = new Map<string, { files: FileNames<true>; attempts: number }>();
  private writers = new FileNames<number[]>();
  private sweptFrom = SWEPT_FROM;

  /** @param isPresent whether a job is not over */
  constructor(database: Database, isPresent: (job: number) => boolean) {
    this.isPresent = isPresent;
    for (const { number, user, request } of database.iterate(
      `SELECT number, user, request FROM job WHERE ended_at IS NULL AND request LIKE '%utput":"/%'`,
    ))
      this.add(String(user), Number(number), readRequest(String(request)));
  }

  /**
   * @param first the number that the first job will have
   * @throws Refusal where several would write to one file at the same time, or a file cannot be named like that
   */
  check(user: string, jobs: readonly JobRequest[], first: number): void {
    const seen = new FileNames<number>();
    for (const [at, request] of jobs.entries()) {
      const { array, output, errorOutput } = request;
      if (output === null && errorOutput === null) continue;
      const place = jobs.length > 1 && array === null ? `jobs/${at}: ` : "";
      const named = {
        user,
        number: first + at,
        name: request.name,
        array: array === null ? null : { ...array, first },
      };
      for (const pattern of [output, errorOutput]) {
        const problem = pattern === null ? null : patternProblem(pattern, named);
        if (problem !== null) throw new Refusal(422, place + problem);
      }
      this.checkLeft(request, named, place);
      const attempts = attemptsOf(request);
      const after = new Set(request.after.map(({ job }) => job));
      for (const file of filesOf(request, named)) {
        for (const [name, job] of seen.alike(file, attempts))
          if (job !== at)
            throw new Refusal(
              422,
              `${place}several jobs would write to ${shown(name, file)}: give each a file of its own (%j in its name is the number of the job), or leave the file out and let the farm keep what each prints (croft logs)`,
            );
        seen.set(file, at);
        for (const [key, writers] of this.writers.alike(keyOf(user, file), attempts)) {
          const other = writers.find((job) => this.isPresent(job) && !after.has(job));
          if (other !== undefined)
            throw new Refusal(
              409,
              `${place}job ${other} is not over and writes to ${shown(fileOf(key), file)}: give another file, or start after it (--after ${other}:any)`,
            );
        }
      }
    }
  }

  /** Notes which attempts of a pool run on although the books have no job for them: after a backup was restored. */
  leave(pool: string, attempts: readonly KnownAttempt[]): void {
    const files = new FileNames<true>();
    for (const each of attempts)
      if (each.state !== "over") for (const file of each.outputs ?? []) files.set(normalize(file), true);
    this.left.set(pool, { files, attempts: Math.max(0, ...attempts.map(({ id }) => id.attempt)) });
  }

  private checkLeft(request: JobRequest, named: Named, place: string): void {
    for (const { files, attempts } of this.left.values())
      for (const file of files.size === 0 ? [] : filesOf(request, named))
        for (const [name] of files.alike(file, Math.max(attempts, attemptsOf(request))))
          throw new Refusal(
            409,
            `${place}something that the farm's books do not have, which may be a backup from before it, runs on and writes to ${name}: give another file, or let an operator end it (the farm's log tells which it is)`,
          );
  }

  add(user: string, job: number, request: JobRequest): void {
    for (const file of filesOf(request, { ...request, user, number: job })) {
      const key = keyOf(user, file);
      this.writers.set(key, [...(this.writers.get(key) ?? []).filter(this.isPresent), job]);
    }
    if (this.writers.size < this.sweptFrom) return;
    const kept = new FileNames<number[]>();
    for (const [key, jobs] of this.writers) if (jobs.some(this.isPresent)) kept.set(key, jobs);
    this.writers = kept;
    this.sweptFrom = Math.max(SWEPT_FROM, 2 * kept.size);
  }
}

/** Only a user's own jobs are in his way: others could name his files to keep him from them. */
function keyOf(user: string, file: string): string {
  return `${user}\n${file}`;
}

function fileOf(key: string): string {
  return key.slice(key.indexOf("\n") + 1);
}

/** A file that is another job's, as people write it, and which it may be. */
function shown(other: string, file: string): string {
  const [theirs, own] = [other, file].map((name) => name.replaceAll(ATTEMPT, "%t"));
  return theirs === own ? theirs! : `${theirs}, which may be ${own}`;
}

function attemptsOf({ retries }: JobRequest): number {
  return Math.min(retries + MORE_ATTEMPTS, MOST_ATTEMPTS);
}

/** The files that a job names, each once, for any attempt; devices take what many write. */
function filesOf({ output, errorOutput }: JobRequest, named: Named): Set<string> {
  const files = [output, errorOutput].flatMap((path) =>
    path === null ? [] : [normalize(outputFile(path, named, ATTEMPT))],
  );
  return new Set(files.filter((path) => !path.startsWith("/dev/")));
}
