import { diskFailure, type Disk } from "../system/disk.ts";
import type { KubernetesAttempt } from "./attempt.ts";
import type { ApiFailure } from "./connection.ts";
import { outputPath, podsPath, type Parts } from "./parts.ts";
import { CONTAINER, podNameOf } from "./pod.ts";

/** Of one attempt. What comes after it is left out, and a line says so. */
const LIMIT_BYTES = 256 * 1024 * 1024;
const CUT_LINE = `\ncroft: more than ${LIMIT_BYTES / 1024 / 1024} MiB were printed; the rest is not kept\n`;
/** Of the end of what is kept, so much is compared with the log. */
const TAIL_BYTES = 64 * 1024;
/** How long a log that is whole may be silent before its end. */
const SILENCE_SECONDS = 60;

/** How the reading of a log has ended. */
export interface ReadingEnd {
  /** Null: the server has ended it in order. That alone does not say that it was all: a node may have broken off. */
  readonly failure: ApiFailure | null;
  /** Of the log, what was not in the file before. */
  readonly addedBytes: number;
  /** Whether the log was shorter than what is in the file. */
  readonly isShort: boolean;
}

export interface LogReading {
  readonly stop: () => void;
  /** Resolves when nothing more is written. Never rejects. */
  readonly over: Promise<ReadingEnd>;
}

/**
 * Adds to the file of an attempt what the log of its pod has beyond it. A log cannot be read from the middle, so each
 * reading begins with what is in the file already. (The times of lines would tell the place, but kubelets before 1.26
 * put them into the midst of long lines.)
 *
 * @param isFollowed whether it is read on as it grows
 */
export function readLog(parts: Parts, attempt: KubernetesAttempt, isFollowed: boolean): LogReading {
  const stop = Promise.withResolvers<ApiFailure | null>();
  const over = read(parts, attempt, isFollowed, stop).catch((error: unknown) => ({
    failure: diskFailed(error),
    addedBytes: 0,
    isShort: false,
  }));
  return { stop: () => stop.resolve(failed("it was stopped")), over };
}

async function read(
  { connection, disk, clock, ...parts }: Parts,
  { id, key }: KubernetesAttempt,
  isFollowed: boolean,
  { promise: ended, resolve: end }: PromiseWithResolvers<ApiFailure | null>,
): Promise<ReadingEnd> {
  const path = outputPath(parts, key);
  const kept = await keptBytes(disk, path);
  if (kept >= LIMIT_BYTES) return { failure: null, addedBytes: 0, isShort: false };
  const refusal = new RefusalInLog();
  const tailAt = Math.max(0, kept - TAIL_BYTES);
  const tail = (await disk.read(path, tailAt, kept - tailAt))?.bytes ?? new Uint8Array();
  let seen = 0;
  let size = kept;
  let addedBytes = 0;
  let isBroken = false;
  let isOther = false;
  let writing = Promise.resolve();
  let cancelSilence: () => void = () => undefined;
  const listen = (): void => {
    cancelSilence();
    if (!isFollowed)
      cancelSilence = clock.after(SILENCE_SECONDS, () =>
        end({ ...failed(`nothing came for ${SILENCE_SECONDS} s`), status: 504 }),
      );
  };
  const add = (bytes: Uint8Array): Promise<void> => {
    const fresh = bytes.subarray(Math.min(Math.max(0, kept - seen), bytes.length));
    const from = Math.max(tailAt, seen);
    const to = Math.min(kept, seen + bytes.length);
    if (
      from < to &&
      Buffer.compare(bytes.subarray(from - seen, to - seen), tail.subarray(from - tailAt, to - tailAt)) !== 0
    )
      isOther = true;
    seen += bytes.length;
    // It is not the place at which the file ends: nothing is added at a wrong one.
    if (isOther) end({ ...failed(ROTATED_TEXT), reason: ROTATED });
    if (isOther || fresh.length === 0 || size >= LIMIT_BYTES) return writing;
    const room = LIMIT_BYTES - size;
    size += fresh.length;
    const isCut = fresh.length >= room;
    const content = isCut ? Buffer.concat([fresh.subarray(0, room), Buffer.from(CUT_LINE)]) : fresh;
    // After a failure nothing is added: a part of it may be there, and the next reading goes on from that.
    writing = writing
      .then(async () => {
        if (isBroken) return;
        await disk.append(path, content);
        addedBytes += content.length;
      })
      .catch((error: unknown) => {
        isBroken = true;
        end(diskFailed(error));
      });
    if (isCut) void writing.then(() => end(null));
    return writing;
  };
  listen();
  const stopStream = connection.follow(
    `${podsPath(parts)}/${podNameOf(id)}/log`,
    { container: CONTAINER, ...(isFollowed ? { follow: true } : {}) },
    () => undefined,
    (bytes) => {
      listen();
      // The server waits while the disk is slow.
      return add(refusal.filter(bytes));
    },
    (failure) => {
      if (failure === null) void add(refusal.rest());
      end(failure ?? refusal.failure());
    },
  );
  const failure = await ended;
  stopStream();
  cancelSilence();
  // What is being written must not be written again by the next reading.
  await writing;
  return { failure, addedBytes, isShort: seen < kept };
}

/**
 * What a kubelet says in the place of a log, with the status 200, where its runtime does not have the container any
 * more, or does not answer.
 */
const REFUSAL = "unable to retrieve container logs for ";
const REFUSAL_LINE = /^unable to retrieve container logs for \S+$/;
/** With the longest name of a container. */
const REFUSAL_CHARACTERS = 400;

/** Holds back the beginning of a log while it may be a refusal. */
class RefusalInLog {
  private held = new Uint8Array();
  private isLog = false;

  filter(bytes: Uint8Array): Uint8Array {
    if (this.isLog) return bytes;
    this.held = Buffer.concat([this.held, bytes]);
    if (this.mayBe()) return new Uint8Array();
    return this.rest();
  }

  /** What is held back and is the log's. */
  rest(): Uint8Array {
    const { held } = this;
    if (this.failure() !== null) return new Uint8Array();
    this.isLog = true;
    this.held = new Uint8Array();
    return held;
  }

  /** Null: what was read is a log. */
  failure(): ApiFailure | null {
    const text = new TextDecoder().decode(this.held);
    if (this.isLog || !REFUSAL_LINE.test(text)) return null;
    return { ok: false, status: 400, reason: "", message: text, retryAfterSeconds: null };
  }

  private mayBe(): boolean {
    const text = new TextDecoder().decode(this.held);
    if (text.length <= REFUSAL.length) return REFUSAL.startsWith(text);
    return text.length <= REFUSAL_CHARACTERS && REFUSAL_LINE.test(text);
  }
}

/** The size of a file. Only its bytes can be asked for, so they are halved. */
async function keptBytes(disk: Disk, path: string): Promise<number> {
  const has = async (at: number): Promise<boolean> => ((await disk.read(path, at, 1))?.bytes.length ?? 0) > 0;
  let low = 0;
  let high = LIMIT_BYTES;
  if (!(await has(0))) return 0;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (await has(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The reasons of failures that are not the API's. `ROTATED`: the log does not begin with what is in the file. */
export const DISK = "Disk";
export const ROTATED = "Rotated";
export const ROTATED_TEXT = "its node has rotated the log, and has only the last part of it";

function diskFailed(error: unknown): ApiFailure {
  return { ...failed(diskFailure(error)), reason: DISK };
}

function failed(message: string): ApiFailure {
  return { ok: false, status: null, reason: "", message, retryAfterSeconds: null };
}
