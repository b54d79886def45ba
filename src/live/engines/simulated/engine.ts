import { attemptKey, parseAttemptKey, type AttemptId } from "../attempt-id.ts";
import type {
  Capabilities,
  Engine,
  ExitCause,
  Listing,
  Machine,
  Outcome,
  Report,
  StartRequest,
  Unreachable,
} from "../engine.ts";
import type { System } from "../engine-kind.ts";
import { neverRan, repeated, startFailed } from "../outcome.ts";
import { Reachability } from "../reachability.ts";
import { endsAfter, known, ranSeconds, startedOf, type SimulatedAttempt } from "./attempt.ts";
import { AttemptsFile } from "./attempts-file.ts";
import { exited, fence } from "./end.ts";
import { launch } from "./launch.ts";
import { SimulatedMachines } from "./machines.ts";
import { Occupancy } from "./occupancy.ts";
import type { SimulatedSettings } from "./settings.ts";

/**
 * Every attempt has a timer for what happens to it next. A change is written first and
 * reported when it is written, so another engine on the same folder goes on from what was reported.
 */
export class SimulatedEngine implements Engine {
  readonly capabilities: Capabilities;
  private readonly settings: SimulatedSettings;
  private readonly system: System;
  private readonly attempts: AttemptsFile;
  private readonly occupancy: Occupancy;
  private readonly fleet: SimulatedMachines;
  private readonly timers = new Map<string, () => void>();
  private readonly foreign: string[] = [];
  private reports: (report: Report) => void = () => undefined;
  private readonly reachability: Reachability;

  constructor(settings: SimulatedSettings, system: System) {
    this.settings = settings;
    this.system = system;
    this.capabilities = {
      suspend: settings.suspend,
      pinning: true,
      startLatencySeconds: settings.startLatencySeconds / settings.speed,
      restartCostSeconds: 0,
      limits: { memory: "ignored", cores: "ignored", time: "enforced", output: "ignored" },
      output: "none",
      survives: { service: true, engine: true, machine: false },
    };
    this.reachability = new Reachability(system.clock, (report) => this.reports(report));
    this.attempts = new AttemptsFile(system, this.reachability);
    this.occupancy = new Occupancy(settings.suspend);
    this.fleet = new SimulatedMachines(settings, system.clock, (machine) => this.machineChanged(machine));
  }

  async open(reports: (report: Report) => void): Promise<void> {
    this.reports = reports;
    const unread = await this.attempts.load();
    if (unread > 0) {
      this.foreign.push(`${unread} lines of attempts.jsonl`);
      reports({
        kind: "notice",
        text: `${unread} lines of attempts.jsonl could not be read and were left out`,
      });
    }
    for (const machine of this.fleet.all()) reports({ kind: "machine", machine });
    for (const attempt of this.attempts.all()) {
      if (attempt.state === "over") continue;
      this.occupancy.take(attempt.placement);
      if (attempt.state === "suspended") this.occupancy.suspend(attempt.placement);
      this.setTimer(attempt);
    }
    this.fleet.open();
  }

  machines(): readonly Machine[] {
    return this.fleet.all();
  }

  /** Lets a machine fail, be drained, or come back; for tests. */
  setMachine(name: string, state: Machine["state"], reason: string): void {
    this.fleet.set(name, state, reason);
  }

  start(request: StartRequest): void {
    const key = attemptKey(request.id);
    if (this.repeat(key)) return;
    const { attempt, failure } = launch(request, this.settings, this.fleet, this.occupancy, this.now());
    this.occupancy.take(attempt.placement);
    if (failure !== null) return this.finish(attempt, failure);
    this.setTimer(attempt);
    void this.attempts.put(attempt);
  }

  suspend(id: AttemptId): void {
    const attempt = this.attempts.get(attemptKey(id));
    if (attempt?.state === "over") return void this.repeat(attempt.key);
    if (this.settings.suspend === "none" || attempt === undefined || attempt.state === "starting") {
      const reason = attempt === undefined ? "it is not known" : "it cannot be suspended";
      return this.reports({ kind: "suspend-failed", id, reason });
    }
    if (attempt.state !== "running") return void this.repeat(attempt.key);
    this.occupancy.suspend(attempt.placement);
    this.change({ ...attempt, state: "suspended", since: this.now(), ranSeconds: this.ran(attempt) }, () => ({
      kind: "suspended",
      id,
    }));
  }

  resume(id: AttemptId): void {
    const attempt = this.attempts.get(attemptKey(id));
    if (attempt === undefined || attempt.state === "starting")
      return this.reports({ kind: "resume-failed", id, reason: "it is not suspended" });
    if (attempt.state === "over") return void this.repeat(attempt.key);
    if (attempt.state === "running") return this.reports({ kind: "resumed", id });
    for (const part of attempt.placement) {
      const machine = this.fleet.get(part.machine);
      const lacks = machine === undefined ? "nothing" : this.occupancy.lacksToResume(machine, part);
      if (lacks !== null)
        return this.reports({
          kind: "resume-failed",
          id,
          reason: `${part.machine} has ${lacks} left`,
        });
    }
    this.occupancy.resume(attempt.placement);
    this.change({ ...attempt, state: "running", since: this.now() }, () => ({ kind: "resumed", id }));
  }

