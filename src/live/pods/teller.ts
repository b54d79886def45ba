import { createHash } from "node:crypto";

import { isPassing, type ApiAnswer, type Connection } from "../engines/kubernetes/connection.ts";
import { isOfRights } from "../engines/kubernetes/missing-right.ts";
import type { Clock } from "../engines/system/clock.ts";
import type { ScheduledPod } from "./objects.ts";
import type { Verdict } from "./unit.ts";

interface TellerParts {
  readonly connection: Connection;
  readonly clock: Clock;
  /** The name of the scheduler, as events have it. */
  readonly name: string;
  /** Whether anything may be told: only who holds the lease does. */
  readonly mayTell: () => boolean;
}

interface News {
  readonly pod: ScheduledPod;
  readonly verdict: Verdict;
  hasCondition: boolean;
  tries: number;
}

/** Requests at a time: binds go before them. */
const AT_A_TIME = 4;
const TRIES = 5;
const RETRY_SECONDS = 2;
/** What has failed so often, or what no right allows, is tried with one pod after this time. */
const PROBE_SECONDS = 30;
/** Only a condition says these: they are no fault, and as many as there are pods. */
const QUIET: readonly Verdict["reason"][] = ["WaitingForTurn", "Preempting"];

/**
 * Tells pods why they are pending: by the condition `PodScheduled`, and by an event where something has to be done about
 * it. The latest that is to be told of a pod counts. An event's name follows from what it says, so that the same is told
 * once, by the next scheduler too.
 */
export class Teller {
  private readonly parts: TellerParts;
  /** By UID: the latest that is to be told of it. */
  private readonly latest = new Map<string, News>();
  private readonly queue = new Set<News>();
  private readonly running = new Map<string, Promise<void>>();
  /** By what of it and in which namespace: those that could not be told. They are when one of them can be. */
  private readonly postponed = new Map<string, Set<News>>();
  private cancelProbe: (() => void) | null = null;

  constructor(parts: TellerParts) {
    this.parts = parts;
  }

  tell(pod: ScheduledPod, verdict: Verdict): void {
    const news = { pod, verdict, hasCondition: false, tries: 0 };
    void this.drop(pod.metadata.uid);
    this.latest.set(pod.metadata.uid, news);
    this.queue.add(news);
    this.go();
  }

  /** Something that changes nothing of the pod's state. */
  note(pod: ScheduledPod, reason: string, message: string): void {
    void this.event(pod, "Normal", reason, message);
  }

  /** There is nothing to tell of it any more. Returns when nothing of it is under way. */
  async drop(uid: string): Promise<void> {
    this.queue.delete(this.latest.get(uid)!);
    this.latest.delete(uid);
    await this.running.get(uid);
  }

  close(): void {
    this.latest.clear();
    this.queue.clear();
    this.postponed.clear();
    this.cancelProbe?.();
  }

  /** Tells what has waited for the lease. */
  go(): void {
    // It is told when the lease is held again, unless there is later news of the pod.
    if (!this.parts.mayTell()) return;
    for (const news of this.queue) {
      const { uid } = news.pod.metadata;
      if (this.running.size >= AT_A_TIME) return;
      // One after the other, or the older could be the last to arrive.
      if (this.running.has(uid)) continue;
      this.queue.delete(news);
      const done = this.tellNow(news).finally(() => {
        this.running.delete(uid);
        this.go();
      });
      this.running.set(uid, done);
    }
  }

  private async tellNow(news: News): Promise<void> {
    const { pod, verdict } = news;
    if (!news.hasCondition) {
      const told = pod.status?.conditions?.find(({ type }) => type === "PodScheduled");
      const isNew = told?.reason !== verdict.reason || told.message !== verdict.message;
      if (isNew && !this.isDone(news, "condition", await this.condition(pod, verdict))) return;
      news.hasCondition = true;
    }
    if (!this.isLatest(news) || QUIET.includes(verdict.reason)) return;
    this.isDone(news, "event", await this.event(pod, "Warning", verdict.reason, verdict.message));
  }

  /** Whether nothing more is to be done about a part of some news, or else sees to it that it is tried again. */
  private isDone(news: News, part: "condition" | "event", answer: ApiAnswer): boolean {
    const key = `${part} ${news.pod.metadata.namespace}`;
    if (answer.ok) {
      for (const each of this.postponed.get(key) ?? []) if (this.isLatest(each)) this.queue.add(each);
      this.postponed.delete(key);
      return true;
    }
    if (!this.isLatest(news)) return true;
    if (isPassing(answer) && ++news.tries < TRIES) {
      this.parts.clock.after(Math.max(RETRY_SECONDS, answer.retryAfterSeconds ?? 0), () => {
        if (this.isLatest(news)) this.queue.add(news);
        this.go();
      });
      return false;
    }
    if (!isPassing(answer) && !isOfRights(answer.message)) return true;
    this.postponed.set(key, (this.postponed.get(key) ?? new Set()).add(news));
    this.cancelProbe ??= this.parts.clock.after(PROBE_SECONDS, () => this.probe());
    return false;
  }

  /** Tries one of those that could not be told, of each kind. */
  private probe(): void {
    this.cancelProbe = null;
    for (const [key, all] of this.postponed) {
      for (const news of all) if (!this.isLatest(news)) all.delete(news);
      const [first] = all;
      if (first === undefined) this.postponed.delete(key);
      else {
        // It goes behind the others, should it be for this one alone that it fails.
        all.delete(first);
        this.queue.add(first);
      }
    }
    if (this.postponed.size > 0) this.cancelProbe = this.parts.clock.after(PROBE_SECONDS, () => this.probe());
    this.go();
  }

  private isLatest(news: News): boolean {
    return this.latest.get(news.pod.metadata.uid) === news;
  }

  private condition({ metadata }: ScheduledPod, { reason, message, nominated }: Verdict): Promise<ApiAnswer> {
    const { namespace, name, uid } = metadata;
    const lastTransitionTime = secondTime(this.parts.clock);
    const condition = { type: "PodScheduled", status: "False", reason, message, lastTransitionTime };
    const nomination = nominated === undefined ? {} : { nominatedNodeName: nominated };
    return this.parts.connection.call({
      method: "PATCH",
      path: `/api/v1/namespaces/${namespace}/pods/${name}/status`,
      // Another pod of the same name is told nothing of this one.
      body: { metadata: { uid }, status: { conditions: [condition], ...nomination } },
    });
  }

  private event(
    { metadata: { namespace, name, uid } }: ScheduledPod,
    type: "Normal" | "Warning",
    reason: string,
    message: string,
  ): Promise<ApiAnswer> {
    const time = secondTime(this.parts.clock);
    const mark = createHash("sha256")
      .update(JSON.stringify([uid, reason, message]))
      .digest("hex")
      .slice(0, 16);
    return this.parts.connection.call({
      method: "POST",
      path: `/api/v1/namespaces/${namespace}/events`,
      body: {
        apiVersion: "v1",
        kind: "Event",
        metadata: { name: `${name.slice(0, 230)}.${mark}`, namespace },
        involvedObject: { apiVersion: "v1", kind: "Pod", namespace, name, uid },
        type,
        reason,
        // The API takes no more.
        message: message.slice(0, 1000),
        source: { component: this.parts.name },
        firstTimestamp: time,
        lastTimestamp: time,
        count: 1,
      },
    });
  }
}

function secondTime(clock: Clock): string {
  return new Date(clock.unixSeconds() * 1000).toISOString().replace(/\.\d+/, "");
}
