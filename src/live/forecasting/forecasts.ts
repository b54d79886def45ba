import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";

import type { JobRequest } from "../store/job-request.ts";
import { Refusal } from "../refusal.ts";
import type { Service } from "../service/service.ts";
import { ChangedJobs } from "./changed-jobs.ts";
import type { Answered, Asked } from "./forecast-thread.ts";
import { ForecastsRead } from "./kept-forecasts.ts";
import type { StartForecast } from "./start-forecast.ts";

/** Says when jobs will start. */
export interface Forecasts {
  /** The last forecast of a waiting or held job, as it is kept; null: none was made. It is a look-up, for lists too. */
  kept(job: number): StartForecast | null;
  /** A forecast of a job that is some seconds old at most; null: it does not wait to be started, or is held by hand. */
  of(job: number): Promise<StartForecast | null>;
  /** Machines were opened, closed or changed: what was never to start may start now. */
  farmChanged(): void;
  /** A job asks for something else, or may start again: what was forecast of it before is not told any more. */
  jobChanged(job: number): void;
  /** Of a job that is not submitted. */
  ofRequest(request: JobRequest, user: string): Promise<StartForecast>;
}

/** For a farm without forecasts. */
export const noForecasts: Forecasts = {
  kept: () => null,
  farmChanged: () => undefined,
  jobChanged: () => undefined,
  of: () => Promise.resolve(null),
  ofRequest: () => Promise.reject(new Refusal(503, "this farm makes no forecasts")),
};

const threadFile = new URL(
  import.meta.url.endsWith(".ts") ? "./forecast-thread.ts" : "./forecast-thread.js",
  import.meta.url,
);

/** How long a forecast answers for itself. */
const FRESH_SECONDS = 5;
/** After so long a newer one is waited for, and after so long, too, where that takes its time. */
const STALE_SECONDS = 15;
const PATIENCE_MILLISECONDS = 1500;
/** One that is older than this is not told any more. */
const OLDEST_SECONDS = 75;
/** What one may compute, of all waiting jobs or of one request. */
const BUDGET_MILLISECONDS = 800;
/** Whoever asks is told that there is none yet where the machine is too busy to make one in this time. */
const LONGEST_MILLISECONDS = 10_000;
/** How often all waiting and held jobs are forecast if nobody asks, for lists and to learn from. */
const RENEW_MILLISECONDS = 60_000;
/** With nothing waiting or held the thread ends after so long. */
const IDLE_MILLISECONDS = 600_000;
/** A service that stops does not wait for these times to be over. */
const NO_HOLD = { ref: false } as const;
/** Requests that wait for their forecast: each takes the budget. */
const MOST_REQUESTS = 8;

interface Waiting {
  readonly request: Asked["request"];
  readonly resolve: (answer: Answered) => void;
}

/** Forecasts by a thread, which reads the farm's database: the farm's loop only asks it, and looks up what it has kept. */
export class ThreadedForecasts implements Forecasts {
  private readonly path: string;
  private readonly serviceOf: () => Service;
  private readonly budgetMilliseconds: number;
  private readonly read: ForecastsRead;
  private readonly waiting: Waiting[] = [];
  private thread: Worker | null = null;
  private present: Waiting | null = null;
  private renewing: Promise<void> | null = null;
  /** By `performance.now`: when the last forecasts were begun. */
  private begunAt = -Infinity;
  private usedAt = -Infinity;
  /** Since 1970: when machines were last opened, closed or read anew. */
  private farmChangedAt = -Infinity;
  /** Of those that were since the last forecasts were begun. */
  private readonly changedJobs: ChangedJobs;
  /** Of requests that were asked lately. */
  private readonly recent = new Map<
    string,
    { readonly at: number; readonly forecast: Promise<StartForecast> }
  >();
  private readonly timer: NodeJS.Timeout;
  private isClosed = false;

  /**
   * @param path of the farm's database
   * @param data the folder of what is kept
   */
  constructor(
    path: string,
    data: string,
    serviceOf: () => Service,
    budgetMilliseconds = BUDGET_MILLISECONDS,
  ) {
    this.path = path;
    this.serviceOf = serviceOf;
    this.budgetMilliseconds = budgetMilliseconds;
    this.read = new ForecastsRead(data);
    this.changedJobs = new ChangedJobs((job) => serviceOf().books.jobs.has(job));
    this.timer = setInterval(() => this.renewLater(), RENEW_MILLISECONDS).unref();
  }

  kept(job: number): StartForecast | null {
    const kept = this.read.of(job, this.serviceOf().unixSeconds());
    return kept !== null && this.changedJobs.holds(job, kept) ? kept : null;
  }

  jobChanged(job: number): void {
    this.changedJobs.changed(job, this.serviceOf().unixSeconds());
  }

  farmChanged(): void {
    this.farmChangedAt = this.serviceOf().unixSeconds();
    this.recent.clear();
    this.renew().catch(() => undefined);
  }

