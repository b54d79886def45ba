import { attemptKey, parseAttemptKey, type AttemptId } from "../attempt-id.ts";
import type { Capabilities, Engine, Listing, Machine, Report, StartRequest, Unreachable } from "../engine.ts";
import type { System } from "../engine-kind.ts";
import { repeated } from "../outcome.ts";
import { Reachability } from "../reachability.ts";
import { Sequences } from "../sequences.ts";
import { Users } from "../users.ts";
import { FILES } from "../wrapper/records.ts";
import { wrapperScript } from "../wrapper/script.ts";
import { findAttempt, known, type SlurmAttempt } from "./attempt.ts";
import { SlurmCli } from "./cli.ts";
import { endAttempt, launch } from "./doing.ts";
import { Fleet } from "./fleet.ts";
import { attemptPath, attemptsPath, wrapperPath, type Parts } from "./parts.ts";
import { isOver, type SlurmJob } from "./queue.ts";
import type { SlurmSettings } from "./settings.ts";
import { settle, type Snapshot } from "./settling.ts";
import { commentOf } from "./submission.ts";

/** After something was done, while something is about to happen, while attempts run, while there is nothing, while nobody answers. */
const POLL_SECONDS = { again: 0.05, soon: 0.25, running: 1, idle: 10, unreachable: 2 } as const;
const FLEET_SECONDS = 5;

/**
 * Looks at the queue with one command, at the records of attempts, decides for each attempt what is to be
 * done (`decide.ts`), and does it. Wishes only change what is decided, so they stand while Slurm is away.
 */
export class SlurmEngine implements Engine {
  readonly capabilities: Capabilities = {
    suspend: "none",
    pinning: true,
    startLatencySeconds: 1,
    restartCostSeconds: 2,
    limits: { memory: "unknown", cores: "unknown", time: "watched" },
    survives: { service: true, engine: true, machine: false },
  };
  private readonly parts: Parts;
  private readonly fleet: Fleet;
  private readonly reachability: Reachability;
  private readonly turns: Sequences;
  private reports: (report: Report) => void = () => undefined;
  private foreign: readonly string[] = [];
  private snapshot: Snapshot | null = null;
  private bootTime: string | null = null;
  private readonly settling = new Map<string, Promise<void>>();
  private fleetSeenAt = -Infinity;
  private cancelTimer: () => void = () => undefined;
  private polling: Promise<void> | null = null;
  private isPolledAgain = false;
  private isClosed = false;

  constructor(settings: SlurmSettings, system: System) {
    const { clock, disk, commands, folder } = system;
    const report = (each: Report): void => this.reports(each);
    this.reachability = new Reachability(clock, report);
    this.turns = new Sequences((error) =>
      report({ kind: "notice", text: `an attempt could not be dealt with: ${String(error)}` }),
    );
    this.fleet = new Fleet(settings.partition, report);
    this.parts = {
      clock,
      disk,
      folder,
      cli: new SlurmCli(commands, settings.configPath),
      users: new Users(commands, settings.allowRoot),
      settings,
      attempts: new Map(),
      machine: (name) => this.fleet.get(name),
      report,
      unreachable: (reason) => this.reachability.lost("slurm", reason),
      insist: (task) => this.reachability.insist(task),
      lookSoon: () => this.pollSoon(),
    };
  }

  async open(reports: (report: Report) => void): Promise<void> {
    this.reports = reports;
    const { disk, attempts } = this.parts;
    // Jobs of other users have to come through to their own folders.
    await disk.makeFolder(attemptsPath(this.parts), 0o711);
    await disk.writeWhole(wrapperPath(this.parts), wrapperScript);
    const foreign: string[] = [];
    for (const name of await disk.list(attemptsPath(this.parts))) {
      const found = await findAttempt(disk, attemptsPath(this.parts), name);
      if (found === "foreign") foreign.push(`attempts/${name}`);
      else if (found !== null) attempts.set(name, found);
    }
    this.foreign = foreign;
    if (foreign.length > 0)
      reports({ kind: "notice", text: `left alone in ${this.parts.folder}: ${foreign.join(", ")}` });
    await this.poll();
    await Promise.all(this.settling.values());
  }

  machines(): readonly Machine[] {
    return this.fleet.all();
  }

  start(request: StartRequest): void {
    this.inTurn(request.id, async (attempt) => {
      if (attempt === undefined) return launch(this.parts, request);
      attempt.isWanted = true;
      if (!this.repeat(attempt)) this.pollSoon();
    });
  }

  suspend(id: AttemptId): void {
    this.inTurn(id, async (attempt) => {
      if (attempt?.state === "over") return void this.repeat(attempt);
      const refusal =
        this.capabilities.suspend === "none"
          ? "only Slurm's administrators may suspend jobs"
          : attempt === undefined || attempt.state === "starting"
            ? "it does not run"
            : attempt.ending !== null
              ? "it is being ended"
              : null;
      if (attempt === undefined || refusal !== null)
        return this.reports({ kind: "suspend-failed", id, reason: refusal ?? "it is not known" });
      attempt.wish = "suspended";
      this.pollSoon();
    });
  }

  resume(id: AttemptId): void {
    this.inTurn(id, async (attempt) => {
      if (attempt?.state === "over") return void this.repeat(attempt);
      if (attempt === undefined || attempt.state === "starting")
        return this.reports({ kind: "resume-failed", id, reason: "it is not suspended" });
      attempt.wish = "running";
      this.pollSoon();
    });
  }

  end(id: AttemptId, graceSeconds: number): void {
    this.inTurn(id, async (attempt) => {
      if (attempt?.state === "over") return void this.repeat(attempt);
      await endAttempt(this.parts, id, attempt, "asked", graceSeconds);
      this.pollSoon();
    });
  }

