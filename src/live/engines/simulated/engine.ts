import { attemptKey, parseAttemptKey, type AttemptId } from "../attempt-id.ts";
import type {
  Capabilities,
  Engine,
  ExitCause,
  Listing,
  Machine,
  Outcome,
  Report,
  StartFailed,
  StartRequest,
  Unreachable,
} from "../engine.ts";
import type { System } from "../engine-kind.ts";
import { neverRan, repeated, startFailed } from "../outcome.ts";
import { Reachability } from "../reachability.ts";
import { requestProblem } from "../request.ts";
import { fateOf } from "./draws.ts";
import { SimulatedMachines } from "./machines.ts";
import { endsAfter, exited, known, ranSeconds, startedOf } from "./life.ts";
import { Occupancy } from "./occupancy.ts";
import { Rows, type Row } from "./rows.ts";
import type { SimulatedSettings } from "./settings.ts";

/**
 * Every attempt is a row with a timer for what happens to it next. A change is written first and
 * reported when it is written, so another engine on the same folder goes on from what was reported.
 */
export class SimulatedEngine implements Engine {
  readonly capabilities: Capabilities;
  private readonly settings: SimulatedSettings;
  private readonly system: System;
  private readonly rows: Rows;
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
      limits: { memory: "ignored", cores: "ignored", time: "enforced" },
      survives: { service: true, engine: true, machine: false },
    };
    this.reachability = new Reachability(system.clock, (report) => this.reports(report));
    this.rows = new Rows(system, this.reachability);
    this.occupancy = new Occupancy(settings.suspend);
    this.fleet = new SimulatedMachines(settings, system.clock, (machine) => this.machineChanged(machine));
  }

  async open(reports: (report: Report) => void): Promise<void> {
    this.reports = reports;
    const unread = await this.rows.load();
    if (unread > 0) {
      this.foreign.push(`${unread} lines of attempts.jsonl`);
      reports({
        kind: "notice",
        text: `${unread} lines of attempts.jsonl could not be read and were left out`,
      });
    }
    for (const machine of this.fleet.all()) reports({ kind: "machine", machine });
    for (const row of this.rows.all()) {
      if (row.state === "over") continue;
      this.occupancy.take(row.placement);
      if (row.state === "suspended") this.occupancy.suspended(row.placement);
      this.setTimer(row);
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
    const fate = fateOf(key, request, this.settings);
    const row: Row = {
      key,
      state: "starting",
      placement: request.placement,
      runSeconds: fate.runSeconds,
      limitSeconds: request.limits.seconds,
      status: fate.status,
      startedUnixSeconds: 0,
      startedAt: 0,
      since: this.now(),
      ranSeconds: 0,
      outcome: null,
    };
    const refusal = this.refusal(request);
    const failure =
      refusal ??
      (fate.startFails === null ? null : startFailed(request.id, fate.startFails, "it was drawn so"));
    this.occupancy.take(row.placement);
    if (failure !== null) return this.finish(row, failure);
    this.setTimer(row);
    void this.rows.put(row);
  }

  suspend(id: AttemptId): void {
    const row = this.rows.get(attemptKey(id));
    if (row?.state === "over") return void this.repeat(row.key);
    if (this.settings.suspend === "none" || row === undefined || row.state === "starting") {
      const reason = row === undefined ? "it is not known" : "it cannot be suspended";
      return this.reports({ kind: "suspend-failed", id, reason });
    }
    if (row.state !== "running") return void this.repeat(row.key);
    this.occupancy.suspended(row.placement);
    this.change({ ...row, state: "suspended", since: this.now(), ranSeconds: this.ran(row) }, () => ({
      kind: "suspended",
      id,
    }));
  }

  resume(id: AttemptId): void {
    const row = this.rows.get(attemptKey(id));
    if (row === undefined || row.state === "starting")
      return this.reports({ kind: "resume-failed", id, reason: "it is not suspended" });
    if (row.state === "over") return void this.repeat(row.key);
    if (row.state === "running") return this.reports({ kind: "resumed", id });
    for (const part of row.placement) {
      const machine = this.fleet.get(part.machine);
      const lacks = machine === undefined ? "nothing" : this.occupancy.lacksToResume(machine, part);
      if (lacks !== null)
        return this.reports({
          kind: "resume-failed",
          id,
          reason: `${part.machine} has ${lacks} left`,
        });
    }
    this.occupancy.resumed(row.placement);
    this.change({ ...row, state: "running", since: this.now() }, () => ({ kind: "resumed", id }));
  }

  end(id: AttemptId): void {
    const key = attemptKey(id);
    const row = this.rows.get(key);
    if (row?.state === "over") return void this.repeat(key);
    if (row === undefined) {
      // A record, so that a late start finds the attempt over.
      const fence: Row = {
        key,
        state: "over",
        placement: [],
        runSeconds: 0,
        limitSeconds: null,
        status: 0,
        startedUnixSeconds: 0,
        startedAt: 0,
        since: this.now(),
        ranSeconds: 0,
        outcome: neverRan(id),
      };
      return this.change(fence, () => neverRan(id));
    }
    this.finish(row, row.state === "starting" ? neverRan(id) : this.exit(row, "asked"));
  }

  async list(): Promise<Listing | Unreachable> {
    await Promise.race([this.rows.written(), this.reachability.whenLost()]);
    if (this.reachability.unreachable !== null) return this.reachability.unreachable;
    return {
      kind: "listing",
      attempts: Array.from(this.rows.all(), known),
      foreign: this.foreign,
    };
  }

  async forget(id: AttemptId): Promise<void> {
    const key = attemptKey(id);
    if (this.rows.get(key)?.state === "over") await this.rows.drop(key);
  }

  /** The output of a simulated job: its own name. */
  async output(
    id: AttemptId,
    stream: "stdout" | "stderr",
    fromByte: number,
    limitBytes: number,
  ): Promise<Uint8Array | null> {
    const key = attemptKey(id);
    const row = this.rows.get(key);
    if (row === undefined || row.state === "starting") return null;
    const text = stream === "stdout" ? `simulated: ${key}\n` : "";
    return new TextEncoder().encode(text).subarray(fromByte, fromByte + limitBytes);
  }

  async close(): Promise<void> {
    this.reports = () => undefined;
    this.fleet.close();
    for (const cancel of this.timers.values()) cancel();
    this.timers.clear();
    await Promise.race([this.rows.written(), this.reachability.whenLost()]);
  }

  /** Simulated seconds that an attempt has run; null where it is not known. */
  ranSeconds(id: AttemptId): number | null {
    const row = this.rows.get(attemptKey(id));
    return row === undefined ? null : this.ran(row);
  }

  private now(): number {
    return this.system.clock.monotonicSeconds();
  }

  /** Says again how an attempt stands; false where it is not known. */
  private repeat(key: string): boolean {
    const row = this.rows.get(key);
    if (row === undefined) return false;
    const report = repeated(known(row));
    if (report !== null) void this.rows.written().then(() => this.reports(report));
    return true;
  }

  private refusal(request: StartRequest): StartFailed | null {
    const { id, placement } = request;
    const problem = requestProblem(request);
    if (problem !== null) return startFailed(id, "job", problem);
    for (const part of placement) {
      const machine = this.fleet.get(part.machine);
      if (machine === undefined) return startFailed(id, "machine", `there is no machine ${part.machine}`);
      if (machine.state !== "up") return startFailed(id, "machine", `${machine.name} is ${machine.state}`);
      const lacks = this.occupancy.lacks(machine, part);
      if (lacks !== null) return startFailed(id, "transient", `${machine.name} has ${lacks} left`);
    }
    return null;
  }

  /** What happens next to a row: it has started, or it ends. */
  private setTimer(row: Row): void {
    this.timers.get(row.key)?.();
    this.timers.delete(row.key);
    if (row.state !== "starting" && row.state !== "running") return;
    const { speed, startLatencySeconds } = this.settings;
    const whole = row.state === "starting" ? startLatencySeconds : endsAfter(row) - row.ranSeconds;
    const due = row.since + whole / speed;
    const next = (): void => {
      if (row.state === "running") return this.finish(row, this.exit(row, "itself"));
      const running: Row = {
        ...row,
        state: "running",
        since: this.now(),
        startedUnixSeconds: this.system.clock.unixSeconds(),
        startedAt: this.now(),
      };
      this.change(running, () => startedOf(running));
    };
    this.timers.set(row.key, this.system.clock.after(Math.max(0, due - this.now()), next));
  }

  private ran(row: Row): number {
    return ranSeconds(row, this.now(), this.settings.speed);
  }

  private exit(row: Row, cause: ExitCause): Outcome {
    return exited(row, cause, this.now(), this.settings.speed, this.system.clock.unixSeconds());
  }

  private finish(row: Row, outcome: Outcome): void {
    if (row.state === "suspended") this.occupancy.resumed(row.placement);
    this.occupancy.give(row.placement);
    const over: Row = { ...row, state: "over", since: this.now(), ranSeconds: this.ran(row), outcome };
    this.change(over, () => outcome);
  }

  private change(row: Row, report: () => Report): void {
    this.setTimer(row);
    void this.rows.put(row).then(() => this.reports(report()));
  }

  private machineChanged(machine: Machine): void {
    this.reports({ kind: "machine", machine });
    if (machine.state !== "down") return;
    for (const row of this.rows.all()) {
      if (row.state === "over" || !row.placement.some((part) => part.machine === machine.name)) continue;
      const id = parseAttemptKey(row.key)!;
      const reason = `${machine.name} is down`;
      this.finish(
        row,
        row.state === "starting" ? startFailed(id, "machine", reason) : { kind: "lost", id, reason },
      );
    }
  }
}
