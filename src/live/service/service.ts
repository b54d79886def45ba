import { wrongCount } from "../../core/index.ts";
import { shareViews, type SharesView } from "../../simulation/index.ts";
import type { Report } from "../engines/engine.ts";
import { TokenMaker } from "../store/tokens.ts";
import { Acts } from "./acts.ts";
import { DEFAULT_RETENTION_SECONDS } from "../store/archive.ts";
import { Archiving } from "./archiving.ts";
import type { Books } from "./books.ts";
import { Comparisons } from "./comparisons.ts";
import { Ending } from "./ending.ts";
import type { Journal } from "./journal.ts";
import { Explaining } from "./explaining.ts";
import { LivePool } from "./live-pool.ts";
import { Loop } from "./loop.ts";
import { OutputFiles } from "./output-files.ts";
import { Pauses } from "./pauses.ts";
import { Delivery, type DeliveryCounts } from "../notify/delivery.ts";
import { Outbox } from "../store/outbox.ts";
import { Notifying } from "./notifying.ts";
import { NotingReasons } from "./noting-reasons.ts";
import { projectsOf, type PlainFarm } from "./plain-farm.ts";
import { Reconciling } from "./reconciling.ts";
import { Reasons } from "./reasons.ts";
import { Releasing } from "./releasing.ts";
import { Reports } from "./reports.ts";
import type { Requirements } from "./requirements.ts";
import type { ServiceParts } from "./service-parts.ts";
import { Scheduling } from "./scheduling.ts";
import { SendingOn } from "./sending-on.ts";
import { Submitting } from "./submitting.ts";
import { Timing } from "./timing.ts";
import type { Turn } from "./turn.ts";

/** The farm's service: the decision engine, driven by requests of users and reports of the pools' engines. */
export class Service {
  readonly books: Books;
  readonly journal: Journal;
  readonly pools: readonly LivePool[];
  readonly loop: Loop;
  readonly submitting: Submitting;
  readonly acts: Acts;
  readonly pauses: Pauses;
  readonly explaining: Explaining;
  readonly tokens: TokenMaker;
  readonly farm: PlainFarm;
  readonly requirements: Requirements;
  private readonly parts: ServiceParts;
  private readonly scheduling: Scheduling;
  private readonly ending: Ending;
  private readonly sendingOn: SendingOn;
  private readonly timing: Timing;
  private readonly comparisons: Comparisons;
  private readonly archiving: Archiving | null;
  readonly noting: NotingReasons | null;
  readonly notifying: Notifying;
  /** What channels were told, since this service was opened. */
  readonly delivered: DeliveryCounts = { delivered: 0, failed: 0, givenUp: 0 };
  private readonly deliveries: readonly Delivery[];
  /** The farm's clock: it goes on from the last event, by a clock that does not jump. */
  private readonly clockStart: number;
  private readonly clockBase: number;
  /** What is wrong with the disk; null: nothing. */
  writeError: string | null = null;
  /** Where the decision engine counts wrongly; null: nowhere. It decides nothing more then, and what runs goes on. */
  wrongCount: string | null = null;

