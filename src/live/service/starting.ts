import { join } from "node:path";

import type { StartRequest } from "../engines/engine.ts";
import type { Clock } from "../engines/system/clock.ts";
import { codeOf } from "../engines/system/disk.ts";
import { RESTORE, type Database, type Row } from "../store/database.ts";
import type { LiveAttempt } from "./books.ts";
import { readRequest, type JobRequest } from "../store/job-request.ts";
import type { LivePool } from "./live-pool.ts";
import { outputFile } from "./output-pattern.ts";
import { headingOf } from "./output-sections.ts";

const OF_THE_DISK: readonly (string | undefined)[] = ["ENOSPC", "EDQUOT", "EROFS", "EIO"];
const RETRY_SECONDS = 1;
/** How long a job has between SIGTERM and SIGKILL when it is above a limit. */
const GRACE_SECONDS = 30;

/** As docs/farm-file.md tells. */
const DEFAULT_OUTPUT_MIB = 10 * 1024;

/** Where the farm keeps what a job prints. */
export function outputPath(data: string, job: number, attempt: number, stream: "stdout" | "stderr"): string {
  return join(data, "jobs", String(job), attempt === 1 ? stream : `${stream}.${attempt}`);
}

export interface StartingParts {
  readonly database: Database;
  readonly clock: Clock;
  /** The folder with all that the service keeps. */
  readonly data: string;
  readonly pools: readonly LivePool[];
  /** Whether the service is root: then each job runs as its user. */
  readonly runsAsUsers: boolean;
  /** The service's own, for jobs that say none. */
  readonly umask: string;
  /** The most that is kept of each stream of a job; absent: the default. */
  readonly outputMiB?: number;
  /** Makes a folder, those above it and empty files in it; what is there stays as it is. */
  readonly makePlace: (folder: string, files: readonly string[]) => Promise<unknown>;
}

/** Makes the request to an engine from a job's row. */
export class Starting {
  private readonly database: Database;
  private readonly clock: Clock;
  private readonly data: string;
  private readonly pools: readonly LivePool[];
  private readonly runsAsUsers: boolean;
  private readonly umask: string;
  private readonly outputMiB: number;
  private readonly makePlace: StartingParts["makePlace"];
  /** Those that start when their folder is made. */
  private readonly withoutPlace = new Set<LiveAttempt>();

  constructor(parts: StartingParts) {
    const { database, clock, data, pools, runsAsUsers, umask, makePlace } = parts;
    this.outputMiB = parts.outputMiB ?? DEFAULT_OUTPUT_MIB;
    this.database = database;
    this.clock = clock;
    this.data = data;
    this.pools = pools;
    this.runsAsUsers = runsAsUsers;
    this.umask = umask;
    this.makePlace = makePlace;
  }

  start(attempt: LiveAttempt): void {
    // Each comparison of the books asks for it again.
    if (this.withoutPlace.has(attempt)) return;
    const { job } = attempt;
    const row = this.database.get(
      "SELECT request, environment.text AS environment FROM job JOIN environment ON environment.id = job.environment WHERE number = ?",
      job.number,
    );
    const { request, environment } = this.read(job.number, row);
    const pool = this.pools[attempt.pool]!;
    const { limits, output: keeps } = pool.engine.capabilities;
    const { memoryMiB, coresMilli } = attempt.placement[0]!;
    // Other users may not write into the farm's folder, and other machines do not have it: then the engine keeps
    // what the job prints until it is over.
    const writesToFarm = keeps === "farm" && (!this.runsAsUsers || job.user === "root");
    const path = (stream: "stdout" | "stderr"): string | null =>
      writesToFarm ? outputPath(this.data, job.number, attempt.attempt, stream) : null;
    const own = (pattern: string | null): string | null =>
      pattern === null
        ? null
        : outputFile(pattern, { ...request, user: job.user, number: job.number }, attempt.attempt);
    const [output, errorOutput] = [own(request.output), own(request.errorOutput)];
    const stdoutPath = output ?? path("stdout");
    const stderrPath = errorOutput ?? (output === null ? path("stderr") : stdoutPath);
    const kept = [path("stdout"), path("stderr")];
    const files = [stdoutPath, stderrPath].flatMap((file) => (kept.includes(file) ? (file ?? []) : []));
    const start: StartRequest = {
      id: { job: job.id, attempt: attempt.attempt },
      placement: attempt.placement,
      command: request.command,
      directory: request.directory,
      environment: {
        ...environment,
        CROFT_JOB_NUMBER: String(job.number),
        CROFT_JOB_ATTEMPT: String(attempt.attempt),
        CROFT_JOB_CORES: String(coresMilli / 1000),
        ...(memoryMiB === 0 ? {} : { CROFT_JOB_MEMORY_MIB: String(memoryMiB) }),
        ...(request.array === null ? {} : { CROFT_JOB_INDEX: String(request.array.index) }),
      },
      user: this.runsAsUsers ? job.user : null,
      stdinPath: request.input,
      stdoutPath,
      stderrPath,
      ...(output === null && errorOutput === null
        ? {}
        : {
            heading: headingOf(job.number, attempt.attempt, this.clock.unixSeconds()),
            makesFolders: request.makeFolders,
          }),
      umask: request.umask ?? this.umask,
      softLimits: request.softLimits,
      limits: {
        memoryMiB: memoryMiB === 0 ? null : memoryMiB,
        // A limit of cores is set only if the engine enforces it. A watched limit would end jobs for using a free
        // core, which would be a surprise.
        coresMilli: limits.cores === "enforced" ? coresMilli : null,
        seconds: job.timeSeconds,
        ...(request.signal === null
          ? {}
          : { warning: { signal: request.signal.name, seconds: request.signal.secondsBefore } }),
        output: { bytes: Math.ceil(this.outputMiB * 1024 * 1024), paths: files },
        graceSeconds: GRACE_SECONDS,
      },
    };
    if (!writesToFarm) return pool.start(start);
    this.withoutPlace.add(attempt);
    // The launcher has the umask of the job, and the farm's own files are for the farm alone.
    void this.insistOn(join(this.data, "jobs", String(job.number)), files, attempt).then(() => {
      this.withoutPlace.delete(attempt);
      // An earlier call may have started it: its engine may have run it and have been told to forget it.
      if (attempt.intent === "start") pool.start(start);
    });
  }

  private read(
    job: number,
    row: Row | undefined,
  ): { request: JobRequest; environment: Record<string, string> } {
    try {
      return {
        request: readRequest(String(row?.["request"])),
        environment: JSON.parse(String(row?.["environment"])) as Record<string, string>,
      };
    } catch (error) {
      const { path } = this.database;
      throw new Error(`${path}: the row of job ${job} is damaged (${(error as Error).message}): ${RESTORE}`, {
        cause: error,
      });
    }
  }

  /** Makes folder and files as soon as the disk takes it: that it is full or read-only now is not the job's fault. */
  private async insistOn(folder: string, files: readonly string[], attempt: LiveAttempt): Promise<void> {
    for (;;) {
      try {
        await this.makePlace(folder, files);
        return;
      } catch (error) {
        // With no folder for another reason the attempt fails to start, and says so.
        if (!OF_THE_DISK.includes(codeOf(error)) || attempt.intent !== "start") return;
      }
      await new Promise<void>((resolve) => this.clock.after(RETRY_SECONDS, resolve));
    }
  }
}
