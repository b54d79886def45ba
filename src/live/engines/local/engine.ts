import { attemptKey, type AttemptId } from "../attempt-id.ts";
import type {
  Capabilities,
  Doing,
  Engine,
  Listing,
  Machine,
  Report,
  StartRequest,
  Unreachable,
} from "../engine.ts";
import type { System } from "../engine-kind.ts";
import type { Disk } from "../system/disk.ts";
import { repeated } from "../outcome.ts";
import { Reachability } from "../reachability.ts";
import { Sequences } from "../sequences.ts";
import { keepScript } from "../wrapper/keep-script.ts";
import { FILES } from "../wrapper/records.ts";
import { wrapperScript } from "../wrapper/script.ts";
import { Boot } from "./boot.ts";
import { known, stoodOf, type LocalAttempt, type Suspension } from "./attempt.ts";
import { Census, wrappersOf } from "./census.ts";
import type { Cgroups } from "./cgroups.ts";
import { Control } from "./control.ts";
import { endRunning, fence, settleEnded, settle } from "./end.ts";
import { Hooks } from "./hooks.ts";
import { endHooks } from "./left-hooks.ts";
import { placeName } from "./place-name.ts";
import { launch } from "./launch.ts";
import { attemptPath, attemptsPath, RESTARTED, type Parts } from "./parts.ts";
import type { Processes } from "./processes.ts";
import type { LocalSettings } from "./settings.ts";
import { recover } from "./recover.ts";
import { ended, keepSuspension, writeSuspension } from "./suspension.ts";
import { Users } from "../users.ts";
import { lookAt } from "./watch.ts";
import { Wrappers } from "./wrappers.ts";

export interface LocalSystem extends System {
  /** For the records of attempts, which end with the machine: it need not flush them. */
  readonly records: Disk;
  readonly processes: Processes;
  readonly cgroups: Cgroups | null;
}

const COMMAND_OVER = "its command is over, and what that left is being ended";
const TICK_SECONDS = 1;
/** Looking at a process takes some 10 microseconds, so looks are less frequent on a machine with very many. */
const PROCESSES_IN_A_SECOND = 2000;

/**
 * Each attempt has a wrapper, a small program that outlives the service and leaves records in the attempt's
 * folder. The engine starts wrappers, reads records, and finds and signals the processes of attempts.
 *
 * Tasks of one attempt run one after the other, so that no two parts of the engine deal with it at the same time.
 */
export class LocalEngine implements Engine {
  readonly capabilities: Capabilities;
  private readonly parts: Parts;
  private readonly turns = new Sequences((error) =>
    this.notice(`an attempt could not be dealt with: ${String(error)}`),
  );
  private reports: (report: Report) => void = () => undefined;
  private foreign: readonly string[] = [];
  private readonly reachability: Reachability;
  private isClosed = false;
  private isTicking = false;

  constructor(settings: LocalSettings, system: LocalSystem) {
    const { clock, disk, records, processes, cgroups, commands, folder } = system;
    this.reachability = new Reachability(clock, (report) => this.reports(report));
    const attempts = new Map<string, LocalAttempt>();
    const census = new Census(
      processes,
      clock,
      () => wrappersOf(attempts, clock.boot),
      () => cgroups?.pids() ?? new Map(),
    );
    this.parts = {
      clock,
      disk: records,
      boot: new Boot(disk, `${folder}/boot`, clock.boot),
      processes,
      census,
      control: new Control(processes, census, clock),
      wrappers: new Wrappers(
        processes,
        clock,
        [`${folder}/wrapper.sh`, "-", `${folder}/attempts`, cgroups?.folder ?? ""],
        (key) => {
          this.parts.inTurn(key, () => settleEnded(this.parts, key));
        },
      ),
      cgroups,
      users: new Users(commands, settings.allowRoot),
      machine: settings.machine,
      gpus: settings.gpus,
      hooks:
        settings.hooks === null
          ? null
          : new Hooks(settings.hooks, placeName(folder), {
              unixSeconds: () => clock.unixSeconds(),
              warn: (text) => this.reports({ kind: "notice", text, warns: true }),
              end: (key, hook) => endHooks(processes, clock, (its, which) => its === key && which === hook),
            }),
      folder,
      attempts,
      report: (report) => this.reports(report),
      inTurn: (key, task) => void this.turns.run(key, task),
      isIdle: (key) => this.turns.isIdle(key),
      insist: (task) => this.reachability.insist(task),
    };
    this.capabilities = {
      suspend: "cpu-only",
      pinning: true,
      startLatencySeconds: 0.02,
      restartCostSeconds: 0,
      limits: {
        memory: cgroups?.memory === true ? "enforced" : "watched",
        cores: cgroups?.cores === true ? "enforced" : "watched",
        time: "watched",
        output: "watched",
      },
      output: "farm",
      survives: { service: true, engine: true, machine: false },
    };
  }