  constructor(parts: ServiceParts) {
    const { database, clock, farm, planned, restored, crashPoint } = parts;
    const { books, journal, dependencies, arrayLimits, requirements, at } = restored;
    this.parts = parts;
    this.books = books;
    this.journal = journal;
    this.farm = farm;
    this.requirements = requirements;
    this.recount();
    this.clockStart = clock.monotonicSeconds();
    this.clockBase = parts.farmTime ?? Math.max(clock.unixSeconds(), at);
    this.pools = planned.map(
      ({ kind, engine }, number) =>
        new LivePool(number, kind.name, engine, farm.pools[number]!, crashPoint, parts.keep),
    );
    const { pools } = this;
    for (const pool of pools) pool.takeSizes(journal.port.view.pools[pool.number]!.machines);
    const start = parts.starting(pools);
    const unixOffset = (): number => clock.unixSeconds() - this.farmTime();
    const reasons = new Reasons({ books, journal, farm, pools, requirements, unixOffset });
    this.notifying = new Notifying({
      database,
      farm: parts.farmName,
      channels: parts.channels.map(({ name }) => name),
      wake: (channel) => this.deliveries.find(({ name }) => name === channel)?.wake(),
      warn: (text) => parts.log.warn({}, text),
    });
    const { notifying } = this;
    this.scheduling = new Scheduling({
      database,
      books,
      journal,
      pools,
      reasons,
      start,
    });
    const { scheduling } = this;
    const releasing = new Releasing(books, arrayLimits, scheduling);
    this.ending = new Ending({
      database,
      books,
      journal,
      dependencies,
      arrayLimits,
      notifying,
      scheduling,
      releasing,
    });
    const { ending } = this;
    const notice = (pool: string, text: string): void => parts.log.info({ pool }, text);
    const warn = (pool: string, text: string): void => parts.log.warn({ pool }, text);
    this.timing = new Timing(books, scheduling, releasing, ending);
    const machinesKnown = parts.machinesKnown ?? (() => undefined);
    const reports = new Reports({
      books,
      scheduling,
      ending,
      timing: this.timing,
      notifying,
      notice,
      warn,
      machinesKnown,
    });
    const outputFiles = new OutputFiles(database, (job) => books.jobs.has(job));
    const reconciling = new Reconciling({
      database,
      books,
      reports,
      outputFiles,
      numberIsTaken: (number) => this.submitting.skipTo(number),
      start,
      notice,
      warn,
    });
    const { timing } = this;
    this.submitting = new Submitting({
      database,
      lastNumber: parts.lastNumber,
      books,
      farm,
      requirements,
      dependencies,
      arrayLimits,
      scheduling,
      ending,
      timing,
      notifying,
      outputFiles,
    });
    this.sendingOn = new SendingOn({ database, books, journal, farm, requirements, scheduling, ending });
    this.tokens = new TokenMaker(database);
    const { submitting } = this;
    this.acts = new Acts({ books, scheduling, releasing, ending, timing, pools, farm, submitting });
    this.pauses = new Pauses(books, pools, this.acts, reports);
    this.loop = new Loop({
      database,
      clock,
      farmTime: () => this.farmTime(),
      crashPoint,
      decide: (turn) => this.decide(turn),
      nextTime: () => this.nextTime(),
      setWriteError: (reason) => this.setWriteError(reason),
      failed: (error) => {
        parts.log.error({ err: error.cause }, error.message);
        parts.failed(error);
      },
      soon: parts.soon ?? setImmediate,
      mostSteps: parts.mostSteps ?? Infinity,
      afterTurn: (turn, seconds) => {
        this.comparisons.noteTurn(turn);
        this.explaining.answerAll();
        parts.afterTurn?.(turn, seconds);
      },
    });
    const { data, log, reader, trials } = parts;
    const { loop, pauses } = this;
    this.comparisons = new Comparisons({
      clock,
      loop,
      pools,
      pauses,
      reports,
      reconciling,
      machinesKnown,
    });
    const outbox = new Outbox(database);
    this.deliveries = parts.channels.map(
      (channel) =>
        new Delivery({
          channel,
          outbox,
          clock,
          farmTime: () => this.farmTime(),
          write: (writes, event) =>
            loop.act((turn) => {
              for (const { sql, values } of writes) turn.write(sql, ...values);
              if (event !== undefined) turn.event("notify-failed", event);
            }),
          counts: this.delivered,
          isOver: () => notifying.isOver(),
          log,
        }),
    );
    const { environments } = this.submitting;
    this.archiving =
      data === null
        ? null
        : new Archiving({
            database,
            clock,
            log,
            loop,
            reader,
            environments,
            data,
            retentionSeconds: parts.retentionSeconds ?? DEFAULT_RETENTION_SECONDS,
          });
    this.noting =
      trials === null
        ? null
        : new NotingReasons({
            clock,
            log,
            loop,
            trials,
            farmTime: () => this.farmTime(),
            isAnyWaiting: () => journal.port.view.jobs.waiting > 0,
          });
    this.explaining = new Explaining({
      books,
      clock,
      dependencies,
      loop: this.loop,
      pools,
      reasons,
      scheduling,
      writeError: () => this.writeError,
    });
  }

  farmTime(): number {
    return this.clockBase + this.parts.clock.monotonicSeconds() - this.clockStart;
  }

