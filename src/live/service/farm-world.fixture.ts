import { Port } from "../../core/index.ts";
import type { Farm } from "../../workload/index.ts";
import { simulated } from "../engines/simulated/kind.ts";
import type { SimulatedAttempt } from "../engines/simulated/attempt.ts";
import type { Engine, Report } from "../engines/engine.ts";
import { Lifeline } from "../engines/system/lifeline.fixture.ts";
import { MemoryDisk } from "../engines/system/memory-disk.fixture.ts";
import { VirtualClock } from "../engines/system/virtual-clock.fixture.ts";
import type { ReadyChannel } from "../notify/channels.ts";
import { Database } from "../store/database.ts";
import { inlineReader, type Reader } from "../reader/tasks.ts";
import { Draws } from "./draws.ts";
import { plainFarm, planPools, unansweredPools, type PlannedPool } from "./farm-plan.ts";
import { jobRequest, type JobRequest } from "../store/job-request.ts";
import { journalAfter, replay } from "./journal.ts";
import { engineSettings, type PlainFarm } from "./plain-farm.ts";
import { storedRequirements } from "./requirements.ts";
import { lastNumber } from "./last-number.ts";
import { knownMachines, readPast, restore } from "./restore.ts";
import { Service } from "./service.ts";
import { Starting } from "./starting.ts";

const SEED = 1;
const SQLITE_FULL = 13;

/** A whole farm in one process: simulated machines, a clock that is moved, a disk and a database in memory. */
export class FarmWorld {
  readonly clock = new VirtualClock();
  readonly disk = new MemoryDisk(this.clock);
  readonly database = new Database(":memory:");
  /** A real folder for old jobs' files; null: they stay. */
  data: string | null = null;
  /** What every commit fails with; null: they do not. */
  databaseFailsWith: string | null = null;
  /** Inputs and steps of a turn. */
  mostSteps = Infinity;
  /** Pools whose engines a service does not reach as it starts; no machines are known of them. */
  readonly unreached = new Set<string>();
  /** How often a service has heard of machines that nobody knew when it was opened. */
  machinesKnown = 0;
  /** What its log warns of. */
  readonly warnings: string[] = [];
  /** Why the last service ended; null: it did not. */
  failure: Error | null = null;
  /** A fault to be found: people are answered when their act is dealt with, before it is written. */
  answersEarly = false;
  /** What the channel `ops` does; null: the farm has no channel. */
  tell: ReadyChannel["tell"] | null = null;
  private farm: Farm;
  private life = new Lifeline();
  private opened: Service | null = null;
  /** The files of old jobs are written in real time, for which the moved clock has to wait. */
  private archiving: Promise<unknown> = Promise.resolve();

  constructor(farm: Farm) {
    this.farm = farm;
  }

  /** Starts the next service with another farm. */
  changeFarm(farm: Farm): void {
    this.farm = farm;
  }

  get isDead(): boolean {
    return this.life.isDead;
  }

  get service(): Service {
    return this.opened!;
  }

  /** A new service on what is there. What the one before still does has no effect. */
  async start(diesAtStep = Infinity): Promise<void> {
    this.life.die();
    const life = new Lifeline(diesAtStep);
    this.life = life;
    this.failure = null;
    const system = life.system(this.clock, this.disk, {
      run: () => Promise.reject(new Error("nothing is run")),
    });
    const dying = life.effects(this.database, {
      answers: ["all", "arrays", "get", "iterate", "iterateArrays"],
      sync: ["commit"],
    });
    // A service that died during a transaction must not continue.
    const database = new Proxy(dying, {
      get: (target, name) =>
        name === "commit"
          ? (writes: Parameters<Database["commit"]>[0]) => {
              if (this.databaseFailsWith !== null)
                throw Object.assign(new Error(this.databaseFailsWith), { errcode: SQLITE_FULL });
              target.commit(writes);
              if (life.isDead) throw new Error("dead");
            }
          : (Reflect.get(target, name) as unknown),
    });
    const planned = planPools(this.farm, (pool) => ({ ...system, folder: `/engines/${pool}` })).map((each) =>
      this.unreached.has(each.pool.name) ? unreached(each, () => !this.unreached.has(each.pool.name)) : each,
    );
    if (planned.some(({ kind }) => kind !== simulated))
      throw new Error("only simulated machines are of this world");
    const reportsBeforeService: [number, Report][] = [];
    let hear = (pool: number, report: Report): void => void reportsBeforeService.push([pool, report]);
    const steps = async (): Promise<void> => {
      const past = readPast(database);
      await Promise.all(planned.map(({ engine }, pool) => engine.open((report) => hear(pool, report))));
      const known = { ...knownMachines(database), unanswered: await unansweredPools(planned) };
      const restored = restore(database, past, plainFarm(this.farm, planned, SEED, known));
      const service = new Service({
        database,
        clock: system.clock,
        farm: restored.farm,
        planned,
        restored,
        lastNumber: await lastNumber(database, null),
        log: {
          info: () => undefined,
          warn: (_, text) => void this.warnings.push(text),
          error: () => undefined,
        },
        crashPoint: () => undefined,
        machinesKnown: () => void this.machinesKnown++,
        failed: (error) => {
          if (!life.isDead) this.failure = error;
        },
        soon: (run) => system.clock.after(0, run),
        mostSteps: this.mostSteps,
        data: this.data,
        farmName: "farm",
        channels:
          this.tell === null
            ? []
            : [life.effects<ReadyChannel>({ name: "ops", tell: this.tell }, { answers: [], sync: [] })],
        reader: this.reader(database),
        trials: null,
        keep: async () => undefined,
        starting: (pools) => {
          const makePlace = async (): Promise<void> => undefined;
          const { clock } = system;
          const starting = new Starting({
            database,
            clock,
            data: "/data",
            pools,
            runsAsUsers: false,
            umask: "022",
            makePlace,
          });
          return (attempt) => starting.start(attempt);
        },
      });
      if (this.answersEarly) answerEarly(service.loop);
      this.opened = service;
      hear = (pool, report) => service.report(pool, report);
      for (const [pool, report] of reportsBeforeService) service.report(pool, report);
      await service.start();
    };
    let isStarted = false;
    let failure: Error | null = null;
    void steps().then(
      () => (isStarted = true),
      (error: Error) => (failure = error),
    );
    await this.until("the service has started", () => isStarted || life.isDead || failure !== null);
    if (failure !== null && !life.isDead) throw failure as Error;
  }

