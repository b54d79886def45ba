import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { NONE } from "../../../core/none.ts";
import { GreedyPlacer } from "./greedy-placer.ts";
import { JobPacking } from "./job-packing.ts";
import { priorities } from "./priority.ts";
import { OnlineState } from "./state.ts";

interface Job {
  readonly tasks: number;
  readonly share: number;
  readonly memory: number;
  /** The nodes of its tasks where it stays; empty: it is to be packed. */
  readonly stays: readonly number[];
}

const NODES = 5;

const anyJob = fc.record({
  tasks: fc.integer({ min: 1, max: 6 }),
  share: fc.oneof(fc.constantFrom(1, 25, 50, 100), fc.integer({ min: 1, max: 100 })),
  memory: fc.oneof(fc.constantFrom(10, 20, 50), fc.integer({ min: 1, max: 100 })),
});

/** Tasks per node of each job, or null: the definition, a task at a time. */
function packByTheBook(jobs: readonly Job[]): number[][] | null {
  const cpu = Array<number>(NODES).fill(0);
  const memory = Array<number>(NODES).fill(0);
  const placed = jobs.map(() => Array<number>(NODES).fill(0));
  jobs.forEach((job, i) => {
    for (const node of job.stays) {
      placed[i][node]++;
      cpu[node] += job.share;
      memory[node] += job.memory;
    }
  });
  if (cpu.some((used) => used > 100)) return null;
  const left = jobs.map((job) => (job.stays.length > 0 ? 0 : job.tasks));
  const order = (first: (job: Job) => number, second: (job: Job) => number) => (a: number, b: number) =>
    first(jobs[b]) - first(jobs[a]) || second(jobs[b]) - second(jobs[a]) || b - a;
  const all = jobs.map((_, i) => i).filter((i) => left[i] > 0);
  const heavyInCpu = all.filter((i) => jobs[i].share > jobs[i].memory);
  const heavyInMemory = all.filter((i) => jobs[i].share <= jobs[i].memory);
  heavyInCpu.sort(
    order(
      (job) => job.share,
      (job) => job.memory,
    ),
  );
  heavyInMemory.sort(
    order(
      (job) => job.memory,
      (job) => job.share,
    ),
  );
  for (let node = 0; node < NODES; node++) {
    const next = (list: readonly number[]): number =>
      list.find(
        (i) => left[i] > 0 && cpu[node] + jobs[i].share <= 100 && memory[node] + jobs[i].memory <= 100,
      ) ?? NONE;
    for (;;) {
      const [wanted, other] =
        cpu[node] <= memory[node] ? [heavyInCpu, heavyInMemory] : [heavyInMemory, heavyInCpu];
      let i = next(wanted);
      if (i === NONE) i = next(other);
      if (i === NONE) break;
      left[i]--;
      placed[i][node]++;
      cpu[node] += jobs[i].share;
      memory[node] += jobs[i].memory;
    }
  }
  return left.some((tasks) => tasks > 0) ? null : placed;
}

function stateOf(jobs: readonly Job[]): { state: OnlineState; handles: number[] } {
  const state = new OnlineState(NODES, priorities[0], 0, { minimumVirtualSeconds: 0, minimumFlowSeconds: 0 });
  const handles = jobs.map((job) => {
    const handle = state.jobs.add({ tasks: job.tasks, cpuNeed: job.share, memory: job.memory }, 0);
    let first = NONE;
    for (let node = NODES - 1; node >= 0; node--) {
      const tasks = job.stays.filter((each) => each === node).length;
      if (tasks > 0) first = state.placements.add(node, tasks, first);
    }
    if (first !== NONE) {
      state.nodes.add(handle, first, state.jobs, state.placements);
      state.plan(handle, first);
    }
    return handle;
  });
  return { state, handles };
}

function tasksOn(state: OnlineState, handle: number): number[] {
  const on = Array<number>(NODES).fill(0);
  const { placements } = state;
  for (let entry = state.jobs.planned[handle]; entry !== NONE; entry = placements.after(entry))
    on[placements.machineOf(entry)] += placements.tasksOf(entry);
  return on;
}

