import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { DOWN, DRAINED, MachineState, REMOVED, RESERVED } from "../../machines/machine-state.ts";
import { equalMachines, someMachines, type MachineSpec } from "../../pool/pool.fixture.ts";
import { NONE } from "../../none.ts";
import { commonDivisor } from "../divisor.ts";
import { Indexes } from "../indexes.ts";
import { heuristics } from "../registry.ts";
import { scanFinder } from "../scan.ts";

/** The unit of amounts. */
interface Unit {
  readonly cores: number;
  readonly memory: number;
}

const changes = ["reserve", "drain", "down", "add", "remove", "resize"] as const;

/** An event in a pool. Numbers are taken modulo what exists. */
interface Event {
  readonly kind: "take" | "give" | "place" | (typeof changes)[number];
  readonly machine: number;
  readonly cores: number;
  readonly memory: number;
  /** Whether amounts are arbitrary, not multiples of the unit. */
  readonly isOdd: boolean;
}

const anyEvent = (kinds: readonly Event["kind"][]): fc.Arbitrary<Event> =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    machine: fc.nat(),
    cores: fc.nat(),
    memory: fc.nat(),
    isOdd: fc.constant(false),
  });
const anyUse = anyEvent(["take", "give", "reserve", "drain", "place", "place", "place"]);

/** Sizes that jobs ask for, in units; a few of them often, as in real queues. */
const COMMON = [0, 1, 1, 1, 2, 2, 3, 4, 8];

/**
 * Takes a pool through events, with every heuristic's index beside a plain scan:
 * after each event all must find the same machine for the same task.
 *
 * @param fill the number that determines the state at the start
 */
function expectSameMachines(
  capacities: ReturnType<typeof someMachines>,
  usual: Unit,
  fill: number,
  events: readonly Event[],
): void {
  const machines = new MachineState(capacities);
  const indexes = new Indexes(machines);
  const pairs = heuristics.flatMap((heuristic) => {
    const find = heuristic.index?.(indexes);
    return find === undefined ? [] : [{ name: heuristic.name, find, scan: scanFinder(heuristic, machines) }];
  });
  const take = (machine: number, cores: number, memory: number): void => {
    const { freeCores, freeMemory } = machines;
    const within = (amount: number, free: number): number => Math.max(0, Math.min(amount, free));
    machines.take(machine, within(cores, freeCores[machine]), within(memory, freeMemory[machine]), 0, 1);
  };
  const part = (amount: number, most: number, unit: number): number =>
    (amount % (Math.floor(Math.max(0, most) / unit) + 1)) * unit;

  let state = fill;
  const next = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) >>> 8;
  for (let machine = 0; machine < (fill === 0 ? 0 : machines.count); machine++) {
    take(
      machine,
      part(next(), machines.capacityCores[machine], usual.cores),
      part(next(), machines.capacityMemory[machine], usual.memory),
    );
  }

  for (const event of events) {
    const { count, capacityCores, capacityMemory, freeCores, freeMemory, closed } = machines;
    const machine = event.machine % count;
    const unit = event.isOdd ? { cores: 1, memory: 1 } : usual;
    const usedCores = capacityCores[machine] - freeCores[machine];
    const usedMemory = capacityMemory[machine] - freeMemory[machine];
    const isOut = (bit: number): boolean => (closed[machine] & bit) !== 0;
    const capacity = {
      coresMilli: ((event.cores % 20) + 1) * unit.cores,
      memoryMiB: (event.memory % 20) * unit.memory,
      gpuMilli: 0,
    };
    switch (event.kind) {
      case "reserve":
        if (closed[machine] === 0) machines.reserve(machine);
        else if (isOut(RESERVED)) machines.unreserve(machine);
        break;
      case "drain":
        if (isOut(DRAINED)) machines.open(machine, DRAINED);
        else machines.close(machine, DRAINED);
        break;
      case "down":
        if (isOut(DOWN)) machines.open(machine, DOWN);
        else machines.close(machine, DOWN);
        break;
      case "add":
        machines.add(machines.nextNumber, capacity);
        break;
      case "resize":
        if (!isOut(REMOVED)) machines.setCapacity(machine, capacity);
        break;
      case "remove":
        if (isOut(REMOVED)) break;
        machines.give(machine, usedCores, usedMemory, 0, 1);
        machines.remove(machine);
        break;
      case "take":
        if (isOut(REMOVED)) break;
        take(
          machine,
          part(event.cores, freeCores[machine], unit.cores),
          part(event.memory, freeMemory[machine], unit.memory),
        );
        break;
      case "give":
        machines.give(
          machine,
          part(event.cores, usedCores, unit.cores),
          part(event.memory, usedMemory, unit.memory),
          0,
          1,
        );
    }
    const size = (n: number, most: number, unit: number): number =>
      n % 3 === 0 ? part(n, most, unit) : COMMON[n % COMMON.length] * unit;
    const cores = Math.max(unit.cores, size(event.cores, machines.capacityCores[machine], unit.cores));
    const memory = size(event.memory, machines.capacityMemory[machine], unit.memory);
    let last = NONE;
    for (const { name, find, scan } of pairs) {
      last = find(cores, memory, 0);
      expect(last, `${name} for ${cores} and ${memory}`).toBe(scan(cores, memory, 0));
    }
    if (event.kind === "place" && last !== NONE) take(last, cores, memory);
  }
}