  async list(): Promise<Listing | Unreachable> {
    const { unreachable } = this.reachability;
    if (unreachable !== null || this.snapshot === null)
      return unreachable ?? { kind: "unreachable", reason: "not looked yet", sinceUnixSeconds: 0 };
    const { attempts } = this.parts;
    const strangers = [...this.snapshot.jobs.entries()]
      .filter(([key, jobs]) => !attempts.has(key) && jobs.some((job) => !isOver(job)))
      .map(([key, jobs]) => `job ${jobs[0]!.id} in Slurm: ${key}`);
    return {
      kind: "listing",
      attempts: Array.from(attempts.values(), known),
      foreign: [...this.foreign, ...strangers],
    };
  }

  async forget(id: AttemptId): Promise<void> {
    const key = attemptKey(id);
    await this.turns.run(key, async () => {
      if (this.parts.attempts.get(key)?.state !== "over") return;
      await this.parts.disk.remove(attemptPath(this.parts, key));
      this.parts.attempts.delete(key);
    });
  }

  async output(
    id: AttemptId,
    stream: "stdout" | "stderr",
    fromByte: number,
    limitBytes: number,
  ): Promise<Uint8Array | null> {
    const path = `${attemptPath(this.parts, attemptKey(id))}/${FILES[stream]}`;
    return (await this.parts.disk.read(path, fromByte, limitBytes))?.bytes ?? null;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.reports = () => undefined;
    this.cancelTimer();
    await this.polling;
    if (this.reachability.unreachable === null) await this.turns.idle();
  }

  private inTurn(id: AttemptId, task: (attempt: SlurmAttempt | undefined) => Promise<void>): void {
    const key = attemptKey(id);
    void this.turns.run(key, () => task(this.parts.attempts.get(key)));
  }

  /** Says again how an attempt stands; false where it is still to start. */
  private repeat(attempt: SlurmAttempt): boolean {
    const report = repeated(known(attempt));
    if (report !== null) this.reports(report);
    return report !== null;
  }

  private pollSoon(): void {
    this.isPolledAgain = true;
    if (this.polling === null) this.pollIn(0);
  }

  private pollIn(seconds: number): void {
    this.cancelTimer();
    if (!this.isClosed) this.cancelTimer = this.parts.clock.after(seconds, () => void this.poll());
  }

  private poll(): Promise<void> {
    this.polling ??= this.pollOnce()
      .catch((error: unknown) =>
        this.reports({ kind: "notice", text: `Slurm could not be looked at: ${String(error)}` }),
      )
      .then(() => {
        this.polling = null;
        this.pollIn(this.isPolledAgain ? POLL_SECONDS.again : this.pauseSeconds());
      });
    return this.polling;
  }

  private async pollOnce(): Promise<void> {
    this.isPolledAgain = false;
    const { clock, cli, users, attempts } = this.parts;
    const takenAt = clock.monotonicSeconds();
    const queue = await cli.queue(users.isRoot ? null : process.getuid!());
    if (!queue.ok) return this.reachability.lost("slurm", queue.reason);
    this.snapshot = { takenAt, jobs: byKey(queue.value) };
    this.reachability.found("slurm");
    if (takenAt >= this.fleetSeenAt + FLEET_SECONDS) await this.lookAtFleet(takenAt);
    const { snapshot } = this;
    for (const attempt of attempts.values()) {
      // One that is being dealt with, perhaps for as long as the disk is full, is not to wait in line twice.
      if (this.settling.has(attempt.key)) continue;
      const settled = this.turns.run(attempt.key, () => settle(this.parts, attempt, snapshot));
      this.settling.set(
        attempt.key,
        settled.finally(() => this.settling.delete(attempt.key)),
      );
    }
  }

  private async lookAtFleet(now: number): Promise<void> {
    const { cli, users, attempts } = this.parts;
    const [nodes, config] = [await cli.nodes(), await cli.config()];
    if (!nodes.ok) return;
    this.fleetSeenAt = now;
    this.fleet.see(nodes.value, attempts.values());
    if (!config.ok) return;
    const slurmUser = /\((\d+)\)$/.exec(config.value.get("SlurmUser") ?? "")?.[1];
    const maySuspend = users.isRoot || Number(slurmUser) === process.getuid?.();
    Object.assign(this.capabilities, { suspend: maySuspend ? "cpu-only" : "none" });
    const bootTime = config.value.get("BOOT_TIME") ?? null;
    if (this.bootTime !== null && bootTime !== this.bootTime) {
      this.reports({
        kind: "notice",
        text: `slurmctld was started at ${bootTime}: what it has forgotten is found out`,
      });
      this.isPolledAgain = true;
    }
    this.bootTime = bootTime;
  }

  private pauseSeconds(): number {
    if (this.reachability.unreachable !== null) return POLL_SECONDS.unreachable;
    let pause: number = POLL_SECONDS.idle;
    for (const { state, isWanted, wish, ending, oddSince } of this.parts.attempts.values()) {
      if (state === "over") continue;
      pause = Math.min(pause, POLL_SECONDS.running);
      const isSoon =
        (state === "starting" && isWanted) || wish !== null || ending !== null || oddSince !== null;
      if (isSoon) return POLL_SECONDS.soon;
    }
    return pause;
  }
}

/** The jobs that are named as attempts are, and say that they are ours. */
function byKey(jobs: readonly SlurmJob[]): Map<string, SlurmJob[]> {
  const found = new Map<string, SlurmJob[]>();
  for (const job of jobs) {
    if (parseAttemptKey(job.name) === null || job.comment !== commentOf(job.name)) continue;
    const list = found.get(job.name);
    if (list === undefined) found.set(job.name, [job]);
    else list.push(job);
  }
  return found;
}
