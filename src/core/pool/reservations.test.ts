import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Jobs, type JobRequest } from "../jobs/jobs.ts";
import { AllowedMachines } from "../machines/allowed-machines.ts";
import { DRAINED, MachineState, RESERVED } from "../machines/machine-state.ts";
import { NONE } from "../none.ts";
import { aJob } from "./pool.fixture.ts";
import { Reservations } from "./reservations.ts";

const GROUPS = 3;
/** The groups of machines that meet a requirement, by its number. No group meets the last. */
const meets = (requirement: number, group: number): boolean => requirement - 1 === group;

const anyCapacity = fc.record({
  cores: fc.integer({ min: 3, max: 6 }),
  memory: fc.oneof(fc.constantFrom(8, 12), fc.integer({ min: 0, max: 30 })),
});
const anyUse = fc.record({
  kind: fc.nat(2),
  // Many machines are full, and small jobs find room where others do not.
  freeCores: fc.constantFrom(0, 0, 0, 1, 1, 2),
  // Few amounts tie; some differ by little.
  freeMemory: fc.oneof(fc.constantFrom(4, 8), fc.nat(30)),
  group: fc.nat(GROUPS - 1),
  isDrained: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
});
/** Machines of one to three kinds, often more than a block of the order holds. */
const anyMachines = fc
  .tuple(
    fc.array(anyCapacity, { minLength: 1, maxLength: 3 }),
    fc.array(anyUse, { minLength: 1, maxLength: 300, size: "max" }),
  )
  .map(([capacities, uses]) =>
    uses.map(({ kind, freeCores, freeMemory, ...rest }) => {
      const capacity = capacities[kind % capacities.length];
      const used = {
        cores: Math.max(0, capacity.cores - freeCores),
        memory: Math.max(0, capacity.memory - freeMemory),
      };
      return { capacity, used, ...rest };
    }),
  );
type MachineSpec = typeof anyMachines extends fc.Arbitrary<(infer T)[]> ? T : never;
const anyRequest = fc.record({
  cores: fc.integer({ min: 1, max: 4 }),
  memory: fc.oneof(fc.nat(4), fc.nat(10)),
  tasks: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 100 })),
  requirement: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: GROUPS + 1 })),
});
const anyLeastFree = fc.constantFrom(
  { cores: 0, memory: 0 },
  { cores: 0, memory: 0 },
  { cores: 1, memory: 2 },
);

/** A pass as the paper defines it: every search scans every machine, every reservation is made at once. */
class PlainPass {
  private readonly isReserved: boolean[];
  private readonly machines: MachineState;
  private readonly groups: readonly number[];
  private readonly leastFree: { readonly cores: number; readonly memory: number };

  constructor(machines: MachineState, groups: readonly number[], leastFree: PlainPass["leastFree"]) {
    this.machines = machines;
    this.groups = groups;
    this.leastFree = leastFree;
    this.isReserved = groups.map(() => false);
  }

  /** Machines that are neither drained nor reserved. */
  get left(): number {
    return this.isReserved.filter((isReserved, i) => !isReserved && this.machines.closed[i] !== DRAINED)
      .length;
  }

  /** The machines of the tasks that find one: each the first that has room. */
  find({ cores, memory, tasks, requirement = 0 }: JobRequest): number[] {
    const { machines } = this;
    const found: number[] = [];
    for (const [machine, group] of this.groups.entries()) {
      if (this.isReserved[machine] || machines.closed[machine] === DRAINED) continue;
      if (requirement !== 0 && !meets(requirement, group)) continue;
      const room = machines.roomFor(machine, cores, memory, 0);
      for (let i = 0; i < room && found.length < tasks; i++) found.push(machine);
    }
    return found;
  }

  reserveFor({ cores, memory, requirement = 0 }: JobRequest): void {
    const { freeMemory, freeCores, capacityCores, capacityMemory, closed } = this.machines;
    const mayReserve = [...this.groups.keys()].filter(
      (machine) =>
        !this.isReserved[machine] &&
        closed[machine] !== DRAINED &&
        (requirement === 0 || meets(requirement, this.groups[machine])) &&
        capacityCores[machine] >= cores &&
        capacityMemory[machine] >= memory &&
        freeCores[machine] >= this.leastFree.cores &&
        freeMemory[machine] >= this.leastFree.memory,
    );
    mayReserve.sort((a, b) => freeMemory[b] - freeMemory[a]);
    if (mayReserve.length > 0) this.isReserved[mayReserve[0]] = true;
  }
}

