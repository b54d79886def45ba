import { NONE, type PolicyContext } from "../../../core/index.ts";

/** Jobs with the same request, waiting in a cycle. */
export interface WaitingKind {
  /** Of one task: thousandths of a core, MiB, thousandths of a GPU. */
  readonly cores: number;
  readonly memory: number;
  readonly gpu: number;
  /** They start together or not at all. */
  readonly tasks: number;
  /** By group of machines: 1 if the jobs may use it; null: they may use all. */
  readonly groups: Uint8Array | null;
  /** How many such jobs wait. */
  readonly jobs: number;
}

/** Machines on which the same is free. */
export interface FreeState {
  readonly cores: number;
  readonly memory: number;
  readonly gpu: number;
  readonly group: number;
  /** How many such machines there are. */
  readonly machines: number;
}

/** The matching problem of one cycle: equal jobs, and equal machines, are counted. */
export interface Snapshot {
  readonly kinds: readonly WaitingKind[];
  readonly states: readonly FreeState[];
}

/** What a cycle has before it: all jobs that wait, and what is free on the machines in service. */
export function takeSnapshot(context: PolicyContext): Snapshot {
  return { kinds: kindsOf(context), states: statesOf(context) };
}

function kindsOf({ jobs, queue, allowed }: PolicyContext): WaitingKind[] {
  const counts = new Map<number, number>();
  queue.begin();
  for (let job = queue.next(); job !== NONE; job = queue.next()) {
    const kind = jobs.kind[job]!;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const { cores, memory, gpu, tasks, requirement } = jobs.kinds;
  return [...counts].map(([kind, waiting]) => ({
    cores: cores[kind]!,
    memory: memory[kind]!,
    gpu: gpu[kind]!,
    tasks: tasks[kind]!,
    groups: allowed.setOf(requirement[kind]!)?.groups ?? null,
    jobs: waiting,
  }));
}

function statesOf({ machines }: PolicyContext): FreeState[] {
  const counts = new Map<string, { readonly state: Omit<FreeState, "machines">; machines: number }>();
  for (let machine = 0; machine < machines.count; machine++) {
    if (machines.closed[machine] !== 0 || machines.freeCores[machine]! <= 0) continue;
    const state = {
      cores: machines.freeCores[machine]!,
      memory: machines.freeMemory[machine]!,
      gpu: machines.freeGpu[machine]!,
      group: machines.groupOf[machine]!,
    };
    const key = `${state.cores},${state.memory},${state.gpu},${state.group}`;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { state, machines: 1 });
    else known.machines++;
  }
  return Array.from(counts.values(), ({ state, machines: count }) => ({ ...state, machines: count }));
}

/** How many tasks of a kind fit on one machine of a state. */
export function roomOn(state: FreeState, kind: WaitingKind): number {
  if (kind.groups !== null && kind.groups[state.group] !== 1) return 0;
  const of = (free: number, asked: number): number => (asked === 0 ? Infinity : Math.floor(free / asked));
  return Math.max(
    0,
    Math.min(of(state.cores, kind.cores), of(state.memory, kind.memory), of(state.gpu, kind.gpu)),
  );
}
