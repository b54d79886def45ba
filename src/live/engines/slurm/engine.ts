import { InputError } from "../../../workload/errors.ts";
import { attemptKey, type AttemptId } from "../attempt-id.ts";
import type { Capabilities, Engine, Listing, Machine, Report, StartRequest, Unreachable } from "../engine.ts";
import type { System } from "../engine-kind.ts";
import { repeated } from "../outcome.ts";
import { Reachability } from "../reachability.ts";
import { Sequences } from "../sequences.ts";
import { Users } from "../users.ts";
import { StoppableCommands } from "../system/stoppable-commands.ts";
import { FILES } from "../wrapper/records.ts";
import { keepScript } from "../wrapper/keep-script.ts";
import { wrapperScript } from "../wrapper/script.ts";
import { known, type SlurmAttempt } from "./attempt.ts";
import { SlurmCli } from "./cli.ts";
import { endAttempt } from "./end.ts";
import { Fleet } from "./fleet.ts";
import { launch } from "./launch.ts";
import { attemptPath, attemptsPath, wrapperPath, type Parts } from "./parts.ts";
import { isOver } from "./queue.ts";
import { recover } from "./recover.ts";
import type { SlurmSettings } from "./settings.ts";
import { Watch } from "./watch.ts";

/** How long commands that change something may take when the engine closes. */
const ACTING_SECONDS = 5;

/**
 * Attempts are jobs in Slurm, watched (`watch.ts`) and dealt with by rules (`decide.ts`). A command only changes
 * what the rules decide, so it stands while Slurm is away.
 */
export class SlurmEngine implements Engine {
  private readonly parts: Parts;
  private readonly commands: StoppableCommands;
  private readonly fleet: Fleet;
  private readonly reachability: Reachability;
  private readonly turns: Sequences;
  private reports: (report: Report) => void = () => undefined;
  private foreign: readonly string[] = [];
  private readonly watch: Watch;

  constructor(settings: SlurmSettings, system: System) {
    const { clock, disk } = system;
    const commands = new StoppableCommands(system.commands);
    this.commands = commands;
    const folder = settings.folder ?? system.folder;
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
      registeredSince: (machines) => this.fleet.registeredSince(machines),
      report,
      saveStart: (attempt) => this.watch.saveStart(attempt),
      unreachable: (reason) => this.reachability.setProblem("slurm", reason),
      insist: (task) => this.reachability.insist(task),
      lookSoon: () => this.watch.lookSoon(),
    };
    this.watch = new Watch(this.parts, this.fleet, this.reachability, this.turns);
  }

  get capabilities(): Capabilities {
    return {
      suspend: this.watch.maySuspend ? "cpu-only" : "none",
      pinning: true,
      startLatencySeconds: 1,
      restartCostSeconds: 2,
      limits: { memory: "unknown", cores: "unknown", time: "watched", output: "ignored" },
      output: "engine",
      survives: { service: true, engine: true, machine: false },
    };
  }

  async open(reports: (report: Report) => void): Promise<void> {
    this.reports = reports;
    await this.checkInstalled();
    const { disk } = this.parts;
    // Jobs of other users have to come through to their own folders.
    await disk.makeFolder(attemptsPath(this.parts), 0o711);
    await keepScript(disk, wrapperPath(this.parts), wrapperScript);
    this.foreign = await recover(this.parts);
    if (this.foreign.length > 0)
      reports({ kind: "notice", text: `left alone in ${this.parts.folder}: ${this.foreign.join(", ")}` });
    await this.watch.open();
  }

  machines(): readonly Machine[] {
    return this.fleet.all();
  }

  start(request: StartRequest): void {
    this.inTurn(request.id, async (attempt) => {
      if (attempt === undefined) return launch(this.parts, request);
      attempt.isWanted = true;
      if (!this.repeat(attempt)) this.watch.lookSoon();
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
      attempt.requestedState = "suspended";
      this.watch.lookSoon();
    });
  }

  resume(id: AttemptId): void {
    this.inTurn(id, async (attempt) => {
      if (attempt?.state === "over") return void this.repeat(attempt);
      if (attempt === undefined || attempt.state === "starting")
        return this.reports({ kind: "resume-failed", id, reason: "it is not suspended" });
      attempt.requestedState = "running";
      this.watch.lookSoon();
    });
  }

  end(id: AttemptId, graceSeconds: number): void {
    this.inTurn(id, async (attempt) => {
      if (attempt?.state === "over") return void this.repeat(attempt);
      await endAttempt(this.parts, id, attempt, "asked", graceSeconds);
      this.watch.lookSoon();
    });
  }

  async list(): Promise<Listing | Unreachable> {
    const { unreachable } = this.reachability;
    const { jobs } = this.watch;
    if (unreachable !== null || jobs === null)
      return unreachable ?? { kind: "unreachable", reason: "not looked yet", sinceUnixSeconds: 0 };
    const { attempts } = this.parts;
    const strangers = [...jobs.entries()]
      .filter(([key, list]) => !attempts.has(key) && list.some((job) => !isOver(job)))
      .map(([key, list]) => `job ${list[0]!.id} in Slurm: ${key}`);
    return {
      kind: "listing",
      attempts: Array.from(attempts.values(), known),
      foreign: [...this.foreign, ...strangers],
    };
  }

  async forget(id: AttemptId): Promise<void> {
    const key = attemptKey(id);
    await this.turns.run(key, async () => {
      const attempt = this.parts.attempts.get(key);
      if (attempt?.state !== "over") return;
      if (attempt.mayBeQueued) {
        // A job left in the queue could only start, find the fence and end; so it is cancelled.
        const answer = await this.parts.cli.cancelAll(key);
        if (!answer.ok && answer.why === "unreachable") return this.parts.unreachable(answer.reason);
      }
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
    this.reports = () => undefined;
    this.commands.stopAsking();
    // What came of one that is ended the next engine finds out, as after a crash.
    const cancel = this.parts.clock.after(ACTING_SECONDS, () => this.commands.stop());
    await this.watch.close();
    await Promise.race([this.turns.idle(), this.reachability.whenLost()]);
    cancel();
    this.commands.stop();
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

  private async checkInstalled(): Promise<void> {
    const { cli, settings, disk } = this.parts;
    const { configPath } = settings;
    if (configPath !== null && (await disk.read(configPath, 0, 1)) === null)
      throw new InputError(`engine slurm: config: there is no file ${configPath}`);
    if (await cli.isMissing())
      throw new InputError("engine slurm: there is no squeue on this machine: install Slurm's commands");
  }
}