/** Some of the jobs are on nodes already, where their memory fits. */
const anyPool = fc
  .array(
    fc.record({ job: anyJob, on: fc.option(fc.integer({ min: 0, max: NODES - 1 }), { nil: null, freq: 4 }) }),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .map((drawn) => {
    const memory = Array<number>(NODES).fill(0);
    return drawn.map(({ job, on }): Job => {
      if (on === null || memory[on] + job.tasks * job.memory > 100) return { ...job, stays: [] };
      memory[on] += job.tasks * job.memory;
      return { ...job, stays: Array<number>(job.tasks).fill(on) };
    });
  });

describe("multi-capacity bin packing", () => {
  it.each([false, true])("packs as the definition does (keeps nodes: %s)", (keepsNodes) => {
    fc.assert(
      fc.property(anyPool, (jobs) => {
        const expected = packByTheBook(jobs);
        const { state, handles } = stateOf(jobs);
        const packing = new JobPacking(state, keepsNodes);
        packing.begin(
          handles,
          jobs.map((job) => job.stays.length > 0),
        );
        jobs.forEach((job, i) => (packing.share[i] = job.share));
        expect(packing.fits(0)).toBe(expected !== null);
        if (expected === null) return;
        packing.apply();
        const found = handles.map((handle) => tasksOn(state, handle));
        const bins = (placed: number[][]): string[] =>
          Array.from({ length: NODES }, (_, node) => placed.map((on) => on[node]).join(" "));
        // Kept nodes get the same bins, in another order.
        if (keepsNodes) expect(bins(found).sort()).toEqual(bins(expected).sort());
        else expect(found).toEqual(expected);
        for (const [i, job] of jobs.entries()) {
          if (job.stays.length > 0) expect(found[i]).toEqual(expected[i]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("remembers the last packing that fitted, not the last that was tried", () => {
    // Two jobs stay on node 0; a third of two tasks fits beside them, or alone, with any shares.
    const stays = { tasks: 1, share: 50, memory: 20, stays: [0] };
    const { state, handles } = stateOf([stays, stays, { tasks: 2, share: 100, memory: 60, stays: [] }]);
    const packing = new JobPacking(state, false);
    packing.begin(handles, [true, true, false]);
    packing.share.set([30, 30, 40]);
    expect(packing.fits(0)).toBe(true);
    packing.share.set([60, 60, 80]);
    expect(packing.fits(0)).toBe(false);
    packing.apply();
    expect(tasksOn(state, handles[2])).toEqual([1, 1, 0, 0, 0]);
  });

  it("leaves a packing that is there already where it is", () => {
    const job = { tasks: 1, share: 60, memory: 60, stays: [] };
    const { state, handles } = stateOf([job, job, job]);
    const packing = new JobPacking(state, true);
    // What runs now: the jobs on nodes 4, 2 and 3.
    [4, 2, 3].forEach((node, i) => {
      const first = state.placements.add(node, 1, NONE);
      state.jobs.placement[handles[i]] = first;
      state.jobs.planned[handles[i]] = first;
    });
    packing.begin(handles, [false, false, false]);
    packing.share.set([60, 60, 60]);
    expect(packing.fits(0)).toBe(true);
    packing.apply();
    expect(handles.map((handle) => tasksOn(state, handle).indexOf(1))).toEqual([4, 2, 3]);
  });
});

describe("greedy placement", () => {
  it("is on the node with the lowest load where memory fits, a task at a time", () => {
    fc.assert(
      fc.property(anyPool, anyJob, (jobs, wanted) => {
        const { state } = stateOf(jobs);
        const cpu = [...state.nodes.cpuNeed];
        const memory = [...state.nodes.memory];
        const expected = Array<number>(NODES).fill(0);
        let isPossible = true;
        for (let task = 0; task < wanted.tasks; task++) {
          let best = NONE;
          for (let node = 0; node < NODES; node++) {
            if (memory[node] + wanted.memory <= 100 && (best === NONE || cpu[node] < cpu[best])) best = node;
          }
          if (best === NONE) {
            isPossible = false;
            break;
          }
          expected[best]++;
          cpu[best] += wanted.share;
          memory[best] += wanted.memory;
        }
        const before = [...state.nodes.cpuNeed, ...state.nodes.memory];
        const handle = state.jobs.add(
          { tasks: wanted.tasks, cpuNeed: wanted.share, memory: wanted.memory },
          0,
        );
        expect(new GreedyPlacer(state).place(handle)).toBe(isPossible);
        if (isPossible) expect(tasksOn(state, handle)).toEqual(expected);
        expect([...state.nodes.cpuNeed, ...state.nodes.memory]).toEqual(
          isPossible ? [...cpu, ...memory] : before,
        );
      }),
      { numRuns: 500 },
    );
  });
});