  async of(job: number): Promise<StartForecast | null> {
    const kept = this.kept(job);
    const madeAt = kept === null ? -Infinity : Date.parse(kept.madeAt) / 1000;
    const age = madeAt < this.farmChangedAt ? Infinity : this.serviceOf().unixSeconds() - madeAt;
    if (age < FRESH_SECONDS) return kept;
    const asked = performance.now();
    const renewed = this.renew();
    if (age < OLDEST_SECONDS) {
      // The next who asks gets a newer one: whoever asks often waits for none.
      renewed.catch(() => undefined);
      if (age > STALE_SECONDS)
        await Promise.race([renewed, pause(PATIENCE_MILLISECONDS, null, NO_HOLD)]).catch(() => undefined);
      return this.kept(job) ?? kept;
    }
    const isAnswered = renewed.then(() => {
      // What was under way may have begun before the job came, or before the farm changed.
      const isOlder = (this.kept(job) === null || age === Infinity) && this.begunAt < asked;
      return isOlder ? this.renew() : undefined;
    });
    isAnswered.catch(() => undefined);
    await Promise.race([isAnswered, pause(LONGEST_MILLISECONDS, null, NO_HOLD)]);
    return this.kept(job);
  }

  ofRequest(request: JobRequest, user: string): Promise<StartForecast> {
    const now = performance.now();
    for (const [key, { at }] of this.recent) if (now - at > 1000 * FRESH_SECONDS) this.recent.delete(key);
    const { command: _, directory: __, ...asked } = request;
    const key = JSON.stringify([user, asked]);
    const known = this.recent.get(key);
    if (known !== undefined) return known.forecast;
    if (this.waiting.length >= MOST_REQUESTS)
      return Promise.reject(new Refusal(503, "too many ask for forecasts at the same time: try again"));
    const forecast = this.ask({ of: request, user }) as Promise<StartForecast>;
    this.recent.set(key, { at: now, forecast });
    // What is free now may be taken by the next who asks.
    const forget = (): boolean => this.recent.delete(key);
    forecast.then(({ isNow }) => isNow && forget(), forget);
    return forecast;
  }

  /** The farm's file was read again: the thread has to begin anew. */
  async restart(): Promise<void> {
    const { thread } = this;
    this.thread = null;
    this.begunAt = -Infinity;
    this.recent.clear();
    // Before anything is awaited: what is asked meanwhile is for the next thread, whose answers are not told apart.
    this.settle({ error: new Error("the farm was read again: ask once more") });
    await thread?.terminate();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.timer);
    const { thread } = this;
    this.thread = null;
    await thread?.terminate();
    const stopping: Answered = { error: new Error("the farm is stopping") };
    this.settle(stopping);
    for (const { resolve } of this.waiting.splice(0)) resolve(stopping);
    this.read.close();
  }

  /** One run ahead answers for all who ask meanwhile. */
  private renew(): Promise<void> {
    if (this.renewing !== null) return this.renewing;
    const begun = this.serviceOf().unixSeconds();
    this.renewing = this.ask(null)
      .then(() => {
        // There may have been no file before.
        this.read.close();
        this.changedJobs.forgetBefore(begun);
      })
      .finally(() => (this.renewing = null));
    return this.renewing;
  }

  private renewLater(): void {
    const { waiting, held } = this.serviceOf().journal.port.view.jobs;
    if (waiting > 0 || held > 0) this.renew().catch(() => undefined);
    else if (performance.now() - this.usedAt > IDLE_MILLISECONDS) void this.restart();
  }

  private async ask(request: Asked["request"]): Promise<StartForecast | number> {
    if (this.isClosed) throw new Refusal(503, "the farm is stopping");
    const answer = await new Promise<Answered>((resolve) => {
      this.waiting.push({ request, resolve });
      this.next();
    });
    if ("result" in answer) return answer.result;
    if ("refused" in answer) throw new Refusal(422, answer.refused);
    const why = answer.error instanceof Error ? answer.error.message : String(answer.error);
    throw new Refusal(503, `there is no forecast: ${why}`);
  }

  private next(): void {
    if (this.present !== null || this.isClosed) return;
    // Many wait for the forecasts of all.
    const all = this.waiting.findIndex(({ request }) => request === null);
    const first = this.waiting.splice(Math.max(0, all), 1)[0];
    if (first === undefined) return;
    this.present = first;
    this.thread ??= this.begin();
    const service = this.serviceOf();
    this.usedAt = performance.now();
    if (first.request === null) this.begunAt = this.usedAt;
    this.thread.postMessage({
      instant: { farmSeconds: service.farmTime(), unixSeconds: service.unixSeconds() },
      milliseconds: this.budgetMilliseconds,
      request: first.request,
    } satisfies Asked);
  }

  private begin(): Worker {
    const thread = new Worker(threadFile, { workerData: { path: this.path } });
    // A damaged file is put away by the thread.
    this.read.close();
    // An error of the thread itself, such as too little memory: the next question gets another thread.
    const lost = (error: unknown): void => {
      if (this.thread !== thread) return;
      this.thread = null;
      this.settle({ error });
    };
    thread.on("error", lost);
    thread.on("exit", (code) => lost(new Error(`its thread ended with code ${code}`)));
    thread.on("message", (answer: Answered) => {
      if (this.thread !== thread) return;
      // What the forecaster has in memory may be half of something.
      if ("error" in answer) this.drop(thread);
      this.settle(answer);
    });
    return thread;
  }

  private drop(thread: Worker): void {
    if (this.thread !== thread) return;
    this.thread = null;
    void thread.terminate();
  }

  private settle(answer: Answered): void {
    const { present } = this;
    this.present = null;
    present?.resolve(answer);
    this.next();
  }
}