  async open(reports: (report: Report) => void): Promise<void> {
    this.reports = reports;
    const { disk, machine, users } = this.parts;
    await disk.makeFolder(attemptsPath(this.parts));
    await this.parts.boot.open();
    await keepScript(disk, `${this.parts.folder}/wrapper.sh`, wrapperScript);
    if (!users.isRoot) this.notice("the service is not root: all jobs run as its own user");
    this.foreign = await recover(this.parts);
    if (this.foreign.length > 0)
      this.notice(`left alone in ${this.parts.folder}: ${this.foreign.join(", ")}`);
    this.tidyCgroups();
    const { attempts } = this.parts;
    // What starts from now on has a folder that is not looked at.
    void this.parts.hooks?.tidy((key) => (attempts.get(key)?.state ?? "over") === "over");
    reports({ kind: "machine", machine });
    this.tickLater();
  }

  machines(): readonly Machine[] {
    return [this.parts.machine];
  }

  start(request: StartRequest): void {
    const key = attemptKey(request.id);
    this.parts.inTurn(key, async () => {
      // The next engine on this folder is told to start it, too.
      if (this.isClosed) return;
      const attempt = this.parts.attempts.get(key);
      if (attempt === undefined || attempt.state === "starting") {
        await launch(this.parts, request);
        this.tickLater();
      } else this.repeat(attempt);
    });
  }

  suspend(id: AttemptId): void {
    const key = attemptKey(id);
    this.parts.inTurn(key, async () => {
      const { attempts, control, clock, report } = this.parts;
      const attempt = attempts.get(key);
      if (attempt?.state === "running") await settle(this.parts, key);
      if (attempt?.state === "over" || attempt?.state === "suspended") return this.repeat(attempt);
      const refusal =
        attempt?.state !== "running"
          ? "it does not run"
          : attempt.ending !== null
            ? "it is being ended"
            : attempt.left !== null
              ? COMMAND_OVER
              : null;
      if (attempt === undefined || refusal !== null)
        return report({ kind: "suspend-failed", id, reason: refusal ?? "it is not known" });
      const before = attempt.suspension;
      // A service that dies before all stand leaves some that do: the next one lets them go on. Or they run to their end.
      const now = clock.monotonicSeconds();
      await writeSuspension(this.parts, attempt, { ...before, since: now, until: now });
      const isStopped = await control.stop(key);
      await settle(this.parts, key);
      if (attempts.get(key)?.state !== "running") return;
      if (isStopped && attempt.left === null) {
        attempt.state = "suspended";
        attempt.cpuSamples = [];
        // They may have run for seconds until all stood.
        await keepSuspension(this.parts, attempt, { ...before, since: clock.monotonicSeconds() });
        return report({ kind: "suspended", id, stood: stoodOf(attempt, clock) });
      }
      await control.resume(key);
      await writeSuspension(this.parts, attempt, before);
      const reason = attempt.left === null ? "some of its processes cannot be stopped" : COMMAND_OVER;
      report({ kind: "suspend-failed", id, reason });
    });
  }

