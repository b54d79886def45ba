import { parseAttemptKey } from "../attempt-id.ts";
import { cachedMachines, cacheMachines } from "../machine-cache.ts";
import type { Reachability } from "../reachability.ts";
import type { Sequences } from "../sequences.ts";
import { adviceOn } from "./advice.ts";
import type { SlurmAttempt } from "./attempt.ts";
import type { Fleet } from "./fleet.ts";
import type { Parts } from "./parts.ts";
import { commentOf, type SlurmJob } from "./queue.ts";
import { reconcile } from "./reconcile.ts";

/** How long until the next look. */
const LOOK_SECONDS = {
  /** After something was done. */
  again: 0.05,
  /** While something is about to happen. */
  soon: 0.25,
  running: 1,
  idle: 5,
  unreachable: 2,
} as const;
/** How long the farm's start waits for the first look: it has other pools too. Slurm's MessageTimeout is 10 s. */
const FIRST_LOOK_SECONDS = 15;
/** Nodes and configuration are looked at less often than the queue. */
const FLEET_SECONDS = 5;

/**
 * Looks at Slurm again and again: at the queue with one command, which takes 45 ms for 5,000 jobs, at the nodes now
 * and then. After each look every attempt is reconciled with what was seen. So the next look corrects whatever Slurm has
 * forgotten, or was told twice, since the last one.
 */
export class Watch {
  /** Whether this user may suspend jobs. Where that could not be asked when it was opened: it is tried. */
  maySuspend = true;
  /** Our jobs as of the last look, by their attempts' keys; null: there was none. */
  jobs: ReadonlyMap<string, readonly SlurmJob[]> | null = null;
  private readonly parts: Parts;
  private readonly fleet: Fleet;
  private readonly reachability: Reachability;
  private readonly turns: Sequences;
  private readonly reconciling = new Map<string, Promise<void>>();
  /** The running attempts whose start Slurm may not have saved yet. */
  private readonly unsaved = new Set<SlurmAttempt>();
  private bootTime: string | null = null;
  private fleetSeenAt = -Infinity;
  private cancelTimer: () => void = () => undefined;
  private looking: Promise<void> | null = null;
  private isLookedAgain = false;
  private isOpen = false;
  private isClosed = false;

  constructor(parts: Parts, fleet: Fleet, reachability: Reachability, turns: Sequences) {
    this.parts = parts;
    this.fleet = fleet;
    this.reachability = reachability;
    this.turns = turns;
  }

  /** Returns when all known attempts have been reconciled once, or Slurm is known to be unreachable. */
  async open(): Promise<void> {
    for (const attempt of this.parts.attempts.values())
      if (attempt.state !== "over") this.unsaved.add(attempt);
    await this.firstLook();
    if (this.bootTime === null) this.fleet.recall(await cachedMachines(this.parts));
    this.isOpen = true;
  }

  /** It goes on where it takes longer than it may. */
  private async firstLook(): Promise<void> {
    const { clock } = this.parts;
    let cancel: () => void = () => undefined;
    const late = new Promise<void>((resolve) => {
      cancel = clock.after(FIRST_LOOK_SECONDS, () => {
        if (this.jobs === null)
          this.reachability.setProblem("slurm", `squeue has not answered for ${FIRST_LOOK_SECONDS} s`);
        resolve();
      });
    });
    await Promise.race([this.look().then(() => Promise.all(this.reconciling.values())), late]);
    cancel();
  }

  lookSoon(): void {
    this.isLookedAgain = true;
    if (this.looking === null) this.lookIn(0);
  }

  /** An attempt has begun to run: asks Slurm to save that. */
  saveStart(attempt: SlurmAttempt): void {
    this.unsaved.add(attempt);
    this.lookSoon();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.cancelTimer();
    await this.looking;
  }

  private lookIn(seconds: number): void {
    this.cancelTimer();
    if (!this.isClosed) this.cancelTimer = this.parts.clock.after(seconds, () => void this.look());
  }

