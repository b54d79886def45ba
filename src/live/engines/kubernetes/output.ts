import type { KubernetesAttempt } from "./attempt.ts";
import { isPassing, type ApiFailure } from "./connection.ts";
import { outputPath, podsPath, type Parts } from "./parts.ts";
import { CONTAINER, podNameOf } from "./pod.ts";

/** Of one attempt. What comes after it is left out, and a line says so. */
const LIMIT_BYTES = 256 * 1024 * 1024;
const CUT_LINE = `\ncroft: more than ${LIMIT_BYTES / 1024 / 1024} MiB were printed; the rest is not kept\n`;
/** What may wait for the disk, of one attempt; then the stream is taken up again later. */
const WAITING_BYTES = 4 * 1024 * 1024;
const RETRY_SECONDS = 2;
/** How long the stream of a pod that has ended may take to its end. */
const END_SECONDS = 10;
/** How often the rest is asked for, when the node does not answer. */
const LAST_TRIES = 4;

interface Stream {
  readonly stop: () => void;
  /** Resolves when all that has come is on the disk: whether it was all. */
  readonly over: Promise<boolean>;
}

/**
 * Keeps what attempts print: a stream of each pod's log is added to a file. A pod that is deleted takes its log with it,
 * so it is read while the pod runs. A log cannot be read from the middle, so a stream that is taken up again begins with
 * what is in the file already.
 */
export class Output {
  private readonly parts: Parts;
  private readonly streams = new Map<string, Stream>();
  private readonly waiting = new Map<string, () => void>();
  private isClosed = false;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Keeps what the attempt prints from now on, and what it has printed. */
  follow(attempt: KubernetesAttempt): void {
    const { key } = attempt;
    if (this.isClosed || this.streams.has(key) || this.waiting.has(key)) return;
    const stream = this.read(attempt, true);
    this.streams.set(key, stream);
    void stream.over.then((isAll) => {
      if (isAll || this.isClosed || attempt.state === "over" || this.streams.get(key) !== stream) return;
      this.streams.delete(key);
      const cancel = this.parts.clock.after(RETRY_SECONDS, () => {
        this.waiting.delete(key);
        if (attempt.state === "running") this.follow(attempt);
      });
      this.waiting.set(key, cancel);
    });
  }

  /** Returns when all that an ended pod has printed is kept, or cannot be had any more. */
  async keepAll(attempt: KubernetesAttempt): Promise<void> {
    const { clock, report } = this.parts;
    const stream = this.streams.get(attempt.key);
    if (stream !== undefined && (await this.inTime(stream.over))) return this.drop(attempt.key);
    this.drop(attempt.key);
    for (let tries = 0; tries < LAST_TRIES && !this.isClosed; tries++) {
      if (await this.read(attempt, false).over) return;
      await new Promise<void>((resolve) => clock.after(RETRY_SECONDS * 2 ** tries, resolve));
    }
    report({ kind: "notice", text: `the end of what ${attempt.key} printed could not be read` });
  }

  /** Stops what is read of an attempt. */
  drop(key: string): void {
    this.streams.get(key)?.stop();
    this.streams.delete(key);
    this.waiting.get(key)?.();
    this.waiting.delete(key);
  }

  close(): void {
    this.isClosed = true;
    for (const key of [...this.streams.keys(), ...this.waiting.keys()]) this.drop(key);
  }

  /** Adds to the file what the log has beyond it. */
  private read(attempt: KubernetesAttempt, isFollowed: boolean): Stream {
    const { connection, disk } = this.parts;
    const path = outputPath(this.parts, attempt.key);
    let stopStream: () => void = () => undefined;
    let isStopped = false;
    let resolve: (isAll: boolean) => void = () => undefined;
    const over = new Promise<boolean>((each) => (resolve = each));
    const stop = (): void => {
      isStopped = true;
      stopStream();
      resolve(false);
    };
    const begin = async (): Promise<void> => {
      const kept = await this.keptBytes(path);
      if (isStopped) return;
      if (kept >= LIMIT_BYTES) return resolve(true);
      let skip = kept;
      let size = kept;
      let pending = 0;
      let writing = Promise.resolve();
      const add = (bytes: Uint8Array): void => {
        pending += bytes.length;
        writing = writing
          .then(() => (isStopped ? undefined : disk.append(path, bytes)))
          .then(() => void (pending -= bytes.length))
          .catch(stop);
      };
      const receive = (bytes: Uint8Array): void => {
        const fresh = bytes.subarray(Math.min(skip, bytes.length));
        skip -= bytes.length - fresh.length;
        if (fresh.length === 0) return;
        const room = LIMIT_BYTES - size;
        size += fresh.length;
        if (fresh.length >= room) {
          stopStream();
          add(fresh.subarray(0, room));
          add(new TextEncoder().encode(CUT_LINE));
          void writing.then(() => resolve(true));
          return;
        }
        add(fresh);
        if (pending > WAITING_BYTES) {
          stopStream();
          void writing.then(() => resolve(false));
        }
      };
      stopStream = connection.follow(
        `${podsPath(this.parts)}/${podNameOf(attempt.id)}/log`,
        { container: CONTAINER, ...(isFollowed ? { follow: true } : {}) },
        () => undefined,
        receive,
        (failure) => void writing.then(() => resolve(failure === null || isNever(failure))),
      );
    };
    begin().catch(stop);
    return { stop, over };
  }

  /** The size of a file. Only its bytes can be asked for, so they are halved. */
  private async keptBytes(path: string): Promise<number> {
    const { disk } = this.parts;
    const has = async (at: number): Promise<boolean> =>
      ((await disk.read(path, at, 1))?.bytes.length ?? 0) > 0;
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

  private async inTime(over: Promise<boolean>): Promise<boolean> {
    let cancel: () => void = () => undefined;
    const late = new Promise<boolean>((resolve) => {
      cancel = this.parts.clock.after(END_SECONDS, () => resolve(false));
    });
    const isAll = await Promise.race([over, late]);
    cancel();
    return isAll;
  }
}

/** There is no log, or none any more. */
function isNever(failure: ApiFailure): boolean {
  return !isPassing(failure);
}