function stateOf(specs: readonly MachineSpec[]): MachineState {
  const state = new MachineState({
    coresMilli: Int32Array.from(specs, ({ capacity }) => capacity.cores),
    memoryMiB: Int32Array.from(specs, ({ capacity }) => capacity.memory),
    gpuMilli: null,
    groupOf: Int32Array.from(specs, ({ group }) => group),
  });
  for (const [machine, { used, isDrained }] of specs.entries()) {
    state.take(machine, used.cores, used.memory, 0, 1);
    if (isDrained) state.close(machine, DRAINED);
  }
  return state;
}

test("jobs are placed as if every reservation were made at once, on many machines and by requirements", () => {
  const requests = fc.array(anyRequest, { minLength: 1, maxLength: 8 });
  const queues = fc.array(fc.array(fc.nat(7), { maxLength: 200, size: "max" }), { maxLength: 3 });
  fc.assert(
    fc.property(anyMachines, requests, queues, anyLeastFree, (specs, requests, queues, leastFree) => {
      const state = stateOf(specs);
      const groups = specs.map(({ group }) => group);
      const jobs = new Jobs();
      const allowed = new AllowedMachines(state, jobs, { count: GROUPS, meets });
      const reservations = new Reservations(state, jobs, allowed, leastFree);

      /** Compares the reservations of one job with those of the plain pass. Returns false if the pass is over. */
      const play = (request: JobRequest, plain: PlainPass): boolean => {
        const { cores, memory, tasks } = request;
        const job = jobs.add(request);
        const find = (): number =>
          groups.findIndex(
            (_, machine) =>
              state.closed[machine] === 0 &&
              allowed.allows(job, machine) &&
              state.roomFor(machine, cores, memory, 0) > 0,
          );
        const expected = plain.find(request);
        const found: number[] = [];
        let room = reservations.roomFor(job, find);
        if (room === NONE) {
          for (let machine = find(); machine !== -1 && found.length < tasks; machine = find()) {
            found.push(machine);
            state.take(machine, cores, memory, 0, 1);
          }
          expect(found).toEqual(expected);
          if (found.length === tasks) return true;
          room = found.length;
        }
        expect(room).toBeGreaterThanOrEqual(expected.length);
        expect(room).toBeLessThan(tasks);
        for (const machine of found) state.give(machine, cores, memory, 0, 1);
        for (let n = expected.length; n < tasks; n++) plain.reserveFor(request);
        if (reservations.note(job, room)) return true;
        expect(plain.left).toBe(0);
        return false;
      };

      for (const queue of queues) {
        const plain = new PlainPass(state, groups, leastFree);
        if (plain.left > 0) queue.every((i) => play(aJob(requests[i % requests.length]), plain));
        reservations.clear();
        expect([...state.closed]).toEqual(specs.map(({ isDrained }) => (isDrained ? DRAINED : 0)));
      }
    }),
    { numRuns: 200 },
  );
});

test("machines that get other capacities are put in order anew", () => {
  const state = new MachineState({
    coresMilli: Int32Array.from([2, 2]),
    memoryMiB: Int32Array.from([8, 4]),
    gpuMilli: null,
  });
  const jobs = new Jobs();
  const reservations = new Reservations(state, jobs, new AllowedMachines(state, jobs), {
    cores: 0,
    memory: 0,
  });
  const closedBy = (cores: number): number[] => {
    const large = jobs.add(aJob({ cores }));
    reservations.begin();
    reservations.note(large, 0);
    reservations.roomFor(jobs.add(aJob({ cores: 1 })), () => 0);
    const closed = [...state.closed];
    reservations.clear();
    return closed;
  };
  expect(closedBy(2)).toEqual([RESERVED, 0]);
  state.setCapacity(0, { coresMilli: 1, memoryMiB: 8, gpuMilli: 0 });
  expect(closedBy(2)).toEqual([0, RESERVED]);
  state.add(2, { coresMilli: 2, memoryMiB: 16, gpuMilli: 0 });
  expect(closedBy(2)).toEqual([0, 0, RESERVED]);
});