  private look(): Promise<void> {
    this.looking ??= this.lookOnce()
      .catch((error: unknown) =>
        this.parts.report({ kind: "notice", text: `Slurm could not be looked at: ${String(error)}` }),
      )
      .then(() => {
        this.looking = null;
        this.lookIn(this.isLookedAgain ? LOOK_SECONDS.again : this.pauseSeconds());
      });
    return this.looking;
  }

  private async lookOnce(): Promise<void> {
    this.isLookedAgain = false;
    const { clock, cli, users, attempts } = this.parts;
    const takenAt = clock.monotonicSeconds();
    const queue = await cli.queue(users.isRoot ? null : process.getuid!());
    // It was ended for that, which is no problem of Slurm's.
    if (this.isClosed) return;
    if (!queue.ok) return this.reachability.setProblem("slurm", queue.reason);
    const jobs = byKey(queue.value);
    this.jobs = jobs;
    this.reachability.clearProblem("slurm");
    if (takenAt >= this.fleetSeenAt + FLEET_SECONDS) await this.lookAtFleet(takenAt);
    await this.save();
    for (const attempt of attempts.values()) {
      // Skips attempts that are still being reconciled, which may take as long as the disk is full.
      if (this.reconciling.has(attempt.key)) continue;
      const reconciled = this.turns.run(attempt.key, () => reconcile(this.parts, attempt, { takenAt, jobs }));
      this.reconciling.set(
        attempt.key,
        reconciled.finally(() => this.reconciling.delete(attempt.key)),
      );
    }
  }

  private async lookAtFleet(now: number): Promise<void> {
    const { cli, users, attempts, report } = this.parts;
    const [config, nodes] = [await cli.config(), await cli.nodes()];
    if (!config.ok) return this.sawNoNodes(config.reason);
    if (!nodes.ok) return this.sawNoNodes(nodes.reason);
    this.reachability.clearProblem("nodes");
    const bootTime = config.value.get("BOOT_TIME") ?? null;
    if (this.bootTime !== bootTime) {
      if (this.bootTime !== null)
        report({
          kind: "notice",
          text: `slurmctld was started at ${bootTime}: what it forgot is looked for`,
        });
      this.bootTime = bootTime;
      this.fleet.controllerStarted();
      for (const text of adviceOn(config.value)) report({ kind: "notice", text });
    }
    if (!this.isOpen) {
      const slurmUser = /\((\d+)\)$/.exec(config.value.get("SlurmUser") ?? "")?.[1];
      this.maySuspend = users.isRoot || Number(slurmUser) === process.getuid?.();
    }
    this.fleetSeenAt = this.fleet.isInDoubt ? -Infinity : now;
    if (this.fleet.see(nodes.value, attempts.values(), now))
      await cacheMachines(this.parts, this.fleet.all());
  }

  /** As long as none was ever seen, nobody can tell what the pool can hold. */
  private sawNoNodes(reason: string): void {
    if (this.fleet.all().length === 0) this.reachability.setProblem("nodes", reason);
  }

  /** One of those that have begun is enough: the controller writes down all jobs. */
  private async save(): Promise<void> {
    const running = [...this.unsaved].find(({ state }) => state === "running" || state === "suspended");
    this.unsaved.clear();
    if (running !== undefined) await this.parts.cli.save(running.key);
  }

  private pauseSeconds(): number {
    if (this.reachability.unreachable !== null) return LOOK_SECONDS.unreachable;
    let pause: number = this.fleet.isInDoubt ? LOOK_SECONDS.running : LOOK_SECONDS.idle;
    for (const { state, isWanted, requestedState, ending, oddSince } of this.parts.attempts.values()) {
      if (state === "over") continue;
      pause = Math.min(pause, LOOK_SECONDS.running);
      const isSoon =
        (state === "starting" && isWanted) || requestedState !== null || ending !== null || oddSince !== null;
      if (isSoon) return LOOK_SECONDS.soon;
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
