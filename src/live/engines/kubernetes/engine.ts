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
import { repeated } from "../outcome.ts";
import { Reachability } from "../reachability.ts";
import { Sequences } from "../sequences.ts";
import { StoppableCommands } from "../system/stoppable-commands.ts";
import { authorized } from "./authorization.ts";
import { known, type KubernetesAttempt } from "./attempt.ts";
import { connect, type StoppableConnection } from "./connection.ts";
import { findCredentials, readText, type CredentialSource } from "./credentials.ts";
import { endAttempt } from "./end.ts";
import { Fleet } from "./fleet.ts";
import { forgivingStarts } from "./just-back.ts";
import { launch } from "./launch.ts";
import { Output } from "./output.ts";
import { attemptPath, attemptsPath, outputPath, podsPath, type Parts } from "./parts.ts";
import { attemptOf } from "./pod.ts";
import { deletePod, reconcile } from "./reconcile.ts";
import { recover } from "./recover.ts";
import type { KubernetesSettings } from "./settings.ts";
import { Watch } from "./watch.ts";

/** How long the farm's start waits for attempts to be compared with their pods. */
const RECONCILED_SECONDS = 5;
/** How long requests that change something may take when the engine closes. */
const ACTING_SECONDS = 5;

/**
 * An attempt is a pod. It is created, its UID is written down as the attempt's claim, and only then is it bound to its
 * node. Commands and what is seen of pods only change what is known; `reconcile.ts` does what follows.
 */
export class KubernetesEngine implements Engine {
  readonly capabilities: Capabilities = {
    suspend: "none",
    pinning: true,
    startLatencySeconds: 2,
    restartCostSeconds: 3,
    limits: { memory: "enforced", cores: "enforced", time: "enforced", output: "ignored" },
    output: "engine",
    survives: { service: true, engine: true, machine: false },
  };
  private readonly system: System;
  private readonly commands: StoppableCommands;
  private readonly connection: StoppableConnection;
  private readonly settings: KubernetesSettings;
  private readonly parts: Parts;
  private readonly fleet: Fleet;
  private readonly reachability: Reachability;
  private readonly turns: Sequences;
  private readonly watch: Watch;
  private readonly outputs: Output;
  private credentials: CredentialSource | null = null;
  private readonly isConnected: boolean;
  private reports: (report: Report) => void = () => undefined;
  private foreign: readonly string[] = [];

  /** @param connection absent: to the API server that the settings name */
  constructor(settings: KubernetesSettings, system: System, connection?: StoppableConnection) {
    const { clock, disk, folder } = system;
    this.settings = settings;
    this.commands = new StoppableCommands(system.commands);
    this.system = { ...system, commands: this.commands };
    this.isConnected = connection !== undefined;
    const report = (each: Report): void => this.reports(each);
    this.reachability = new Reachability(clock, report);
    this.turns = new Sequences((error) =>
      report({ kind: "notice", text: `an attempt could not be dealt with: ${String(error)}` }),
    );
    this.fleet = new Fleet(
      settings,
      (pod) => {
        const id = pod.metadata.namespace === settings.namespace ? attemptOf(pod) : null;
        return id !== null && this.parts.attempts.has(attemptKey(id));
      },
      (each) => {
        report(each);
        this.watch.cacheSoon();
      },
    );
    this.connection = authorized(
      forgivingStarts(connection ?? connect((refused) => this.credentials!(refused)), clock),
      () => podsPath(this.parts),
      clock,
      this.reachability,
    );
    this.parts = {
      clock,
      disk,
      folder,
      settings,
      connection: this.connection,
      random: Math.random,
      attempts: new Map(),
      machine: (name) => this.fleet.get(name),
      report,
      insist: (task) => this.reachability.insist(task),
      reconcileSoon: (attempt) => this.reconcileSoon(attempt),
    };
    this.outputs = new Output(this.parts);
    this.watch = new Watch(this.parts, this.fleet, this.reachability);
  }

  async open(reports: (report: Report) => void): Promise<void> {
    this.reports = reports;
    if (!this.isConnected)
      this.credentials = await findCredentials(this.settings, this.system, process.env, readText);
    await this.parts.disk.makeFolder(attemptsPath(this.parts));
    this.foreign = await recover(this.parts);
    if (this.foreign.length > 0)
      reports({ kind: "notice", text: `left alone in ${this.parts.folder}: ${this.foreign.join(", ")}` });
    await this.watch.open();
    // What an ended attempt has printed may take long to be read, and the farm has other pools.
    let cancel: () => void = () => undefined;
    const late = new Promise<void>((resolve) => {
      cancel = this.system.clock.after(RECONCILED_SECONDS, resolve);
    });
    await Promise.race([this.turns.idle(), this.reachability.whenLost(), late]);
    cancel();
  }

