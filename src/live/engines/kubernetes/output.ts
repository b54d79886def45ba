import type { Doing } from "../engine.ts";
import type { KubernetesAttempt } from "./attempt.ts";
import type { ApiFailure } from "./connection.ts";
import { DISK, readLog, ROTATED, ROTATED_TEXT, type LogReading, type ReadingEnd } from "./log-reading.ts";
import type { Pod } from "./objects.ts";
import { podsPath, type Parts } from "./parts.ts";
import { podNameOf } from "./pod.ts";

const RETRY_SECONDS = { first: 2, longest: 30 };
/** How long the stream of a pod that has ended may take to its end. */
const END_SECONDS = 10;
/** From when on a log that cannot be read is told. An API server that has just started forbids all for a moment. */
const TOLD_FAILURES = 3;
/** How long the pod of an ended attempt is kept for its log to be read: a person may have to give a right. */
const KEPT_SECONDS = 3600;
/** The same, where the node says that it has nothing: it may only have to start its runtime. */
const NOTHING_SECONDS = 60;
/** How often a log may be shorter than what is kept: a node breaks off in order too, and it rotates logs. */
const SHORT_READINGS = 3;

/** What has become of what an ended attempt has printed. */
export interface Kept {
  /** Why the end of it is lost; null: it is all there. */
  readonly lost: string | null;
}

/** The log of an attempt. */
interface Log {
  reading: LogReading | null;
  /** Of the stream; resolves when what has come of it is known. */
  following: Promise<void>;
  cancelPause: (() => void) | null;
  /** Readings that have failed one after another. */
  failures: number;
  isTold: boolean;
  /** Whether the last stream was ended in order. */
  isEnded: boolean;
  /** Since when the attempt has ended, and the rest is being read; null: it has not. By the wall clock. */
  endingSince: number | null;
  /** What keeps the rest from being read, in words; null: nothing does. */
  trouble: string | null;
  isDropped: boolean;
  kept: Kept | null;
}

/**
 * Keeps what attempts print: a stream of each pod's log is added to a file. A pod that is deleted takes its log with it,
 * so it is read while the pod runs. No end of a stream says that it was all: an API server or a kubelet that stops may
 * end it in order. So it is taken up again, and the whole log is compared after the attempt's end.
 */
export class Output {
  private readonly parts: Parts;
  private readonly logs = new Map<string, Log>();
  /** Whether it was told that no log may be read. */
  private isRefusalTold = false;
  private isClosed = false;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Keeps what the attempt prints from now on, and what it has printed. */
  follow(attempt: KubernetesAttempt): void {
    // Another pod may have the name of one that is gone.
    if (this.isClosed || attempt.presence === "gone") return;
    const log = this.logOf(attempt.key);
    if (log.endingSince !== null || log.reading !== null || log.cancelPause !== null) return;
    log.following = this.read(attempt, log, true).then(({ failure }) => {
      // A pod that is gone says nothing of the stream before, nor does what its node has rotated away.
      if (failure?.status !== 404 && failure?.reason !== ROTATED) log.isEnded = failure === null;
      if (log.isDropped || log.endingSince !== null) return;
      log.cancelPause = this.parts.clock.after(pauseSeconds(log, failure), () => {
        log.cancelPause = null;
        if (attempt.state === "running") this.follow(attempt);
      });
    });
  }

  /**
   * What has become of what an ended attempt has printed; null: it is still being read, and the attempt is dealt with
   * again then.
   */
  keep(attempt: KubernetesAttempt): Kept | null {
    if (this.isClosed) return null;
    const log = this.logOf(attempt.key);
    if (log.endingSince !== null) return log.kept;
    log.endingSince = this.parts.clock.unixSeconds();
    log.cancelPause?.();
    void this.readRest(attempt, log).then((kept) => {
      if (log.isDropped) return;
      log.kept = kept;
      this.parts.reconcileSoon(attempt);
    });
    return null;
  }

  /** Whether an attempt has ended, and waits for what it printed to be read. */
  doing(key: string): Doing | null {
    const { endingSince = null, kept = null, trouble = null } = this.logs.get(key) ?? {};
    if (endingSince === null || kept !== null) return null;
    const text = `it has ended on its node; what it printed is still being read${trouble === null ? "" : `: ${trouble}`}`;
    return { text, sinceUnixSeconds: endingSince };
  }

  /** Stops what is read of an attempt. */
  drop(key: string): void {
    const log = this.logs.get(key);
    if (log === undefined) return;
    this.logs.delete(key);
    log.isDropped = true;
    log.cancelPause?.();
    log.reading?.stop();
  }

  close(): void {
    this.isClosed = true;
    for (const key of this.logs.keys()) this.drop(key);
  }

  private logOf(key: string): Log {
    const known = this.logs.get(key);
    if (known !== undefined) return known;
    const log: Log = {
      reading: null,
      following: Promise.resolve(),
      cancelPause: null,
      failures: 0,
      isTold: false,
      isEnded: false,
      endingSince: null,
      trouble: null,
      isDropped: false,
      kept: null,
    };
    this.logs.set(key, log);
    return log;
  }

