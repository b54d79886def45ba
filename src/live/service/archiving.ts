import { movingNow, movingWrites, nextRanges, type Moving } from "../store/archive.ts";
import type { Database, Write } from "../store/database.ts";
import type { Reader } from "../reader/tasks.ts";
import type { Clock } from "../engines/system/clock.ts";
import { ARCHIVE_BATCH } from "../limits.ts";
import type { Environments } from "./environments.ts";
import type { Loop } from "./loop.ts";
import type { ServiceLog } from "./service-parts.ts";

export interface ArchivingParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: ServiceLog;
  readonly loop: Loop;
  readonly reader: Reader;
  readonly environments: Environments;
  /** The folder with all that the service keeps. */
  readonly data: string;
  /** How long after its month a job stays in the database. */
  readonly retentionSeconds: number;
}

const FIRST_SECONDS = 10;
const AGAIN_SECONDS = 3600;
/** Between two batches, so that other work goes on. */
const PAUSE_SECONDS = 0.02;

/**
 * Moves the jobs of months that are over into files: see `archive.ts`. What reads or writes very much is done by the
 * reader; on the loop, jobs are deleted a batch a turn.
 */
export class Archiving {
  private readonly parts: ArchivingParts;
  private isStopped = false;

  constructor(parts: ArchivingParts) {
    this.parts = parts;
  }

  start(): void {
    this.later(FIRST_SECONDS);
  }

  stop(): void {
    this.isStopped = true;
  }

  private later(seconds: number): void {
    const { clock, log } = this.parts;
    clock.after(seconds, () => {
      if (this.isStopped) return;
      void this.all()
        .catch((error: unknown) => {
          if (!this.isStopped) log.warn({ err: error }, "old jobs could not be moved into a file");
        })
        .then(() => this.later(AGAIN_SECONDS));
    });
  }

  /** Month by month, the oldest first; what was left in the middle before. */
  private async all(): Promise<void> {
    const { database, clock, reader, data, retentionSeconds } = this.parts;
    for (;;) {
      const left = movingNow(database);
      if (left !== null) {
        await this.move(left);
        continue;
      }
      const month = await reader.do("monthToMove", {
        folder: `${data}/history`,
        unixSeconds: clock.unixSeconds(),
        retentionSeconds,
      });
      if (month === null || this.isStopped) return;
      await this.write(movingWrites.begun(month));
    }
  }

  private async move(moving: Moving): Promise<void> {
    const { reader, log, data } = this.parts;
    let { ranges: all, done } = moving;
    if (all === null) {
      const { file } = moving;
      const { jobs, ranges } = await reader.do("fileMonth", moving);
      await this.write(movingWrites.filed(moving.name, ranges), `${jobs} jobs to ${file}`);
      log.info({ file, jobs }, "old jobs were moved into a file");
      all = ranges;
    }
    for (;;) {
      const ranges = nextRanges(all, done, ARCHIVE_BATCH);
      if (ranges.length === 0) break;
      // Before their rows, so that no folder is left of which nothing is known.
      const failed = await reader.do("removeOutput", { folder: `${data}/jobs`, ranges });
      if (failed > 0) log.warn({ failed }, "what old jobs have printed could not be deleted");
      await this.write(movingWrites.deleted(ranges));
      done = ranges.at(-1)![1];
    }
    await this.dropEnvironments();
    await this.write(movingWrites.moved());
  }

  private async dropEnvironments(): Promise<void> {
    const { reader, loop, environments } = this.parts;
    for (let above = 0; ;) {
      const unused = await reader.do("unusedEnvironments", { above, most: ARCHIVE_BATCH });
      if (unused.length === 0) return;
      await loop.act((turn) => environments.drop(turn, unused));
      above = unused.at(-1)!;
      await this.pause();
    }
  }

  private async write(writes: readonly Write[], event?: string): Promise<void> {
    await this.parts.loop.act((turn) => {
      for (const { sql, values } of writes) turn.write(sql, ...values);
      if (event !== undefined) turn.event("archived", { text: event });
    });
    await this.pause();
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => this.parts.clock.after(PAUSE_SECONDS, resolve));
  }
}