  end(id: AttemptId): void {
    const key = attemptKey(id);
    const attempt = this.attempts.get(key);
    if (attempt?.state === "over") return void this.repeat(key);
    if (attempt === undefined) return this.change(fence(id, this.now()), () => neverRan(id));
    this.finish(attempt, attempt.state === "starting" ? neverRan(id) : this.exit(attempt, "asked"));
  }

  async list(): Promise<Listing | Unreachable> {
    await Promise.race([this.attempts.whenWritten(), this.reachability.whenLost()]);
    if (this.reachability.unreachable !== null) return this.reachability.unreachable;
    return {
      kind: "listing",
      attempts: Array.from(this.attempts.all(), (each) => known(each, this.settings.speed)),
      foreign: this.foreign,
    };
  }

  async forget(id: AttemptId): Promise<void> {
    const key = attemptKey(id);
    if (this.attempts.get(key)?.state === "over") await this.attempts.drop(key);
  }

  /** The output of a simulated job: its own name. */
  async output(
    id: AttemptId,
    stream: "stdout" | "stderr",
    fromByte: number,
    limitBytes: number,
  ): Promise<Uint8Array | null> {
    const key = attemptKey(id);
    const attempt = this.attempts.get(key);
    if (attempt === undefined || attempt.state === "starting") return null;
    const text = stream === "stdout" ? `simulated: ${key}\n` : "";
    return new TextEncoder().encode(text).subarray(fromByte, fromByte + limitBytes);
  }

  async close(): Promise<void> {
    this.reports = () => undefined;
    this.fleet.close();
    for (const cancel of this.timers.values()) cancel();
    this.timers.clear();
    await Promise.race([this.attempts.whenWritten(), this.reachability.whenLost()]);
  }

  /** Simulated seconds that an attempt has run; null where it is not known. */
  ranSeconds(id: AttemptId): number | null {
    const attempt = this.attempts.get(attemptKey(id));
    return attempt === undefined ? null : this.ran(attempt);
  }

  private now(): number {
    return this.system.clock.monotonicSeconds();
  }

  /** Says again how an attempt stands; false where it is not known. */
  private repeat(key: string): boolean {
    const attempt = this.attempts.get(key);
    if (attempt === undefined) return false;
    const report = repeated(known(attempt, this.settings.speed));
    if (report !== null) void this.attempts.whenWritten().then(() => this.reports(report));
    return true;
  }

  /** Sets when the next thing happens to an attempt: it has started, or it ends. */
  private setTimer(attempt: SimulatedAttempt): void {
    this.timers.get(attempt.key)?.();
    this.timers.delete(attempt.key);
    if (attempt.state !== "starting" && attempt.state !== "running") return;
    const { speed, startLatencySeconds } = this.settings;
    const whole =
      attempt.state === "starting" ? startLatencySeconds : endsAfter(attempt) - attempt.ranSeconds;
    const due = attempt.since + whole / speed;
    const next = (): void => {
      if (attempt.state === "running") return this.finish(attempt, this.exit(attempt, "itself"));
      const running: SimulatedAttempt = {
        ...attempt,
        state: "running",
        since: this.now(),
        startedUnixSeconds: this.system.clock.unixSeconds(),
        startedAt: this.now(),
      };
      this.change(running, () => startedOf(running));
    };
    this.timers.set(attempt.key, this.system.clock.after(Math.max(0, due - this.now()), next));
  }

  private ran(attempt: SimulatedAttempt): number {
    return ranSeconds(attempt, this.now(), this.settings.speed);
  }

  private exit(attempt: SimulatedAttempt, cause: ExitCause): Outcome {
    return exited(attempt, cause, this.now(), this.settings.speed, this.system.clock.unixSeconds());
  }

  private finish(attempt: SimulatedAttempt, outcome: Outcome): void {
    if (attempt.state === "suspended") this.occupancy.resume(attempt.placement);
    this.occupancy.give(attempt.placement);
    const over: SimulatedAttempt = {
      ...attempt,
      state: "over",
      since: this.now(),
      ranSeconds: this.ran(attempt),
      outcome,
    };
    this.change(over, () => outcome);
  }

  private change(attempt: SimulatedAttempt, report: () => Report): void {
    this.setTimer(attempt);
    void this.attempts.put(attempt).then(() => this.reports(report()));
  }

  private machineChanged(machine: Machine): void {
    this.reports({ kind: "machine", machine });
    if (machine.state !== "down") return;
    for (const attempt of this.attempts.all()) {
      if (attempt.state === "over" || !attempt.placement.some((part) => part.machine === machine.name))
        continue;
      const id = parseAttemptKey(attempt.key)!;
      const reason = `${machine.name} is down`;
      this.finish(
        attempt,
        attempt.state === "starting" ? startFailed(id, "machine", reason) : { kind: "lost", id, reason },
      );
    }
  }
}