  private async read(attempt: KubernetesAttempt, log: Log, isFollowed: boolean): Promise<ReadingEnd> {
    const reading = readLog(this.parts, attempt, isFollowed);
    log.reading = reading;
    const end = await reading.over;
    log.reading = null;
    if (end.failure === null) this.isRefusalTold = false;
    if (end.failure === null || end.addedBytes > 0) log.failures = 0;
    else if (++log.failures >= TOLD_FAILURES && !log.isDropped) this.tell(attempt, log, end.failure);
    return end;
  }

  /** Reads what is not kept yet of an attempt that has ended. */
  private async readRest(attempt: KubernetesAttempt, log: Log): Promise<Kept> {
    const { clock } = this.parts;
    const cancel = clock.after(END_SECONDS, () => log.reading?.stop());
    await log.following;
    cancel();
    const gone: Kept = { lost: log.isEnded ? null : "its pod is gone" };
    let shortReadings = 0;
    let failsSince: number | null = null;
    while (attempt.presence !== "gone") {
      const { failure, addedBytes, isShort } = await this.read(attempt, log, false);
      // The next reading tells whether this one has come to the end.
      if (failure === null && addedBytes > 0) continue;
      if (failure === null && !isShort) return { lost: null };
      if (failure?.reason === ROTATED || (isShort && failure === null && ++shortReadings >= SHORT_READINGS))
        return { lost: log.isEnded ? null : ROTATED_TEXT };
      const pod = failure === null ? "there" : await this.lookAt(attempt, failure);
      if (pod === "gone") return gone;
      log.trouble = failure === null ? null : troubleText(failure, pod);
      if (failure === null || pod === "away") failsSince = null;
      else {
        failsSince ??= clock.monotonicSeconds();
        if (clock.monotonicSeconds() - failsSince >= patienceSeconds(failure))
          return { lost: failure.message };
      }
      await new Promise<void>((resolve) => {
        if (!log.isDropped) log.cancelPause = clock.after(pauseSeconds(log, failure), resolve);
      });
    }
    return gone;
  }

  /** Where the pod is whose log cannot be read. `away`: nothing can be asked for, or nothing kept, at all. */
  private async lookAt(
    { id, record }: KubernetesAttempt,
    { status, reason }: ApiFailure,
  ): Promise<"there" | "gone" | "away"> {
    if (reason === DISK) return "away";
    if (status !== null && status !== 401 && status !== 404) return "there";
    const path = `${podsPath(this.parts)}/${podNameOf(id)}`;
    const answer = await this.parts.connection.call({ method: "GET", path });
    if (answer.ok) return (answer.value as Pod).metadata.uid === record.uid ? "there" : "gone";
    if (answer.status === 404) return "gone";
    return answer.status === null || answer.status === 401 ? "away" : "there";
  }

  private tell({ key }: KubernetesAttempt, log: Log, { status, reason, message }: ApiFailure): void {
    const { report } = this.parts;
    if (status === 403) {
      if (!this.isRefusalTold)
        report({
          kind: "notice",
          text: `what jobs print cannot be read: ${message}. Give the service the right to get pods/log, as examples/kubernetes/own-jobs.yaml does. A job that has ended waits for that, for at most ${KEPT_SECONDS / 60} min`,
          warns: true,
        });
      this.isRefusalTold = true;
      return;
    }
    // That the API server does not answer, or not to these credentials, is told of the pool, and a pod that is gone
    // when the attempt is over.
    const isToldElsewhere = status === null ? reason !== DISK : status === 401 || status === 404;
    if (log.isTold || isToldElsewhere) return;
    log.isTold = true;
    const text = `what ${key} prints cannot be read now, and is asked for again: ${message}`;
    report({ kind: "notice", text, warns: true });
  }
}

function pauseSeconds({ failures }: Log, failure: ApiFailure | null): number {
  const { first, longest } = RETRY_SECONDS;
  const pause = Math.min(longest, first * 2 ** Math.max(0, failures - 1));
  return Math.max(pause, Math.min(failure?.retryAfterSeconds ?? 0, 60));
}

/** How long a failure is borne after the attempt's end. */
function patienceSeconds({ status, message }: ApiFailure): number {
  const hasNothing = status === 404 || (status === 400 && NOTHING.test(message));
  return hasNothing ? NOTHING_SECONDS : KEPT_SECONDS;
}

/** In words. What is away is waited for. */
function troubleText(failure: ApiFailure, pod: "there" | "away"): string {
  const { status, message } = failure;
  if (pod === "away") return `${message}. It is asked for again until it can be`;
  const right = status === 403 ? " The service has no right to get pods/log." : "";
  return `${message}.${right} It is asked for again for ${patienceSeconds(failure) / 60} min, and then what is not read is lost`;
}

/** How kubelets say that a container or its log is gone. */
const NOTHING =
  /unable to retrieve container logs for|is not available|is terminated$|no such file or directory|not found/;