  resume(id: AttemptId): void {
    const key = attemptKey(id);
    this.parts.inTurn(key, async () => {
      const { attempts, control, clock, report } = this.parts;
      const attempt = attempts.get(key);
      if (attempt?.state === "over") return this.repeat(attempt);
      if (attempt === undefined || attempt.state === "starting")
        return report({ kind: "resume-failed", id, reason: "it is not suspended" });
      const { suspension } = attempt;
      const goingOn = (): Suspension => ({ ...suspension, until: clock.monotonicSeconds() });
      // A service that dies before all go on leaves some that stand: the next one lets them go on.
      if (suspension.since !== null) await keepSuspension(this.parts, attempt, goingOn());
      await control.resume(key);
      attempt.state = "running";
      // To find them may have taken seconds.
      if (suspension.since !== null) await keepSuspension(this.parts, attempt, ended(goingOn()));
      report({ kind: "resumed", id, stood: stoodOf(attempt, clock) });
    });
  }

  end(id: AttemptId, graceSeconds: number): void {
    const key = attemptKey(id);
    this.parts.inTurn(key, async () => {
      const attempt = this.parts.attempts.get(key);
      if (attempt?.state === "over") return this.repeat(attempt);
      if (attempt === undefined || attempt.state === "starting") {
        if (await fence(this.parts, id, key)) return;
        // An earlier engine started it, and it has claimed since.
        await recover(this.parts, [key]);
      }
      const claimed = this.parts.attempts.get(key);
      if (claimed?.state === "over") return this.repeat(claimed);
      if (claimed !== undefined) await endRunning(this.parts, claimed, "asked", graceSeconds);
    });
  }

  async list(): Promise<Listing | Unreachable> {
    this.tidyCgroups();
    if (this.reachability.unreachable !== null) return this.reachability.unreachable;
    const { attempts, boot, clock } = this.parts;
    const forgotten = boot.isOther ? { forgotten: RESTARTED } : {};
    // The first who asks has all attempts of before in its books, and nothing new is launched until it has them as lost.
    boot.isOther = false;
    return {
      kind: "listing",
      attempts: Array.from(attempts.values(), (each) => known(each, clock)),
      foreign: this.foreign,
      ...forgotten,
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
    return (await this.parts.disk.read(this.outputFile(id, stream), fromByte, limitBytes))?.bytes ?? null;
  }

  outputFile(id: AttemptId, stream: "stdout" | "stderr"): string {
    return `${attemptPath(this.parts, attemptKey(id))}/${FILES[stream]}`;
  }

  doing(id: AttemptId): Doing | null {
    return this.parts.hooks?.doing(attemptKey(id)) ?? null;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.reports = () => undefined;
    this.parts.hooks?.close();
    // A start that is under way is waited for: given up, it would have to be tried again.
    // One that waits for the disk may wait for ever.
    await Promise.race([this.turns.idle(), this.reachability.whenLost()]);
    this.parts.wrappers.close();
    this.tidyCgroups();
    this.parts.cgroups?.close();
  }

  private tidyCgroups(): void {
    const { attempts, cgroups } = this.parts;
    cgroups?.tidy((key) => (attempts.get(key)?.state ?? "over") === "over");
  }

  private repeat(attempt: LocalAttempt): void {
    const report = repeated(known(attempt, this.parts.clock));
    if (report !== null) this.reports(report);
  }

  private notice(text: string): void {
    this.reports({ kind: "notice", text });
  }

  /** Looks every second at what runs, as long as anything does. */
  private tickLater(seconds = TICK_SECONDS): void {
    if (this.isTicking || this.isClosed || !this.hasRunning()) return;
    this.isTicking = true;
    this.parts.clock.after(seconds, () => {
      let next = TICK_SECONDS;
      void lookAt(this.parts, this.capabilities.limits)
        .then((processes) => (next = Math.max(TICK_SECONDS, processes / PROCESSES_IN_A_SECOND)))
        .catch((error: unknown) => this.notice(`the processes could not be looked at: ${String(error)}`))
        .then(() => {
          this.isTicking = false;
          this.tickLater(next);
        });
    });
  }

  private hasRunning(): boolean {
    return [...this.parts.attempts.values()].some(
      ({ state }) => state === "running" || state === "suspended",
    );
  }
}