  /** What projects have used, use and wait for. */
  shares(): SharesView[] {
    return shareViews(this.journal.port.view, this.farm.pools, projectsOf(this.farm), this.farmTime());
  }

  /** The farm's time as people see it, in seconds since 1970. */
  unixSeconds(): number {
    return this.parts.clock.unixSeconds();
  }

  /** Takes a report of a pool's engine: see `Engine.open`. */
  report(pool: number, report: Report): void {
    this.comparisons.report(this.pools[pool]!, report);
  }

  /** Compares the books with what the engines know; nothing new is decided before. */
  async start(): Promise<void> {
    const { database, crashPoint, restored } = this.parts;
    for (const row of database.all("SELECT pool, name, reason, actor, at FROM machine")) {
      const pool = this.pools.find(({ name }) => name === row["pool"]);
      const machine = pool?.machineNumber(String(row["name"]));
      if (pool !== undefined && machine !== undefined)
        pool.closings[machine]!.drain = {
          reason: String(row["reason"]),
          actor: String(row["actor"]),
          at: Number(row["at"]),
        };
    }
    this.pauses.load(database);
    crashPoint("before-reconcile");
    await this.comparisons.begin((turn) => {
      this.ending.goOn(turn);
      if (restored.wasUnknown) this.sendingOn.all(turn);
      this.notifying.goOn(turn);
    });
    crashPoint("after-reconcile");
    this.comparisons.goOn();
    this.archiving?.start();
    this.noting?.start();
    for (const delivery of this.deliveries) delivery.wake();
  }

  /** Stops: takes nothing more, writes all state, and leaves jobs running. */
  async stop(): Promise<void> {
    this.comparisons.stop();
    this.archiving?.stop();
    this.noting?.stop();
    for (const delivery of this.deliveries) delivery.stop();
    this.loop.stop();
    this.explaining.stop();
    const { database, crashPoint, log } = this.parts;
    this.recount();
    crashPoint("before-snapshot");
    try {
      if (this.loop.isWritten && this.wrongCount === null) database.commit(this.journal.snapshot());
    } catch (error) {
      log.warn(
        { err: error },
        "the state could not be written at the end: the next start goes on from the journal",
      );
    }
    crashPoint("after-snapshot");
    await Promise.all(this.pools.map(({ engine }) => engine.close()));
  }

  private decide(turn: Turn): void {
    const { books, journal } = this;
    for (const arrival of books.arrivals.values()) {
      if (arrival.at > turn.at) continue;
      const { engineJob: job, decision } = arrival;
      books.arrivals.delete(job);
      turn.write("DELETE FROM arrival WHERE engine_job = ?", job);
      this.scheduling.apply(turn, { type: "arrived", at: turn.at, job, decision });
    }
    this.timing.tick(turn);
    this.scheduling.tick(turn);
    turn.runNext();
    if (!journal.isLong(books.jobs.size)) return;
    this.recount();
    // A snapshot would keep what is wrong: the one before stays, and the journal.
    if (this.wrongCount !== null) return;
    this.parts.crashPoint("before-snapshot");
    for (const { sql, values } of journal.snapshot()) turn.write(sql, ...values);
    this.parts.crashPoint("after-snapshot");
  }

  /** Stops deciding if the decision engine counts wrongly. */
  private recount(): void {
    this.wrongCount ??= wrongCount(this.journal.port.view);
    if (this.wrongCount === null) return;
    this.parts.log.error(
      {},
      `nothing more is decided, since the decision engine counts wrongly: ${this.wrongCount}. Jobs run on, and can be cancelled. Please report it with a backup of the farm`,
    );
  }

  private nextTime(): number {
    if (this.wrongCount !== null) return Infinity;
    let time = this.journal.port.nextTime;
    for (const { at } of this.books.arrivals.values()) time = Math.min(time, at);
    if (this.timing.next < Infinity)
      time = Math.min(time, this.farmTime() + this.timing.next - this.unixSeconds());
    return time;
  }

  private setWriteError(reason: string | null): void {
    if (reason !== this.writeError && reason !== null)
      this.parts.log.error({}, `nothing can be written, so nothing is taken: ${reason}`);
    // At the level at which the error is told, or whoever reads the log believes that it goes on.
    if (reason === null) this.parts.log.warn({}, "it can be written again");
    this.writeError = reason;
  }
}