const units: readonly Unit[] = [
  { cores: 1000, memory: 1024 },
  { cores: 500, memory: 256 },
  { cores: 1, memory: 1 },
  { cores: 7, memory: 3 },
];
const anyUnit = fc.constantFrom(...units);

/** Up to this many units of each resource; sometimes no memory. */
const anyMachine = ({ cores, memory }: Unit): fc.Arbitrary<MachineSpec> =>
  fc.record({
    cores: fc.oneof(fc.integer({ min: 1, max: 16 }), fc.integer({ min: 1, max: 9000 })).map((n) => n * cores),
    memory: fc.oneof(fc.nat(16), fc.nat(70_000)).map((n) => n * memory),
  });

describe("the indexes find the machine that a plain scan finds", () => {
  it.each([
    [1, 150],
    [17, 150],
    [130, 60],
    [1000, 12],
  ])("on %d machines all alike", (count, numRuns) => {
    fc.assert(
      fc.property(
        anyUnit.chain((unit) => fc.tuple(fc.constant(unit), anyMachine(unit))),
        fc.nat(),
        fc.array(anyUse, { maxLength: 60, size: "max" }),
        ([unit, machine], fill, events) => {
          expectSameMachines(equalMachines(count, machine), unit, fill, events);
        },
      ),
      { numRuns },
    );
  });

  it.each([
    [17, 200],
    [130, 40],
    [1000, 8],
  ])("on %d machines of several kinds", (count, numRuns) => {
    fc.assert(
      fc.property(
        anyUnit.chain((unit) =>
          fc.tuple(fc.constant(unit), fc.array(anyMachine(unit), { minLength: 1, maxLength: 20 })),
        ),
        fc.nat(),
        fc.array(anyUse, { maxLength: 60, size: "max" }),
        ([unit, kinds], fill, events) => {
          // The kinds in an order that is neither sorted nor in turns.
          const specs = Array.from(
            { length: count },
            (_, i) => kinds[(i * i + (fill % 7) * i) % kinds.length],
          );
          expectSameMachines(someMachines(...specs), unit, fill, events);
        },
      ),
      { numRuns },
    );
  });

  it.each([
    [1, 200],
    [17, 200],
    [70, 40],
  ])(
    "on %d machines at first, as machines come, go and change, and amounts are odd now and then",
    (count, numRuns) => {
      fc.assert(
        fc.property(
          anyUnit.chain((unit) =>
            fc.tuple(fc.constant(unit), fc.array(anyMachine(unit), { minLength: 1, maxLength: 5 })),
          ),
          fc.nat(),
          fc.array(
            fc
              .tuple(anyEvent(["take", "give", "place", "place", "place", ...changes]), fc.nat(20))
              .map(([event, n]): Event => ({ ...event, isOdd: n === 0 })),
            { maxLength: 100, size: "max" },
          ),
          ([unit, kinds], fill, events) => {
            const specs = Array.from({ length: count }, (_, i) => kinds[(i * i) % kinds.length]);
            expectSameMachines(someMachines(...specs), unit, fill, events);
          },
        ),
        { numRuns },
      );
    },
  );
});

describe("the common divisor", () => {
  const amount = fc.integer({ min: 1, max: 2 ** 31 - 1 });
  it("divides both, and no larger number does", () => {
    fc.assert(
      fc.property(amount, amount, fc.integer({ min: 1, max: 1000 }), (a, b, factor) => {
        const [first, second] = [Math.ceil(a / factor) * factor, Math.ceil(b / factor) * factor];
        const divisor = commonDivisor(first, second);
        expect([first % divisor, second % divisor, divisor % factor]).toEqual([0, 0, 0]);
        expect(commonDivisor(first / divisor, second / divisor)).toBe(1);
      }),
    );
    expect(commonDivisor(0, 12)).toBe(12);
    expect(commonDivisor(12, 0)).toBe(12);
    expect(commonDivisor(12, -8)).toBe(12);
  });
});
