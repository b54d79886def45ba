import type { Clock } from "../system/clock.ts";
import type { LocalAttempt } from "./attempt.ts";
import { isStopped, type Process, type Processes } from "./processes.ts";

/** The variable by which a process is recognised: it has the key of its attempt. */
export const MARK = "CROFT_ATTEMPT";

/**
 * A look goes through all processes of the machine, so looks are at least this far apart; a caller that comes sooner
 * waits.
 */
const MIN_SECONDS_BETWEEN_LOOKS = 0.05;

/** A wrapper: leader of the session that its job begins in. */
export interface Wrapper {
  readonly pid: number;
  readonly startTicks: number;
}

export interface Look {
  /** The processes of attempts, without the wrappers, by the attempt's key. */
  readonly members: ReadonlyMap<string, readonly Process[]>;
  /** The attempts whose wrapper is there. */
  readonly wrapped: ReadonlySet<string>;
  /** The pids of wrappers that somebody has stopped. */
  readonly stoppedWrappers: readonly number[];
  /** On the whole machine. */
  readonly processCount: number;
}

/**
 * Finds the processes of attempts. A process belongs to an attempt if one of these holds:
 *
 * - it is in the attempt's cgroup, where there are cgroups;
 * - it is in the session of the attempt's wrapper;
 * - it was started with the attempt's mark in its environment;
 * - its parent belongs to it;
 * - it was seen to belong to it before.
 *
 * So a daemon that leaves its session is found by the mark, one that also clears its environment by its
 * parent, or because it was seen before. Without a cgroup one escapes that does all of that between two looks.
 */
export class Census {
  private readonly processes: Processes;
  private readonly clock: Clock;
  private readonly wrappers: () => ReadonlyMap<string, Wrapper>;
  private readonly inCgroups: () => ReadonlyMap<number, string>;
  /** The attempt of each process seen, by pid and start; null: of none. */
  private seen = new Map<string, string | null>();
  private lookedAt = -Infinity;
  private current: Promise<unknown> = Promise.resolve();
  private next: Promise<Look> | null = null;

  /**
   * @param wrappers of the attempts known, by key
   * @param inCgroups maps each pid in our cgroups to its attempt's key
   */
  constructor(
    processes: Processes,
    clock: Clock,
    wrappers: () => ReadonlyMap<string, Wrapper>,
    inCgroups: () => ReadonlyMap<number, string>,
  ) {
    this.processes = processes;
    this.clock = clock;
    this.wrappers = wrappers;
    this.inCgroups = inCgroups;
  }

  /** The processes at a moment after the call. Callers at the same time share a look. */
  look(): Promise<Look> {
    // A look that has failed says nothing of the next one.
    const last = this.current.catch(() => undefined);
    this.next ??= last.then(async () => {
      const left = this.lookedAt + MIN_SECONDS_BETWEEN_LOOKS - this.clock.monotonicSeconds();
      if (left > 0) await new Promise<void>((resolve) => this.clock.after(left, resolve));
      this.current = this.next!;
      this.next = null;
      return this.lookNow();
    });
    return this.next;
  }

  private async lookNow(): Promise<Look> {
    const wrappers = this.wrappers();
    const inCgroups = this.inCgroups();
    const all = this.processes.all();
    this.lookedAt = this.clock.monotonicSeconds();
    const byPid = new Map(all.map((process) => [process.pid, process]));
    const bySession = new Map<number, string>();
    const wrapped = new Set<string>();
    const stoppedWrappers: number[] = [];
    for (const [key, { pid, startTicks }] of wrappers) {
      const leader = byPid.get(pid);
      if (leader?.startTicks === startTicks) {
        wrapped.add(key);
        if (isStopped(leader)) stoppedWrappers.push(pid);
      }
      // If another process has the pid now, the session of that number is empty.
      if (leader === undefined || leader.startTicks === startTicks) bySession.set(pid, key);
    }

    const seen = new Map<string, string | null>();
    for (const process of all) {
      const name = nameOf(process);
      const key = inCgroups.get(process.pid) ?? bySession.get(process.session) ?? this.seen.get(name);
      seen.set(name, key === undefined ? await this.processes.variable(process.pid, MARK) : key);
    }
    for (let changed = true; changed;) {
      changed = false;
      for (const process of all) {
        const parent = byPid.get(process.parent);
        if (parent === undefined || seen.get(nameOf(process)) !== null) continue;
        const key = seen.get(nameOf(parent)) ?? null;
        if (key === null) continue;
        seen.set(nameOf(process), key);
        changed = true;
      }
    }
    this.seen = seen;

    const members = new Map<string, Process[]>();
    for (const process of all) {
      const key = seen.get(nameOf(process)) ?? null;
      if (key === null || (wrapped.has(key) && wrappers.get(key)?.pid === process.pid)) continue;
      const list = members.get(key);
      if (list === undefined) members.set(key, [process]);
      else list.push(process);
    }
    return { members, wrapped, stoppedWrappers, processCount: all.length };
  }
}

function nameOf({ pid, startTicks }: Process): string {
  return `${pid} ${startTicks}`;
}

/** The wrappers of attempts that are not over, by the attempt's key. */
export function wrappersOf(attempts: ReadonlyMap<string, LocalAttempt>, boot: string): Map<string, Wrapper> {
  const wrappers = new Map<string, Wrapper>();
  // A wrapper runs one attempt after the other. Of those that an earlier engine left, its session is the last one's.
  const last = new Map<number, LocalAttempt>();
  for (const attempt of attempts.values()) {
    const { state, claim } = attempt;
    if (state === "over" || claim?.boot !== boot) continue;
    const other = last.get(claim.pid)?.claim?.monotonicSeconds ?? -Infinity;
    if (claim.monotonicSeconds >= other) last.set(claim.pid, attempt);
  }
  for (const { key, claim } of last.values()) wrappers.set(key, claim!);
  return wrappers;
}