  private reader(database: Database): Reader {
    const reader = inlineReader(database);
    return {
      do: (name, input) => {
        const result = reader.do(name, input);
        this.archiving = result.catch(() => undefined);
        return result;
      },
    };
  }

  die(): void {
    this.life.die();
  }

  /** An act of a person, and its answer; null where the service died before it could answer. */
  async act<Result>(
    deal: (service: Service) => Promise<Result>,
  ): Promise<{ answer: Result } | { refusal: Error } | null> {
    const life = this.life;
    let outcome: { answer: Result } | { refusal: Error } | null = null;
    void deal(this.service).then(
      (answer) => (life.isDead ? null : (outcome = { answer })),
      (error: Error) => (life.isDead ? null : (outcome = { refusal: error })),
    );
    await this.until("it is answered", () => outcome !== null || life.isDead);
    return outcome;
  }

  async until(what: string, isSo: () => boolean, patienceSeconds = 1e6): Promise<void> {
    const end = this.clock.monotonicSeconds() + patienceSeconds;
    while (!isSo()) {
      if (this.failure !== null) throw this.failure;
      await this.archiving;
      if (this.clock.monotonicSeconds() > end)
        throw new Error(`not within ${patienceSeconds} virtual seconds: ${what}`);
      if (!(await this.clock.step()) && !isSo()) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** How often each attempt began to run, by the machines' own record. */
  runs(): Map<string, number> {
    const counts = new Map<string, number>();
    const stopped = new Set<string>();
    for (const { name } of this.farm.pools)
      for (const line of this.disk.written(`/engines/${name}/attempts.jsonl`).split("\n")) {
        if (!line.includes('"key"')) continue;
        const row = JSON.parse(line) as SimulatedAttempt;
        // What runs after it was suspended goes on.
        if (row.state === "running" && !stopped.has(row.key))
          counts.set(row.key, (counts.get(row.key) ?? 0) + 1);
        if (row.state === "suspended") stopped.add(row.key);
        else stopped.delete(row.key);
      }
    return counts;
  }

  /** What is wrong with the books; nothing where all is well. */
  wrong(): string[] {
    const wrong: string[] = this.failure === null ? [] : [this.failure.message];
    const settings = this.database.all("SELECT text FROM settings");
    const requirements = storedRequirements(this.database);
    const farm = JSON.parse(String(settings[0]["text"])) as PlainFarm;
    const port = new Port(engineSettings(farm, requirements, new Draws(SEED).below));
    const other = replay(port, journalAfter(this.database, 0));
    if (other !== null) wrong.push(`event ${other.seq} of the journal leads to other decisions`);
    for (const { number } of this.database.all("SELECT number FROM job WHERE ended_at IS NULL"))
      if (!port.has(Number(number)))
        wrong.push(`job ${Number(number)} is not over, and nothing decides on it`);
    const present = new Set(port.save().numbers);
    for (const { number } of this.database.all("SELECT number FROM job WHERE ended_at IS NOT NULL"))
      if (present.has(Number(number))) wrong.push(`job ${Number(number)} is over, and is still decided on`);
    return wrong;
  }
}

/** An engine that is not reached when it is opened, and so lists no machines. */
function unreached(planned: PlannedPool, isReached: () => boolean): PlannedPool {
  const { engine } = planned;
  const answers: Partial<Engine> = {
    open: (hear) => engine.open((report) => (report.kind === "machine" ? undefined : hear(report))),
    machines: () => [],
    list: async () =>
      isReached() ? engine.list() : { kind: "unreachable", reason: "nobody answers", sinceUnixSeconds: 0 },
  };
  const own = (name: string | symbol): unknown => {
    const value = Reflect.get(engine, name) as unknown;
    return typeof value === "function" ? (value.bind(engine) as unknown) : value;
  };
  return {
    ...planned,
    engine: new Proxy(engine, { get: (_, name) => Reflect.get(answers, name) ?? own(name) }),
  };
}

function answerEarly(loop: Service["loop"]): void {
  const act = loop.act.bind(loop);
  loop.act = (deal) =>
    new Promise((resolve, reject) => {
      act((turn) => {
        const result = deal(turn);
        resolve(result);
        return result;
      }).catch(reject);
    });
}

/** A request for a simulated job. */
export function simulatedJob(more: Partial<JobRequest> = {}): JobRequest {
  return jobRequest(["pretend"], { memoryMiB: 100, ...more });
}