  machines(): readonly Machine[] {
    return this.fleet.all();
  }

  start(request: StartRequest): void {
    this.inTurn(request.id, async (attempt) => {
      if (attempt === undefined) return launch(this.parts, request);
      attempt.isWanted = true;
      if (!this.repeat(attempt)) this.reconcileSoon(attempt);
    });
  }

  suspend(id: AttemptId): void {
    this.inTurn(id, async (attempt) => {
      if (attempt?.state === "over") return void this.repeat(attempt);
      this.reports({ kind: "suspend-failed", id, reason: "a pod cannot be suspended" });
    });
  }

  resume(id: AttemptId): void {
    this.inTurn(id, async (attempt) => {
      if (attempt?.state === "over") return void this.repeat(attempt);
      if (attempt?.state === "running") return this.reports({ kind: "resumed", id });
      this.reports({ kind: "resume-failed", id, reason: "it is not suspended" });
    });
  }

  end(id: AttemptId, graceSeconds: number): void {
    this.inTurn(id, async (attempt) => {
      if (attempt?.state === "over") return void this.repeat(attempt);
      await endAttempt(this.parts, id, attempt, { cause: "asked", graceSeconds, reason: "" });
    });
  }

  async list(): Promise<Listing | Unreachable> {
    const { unreachable } = this.reachability;
    if (unreachable !== null || !this.watch.hasSynced)
      return unreachable ?? { kind: "unreachable", reason: "not looked yet", sinceUnixSeconds: 0 };
    return {
      kind: "listing",
      attempts: Array.from(this.parts.attempts.values(), known),
      foreign: [...this.foreign, ...this.watch.strangers()],
    };
  }

  async forget(id: AttemptId): Promise<void> {
    const key = attemptKey(id);
    await this.turns.run(key, async () => {
      const attempt = this.parts.attempts.get(key);
      if (attempt?.state !== "over" || this.reachability.unreachable !== null) return;
      const uid = attempt.record.uid ?? attempt.pod?.metadata.uid ?? null;
      if (uid !== null) {
        const answer = await deletePod(this.parts, id, uid, 0);
        // Gone, or another one. Else it is there, and would be nobody's.
        if (!answer.ok && answer.status !== 404 && answer.status !== 409) return;
      }
      this.outputs.drop(key);
      await this.parts.disk.remove(attemptPath(this.parts, key));
      this.parts.attempts.delete(key);
    });
  }

  /** A pod's log has both streams in one. */
  async output(
    id: AttemptId,
    stream: "stdout" | "stderr",
    fromByte: number,
    limitBytes: number,
  ): Promise<Uint8Array | null> {
    const key = attemptKey(id);
    if (!this.parts.attempts.has(key)) return null;
    if (stream === "stderr") return new Uint8Array();
    const file = await this.parts.disk.read(outputPath(this.parts, key), fromByte, limitBytes);
    return file?.bytes ?? new Uint8Array();
  }

  doing(id: AttemptId): Doing | null {
    return this.outputs.doing(attemptKey(id));
  }

  async close(): Promise<void> {
    this.reports = () => undefined;
    this.watch.close();
    this.outputs.close();
    for (const attempt of this.parts.attempts.values()) attempt.cancelRetry();
    this.connection.stopAsking();
    // The credentials' program, which requests wait for.
    this.commands.stop();
    // What came of a request that is cut the next engine finds out, as after a crash.
    const cancel = this.system.clock.after(ACTING_SECONDS, () => this.connection.close());
    await Promise.race([this.turns.idle(), this.reachability.whenLost()]);
    cancel();
    this.connection.close();
  }

  private reconcileSoon(attempt: KubernetesAttempt): void {
    if (attempt.isQueued) return;
    attempt.isQueued = true;
    void this.turns.run(attempt.key, async () => {
      attempt.isQueued = false;
      // It may have been forgotten meanwhile.
      if (this.parts.attempts.get(attempt.key) === attempt)
        await reconcile(this.parts, attempt, this.outputs);
    });
  }

  private inTurn(id: AttemptId, task: (attempt: KubernetesAttempt | undefined) => Promise<void>): void {
    const key = attemptKey(id);
    void this.turns.run(key, () => task(this.parts.attempts.get(key)));
  }

  /** Says again how an attempt stands; false where it is still to start. */
  private repeat(attempt: KubernetesAttempt): boolean {
    const report = repeated(known(attempt));
    if (report !== null) this.reports(report);
    return report !== null;
  }
}
