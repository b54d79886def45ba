import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { MachineState } from "../../machines/machine-state.ts";
import { equalMachines, someMachines, type MachineSpec } from "../../pool/pool.fixture.ts";
import { commonGrain } from "../grain.ts";
import { NONE } from "../../none.ts";
import { Indexes, type Grain } from "../indexes.ts";
import { heuristics } from "../registry.ts";
import { scanFinder } from "../scan.ts";

/** Something that happens to a pool; numbers are taken modulo what there is. */
interface Event {
  readonly kind: "take" | "give" | "close" | "open" | "place";
  readonly machine: number;
  readonly cores: number;
  readonly memory: number;
}

const anyEvent: fc.Arbitrary<Event> = fc.record({
  kind: fc.constantFrom<Event["kind"]>("take", "give", "close", "open", "place", "place", "place"),
  machine: fc.nat(),
  cores: fc.nat(),
  memory: fc.nat(),
});

/** Sizes that jobs ask for, in units; a few of them often, as in real queues. */
const COMMON = [0, 1, 1, 1, 2, 2, 3, 4, 8];

/**
 * Takes a pool through events, with every heuristic's index beside a plain scan:
 * after each event all must find the same machine for the same task.
 *
 * @param unit what amounts are multiples of
 * @param fill number from which the state at the start follows
 */
function expectSameMachines(
  capacities: ReturnType<typeof someMachines>,
  unit: Grain,
  grain: Grain,
  fill: number,
  events: readonly Event[],
): void {
  const machines = new MachineState(capacities);
  const indexes = new Indexes(machines, grain);
  const pairs = heuristics.flatMap((heuristic) => {
    const find = heuristic.index?.(indexes);
    return find === undefined ? [] : [{ name: heuristic.name, find, scan: scanFinder(heuristic, machines) }];
  });
  const { count, capacityCores, capacityMemory, freeCores, freeMemory } = machines;
  const take = (machine: number, cores: number, memory: number): void =>
    machines.take(machine, Math.min(cores, freeCores[machine]), Math.min(memory, freeMemory[machine]), 0, 1);
  const part = (amount: number, most: number, grain: number): number =>
    (amount % (Math.floor(most / grain) + 1)) * grain;

  let state = fill;
  const next = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) >>> 8;
  for (let machine = 0; machine < (fill === 0 ? 0 : count); machine++) {
    take(
      machine,
      part(next(), capacityCores[machine], unit.cores),
      part(next(), capacityMemory[machine], unit.memory),
    );
  }

  for (const event of events) {
    const machine = event.machine % count;
    const usedCores = capacityCores[machine] - freeCores[machine];
    const usedMemory = capacityMemory[machine] - freeMemory[machine];
    if (event.kind === "close") machines.drain(machine);
    else if (event.kind === "open") machines.undrain(machine);
    else if (event.kind === "take") {
      take(
        machine,
        part(event.cores, freeCores[machine], unit.cores),
        part(event.memory, freeMemory[machine], unit.memory),
      );
    } else if (event.kind === "give") {
      machines.give(
        machine,
        part(event.cores, usedCores, unit.cores),
        part(event.memory, usedMemory, unit.memory),
        0,
        1,
      );
    }
    const size = (n: number, most: number, grain: number): number =>
      n % 3 === 0 ? part(n, most, grain) : COMMON[n % COMMON.length] * grain;
    const cores = Math.max(unit.cores, size(event.cores, capacityCores[machine], unit.cores));
    const memory = size(event.memory, capacityMemory[machine], unit.memory);
    let last = NONE;
    for (const { name, find, scan } of pairs) {
      last = find(cores, memory, 0);
      expect(last, `${name} for ${cores} and ${memory}`).toBe(scan(cores, memory, 0));
    }
    if (event.kind === "place" && last !== NONE) take(last, cores, memory);
  }
}

const units: readonly Grain[] = [
  { cores: 1000, memory: 1024 },
  { cores: 500, memory: 256 },
  { cores: 1, memory: 1 },
  { cores: 7, memory: 3 },
];
const anyUnit = fc.constantFrom(...units);

/** Up to so many units of each resource; no memory now and then. */
const anyMachine = ({ cores, memory }: Grain): fc.Arbitrary<MachineSpec> =>
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
        fc.array(anyEvent, { maxLength: 60, size: "max" }),
        ([unit, machine], fill, events) => {
          expectSameMachines(equalMachines(count, machine), unit, unit, fill, events);
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
        fc.array(anyEvent, { maxLength: 60, size: "max" }),
        ([unit, kinds], fill, events) => {
          // The kinds in an order that is neither sorted nor in turns.
          const specs = Array.from(
            { length: count },
            (_, i) => kinds[(i * i + (fill % 7) * i) % kinds.length],
          );
          expectSameMachines(someMachines(...specs), unit, unit, fill, events);
        },
      ),
      { numRuns },
    );
  });

  it("with a grain finer than the amounts are", () => {
    fc.assert(
      fc.property(
        fc.array(anyMachine({ cores: 250, memory: 512 }), { minLength: 1, maxLength: 20 }),
        fc.nat(),
        fc.array(anyEvent, { maxLength: 60 }),
        (specs, fill, events) => {
          const finest = { cores: 1, memory: 1 };
          expectSameMachines(someMachines(...specs), { cores: 250, memory: 512 }, finest, fill, events);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe("the common grain", () => {
  const column = fc.array(fc.integer({ min: 0, max: 2 ** 31 - 1 }), { maxLength: 8 });
  it("is the largest number that divides every amount, at least 1", () => {
    fc.assert(
      fc.property(column, column, fc.integer({ min: 1, max: 1000 }), (first, second, factor) => {
        const columns = [first, second].map((values) =>
          Int32Array.from(values, (value) => Math.floor(value / factor) * factor),
        );
        const { cores } = commonGrain(columns, []);
        const amounts = columns.flatMap((each) => [...each]).filter((amount) => amount > 0);
        expect(amounts.filter((amount) => amount % cores !== 0)).toEqual([]);
        expect(amounts.length === 0 ? cores - 1 : cores % factor).toBe(0);
        // No multiple of it divides them all: the quotients have no divisor in common.
        const quotients = amounts.map((amount) => amount / cores);
        for (let divisor = 2; divisor <= Math.min(1000, ...quotients); divisor++) {
          expect(quotients.some((quotient) => quotient % divisor !== 0) || amounts.length === 0).toBe(true);
        }
      }),
    );
  });
});
