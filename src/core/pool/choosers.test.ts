import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { Jobs } from "../jobs/jobs.ts";
import { AllowedMachines } from "../machines/allowed-machines.ts";
import { DOWN, DRAINED, MachineState, REMOVED, RESERVED } from "../machines/machine-state.ts";
import { heuristics } from "../matching/registry.ts";
import { NONE } from "../none.ts";
import { FamilyMachines, ORDINARY } from "../packing/family-machines.ts";
import { packingPolicies, type PackingSettings } from "../packing/settings.ts";
import { Choosers } from "./choosers.ts";
import { aJob, equalMachines } from "./pool.fixture.ts";

const GROUPS = 8;
const FAMILIES = 2;

/** A pool's choosers, and beside them the definition: a plain scan of all machines. */
class Subject {
  readonly jobs = new Jobs();
  readonly machines: MachineState;
  readonly groups = {
    count: 2,
    /** A requirement is the sum of 2^group over the groups that meet it. */
    meets: (requirement: number, group: number): boolean => ((requirement >> group) & 1) === 1,
  };
  readonly packing: FamilyMachines | null;
  readonly allowed: AllowedMachines;
  readonly choosers: Choosers;
  readonly running: { job: number; machine: number; n: number }[] = [];
  readonly refusals = new Map<number, number[]>();
  private readonly spreads: boolean;
  private now = 0;

  constructor(count: number, packing: PackingSettings | null) {
    const { jobs } = this;
    this.spreads = packing?.policy === "none";
    const machines = new MachineState({
      ...equalMachines(count, { cores: 4000, memory: 4 }),
      groupOf: Int32Array.from({ length: count }, (_, i) => i % 2),
    });
    this.machines = machines;
    this.packing = packing === null ? null : new FamilyMachines(machines, jobs, packing);
    this.allowed = new AllowedMachines(machines, jobs, this.groups, this.packing);
    this.choosers = new Choosers(machines, jobs, this.allowed, this.packing, false);
  }

  /** Checks for every heuristic that it finds the right machine for a job. */
  expectRight(job: number): number {
    const { jobs, choosers, machines } = this;
    const closed = Uint8Array.from(machines.closed);
    let found = NONE;
    for (const heuristic of heuristics) {
      const { find } = choosers.forKind(jobs.kind[job], choosers.of(heuristic));
      found = find(jobs.coresOf(job), jobs.memoryOf(job), 0);
      expect(found, heuristic.name).toBe(this.best(job, heuristic));
    }
    expect(machines.closed).toEqual(closed);
    return found;
  }

  start(job: number, machine: number): void {
    const { machines, jobs, packing, running } = this;
    machines.take(machine, jobs.coresOf(job), jobs.memoryOf(job), 0, 1);
    packing?.plan(job, machine, 1);
    packing?.start(job, machine, this.now);
    running.push({ job, machine, n: 1 });
  }

  end(which: number): void {
    const { machines, jobs, packing, running } = this;
    const [each] = running.splice(which % Math.max(1, running.length), 1);
    if (each === undefined) return;
    machines.give(each.machine, jobs.coresOf(each.job), jobs.memoryOf(each.job), 0, 1);
    packing?.leave(each.job, each.machine, 1);
  }

  wait(seconds: number): void {
    this.now += seconds;
    this.packing?.begin(this.now);
  }

  private best(job: number, heuristic: (typeof heuristics)[number]): number {
    const { machines, jobs, packing } = this;
    const [cores, memory, family] = [jobs.coresOf(job), jobs.memoryOf(job), jobs.familyOf(job)];
    let best = NONE;
    let bestRank = Infinity;
    let bestScore = Infinity;
    for (let machine = 0; machine < machines.count; machine++) {
      if (machines.freeCores[machine] < cores || machines.freeMemory[machine] < memory) continue;
      if (machines.closed[machine] !== 0 || this.refusals.get(job)?.includes(machine) === true) continue;
      const requirement = jobs.requirementOf(job);
      if (requirement !== 0 && !this.groups.meets(requirement, machines.groupOf[machine])) continue;
      let rank = 0;
      if (packing !== null && family !== ORDINARY) {
        const hasOwn = this.running.some(
          (other) => other.machine === machine && jobs.familyOf(other.job) === family,
        );
        rank = hasOwn !== this.spreads ? 0 : 1;
      }
      const reservedTo = packing?.reservedTo[machine] ?? ORDINARY;
      if (reservedTo !== ORDINARY && reservedTo !== family) continue;
      const score = heuristic.score(machines, machine, cores, memory, 0);
      if (rank > bestRank || (rank === bestRank && score >= bestScore)) continue;
      best = machine;
      bestRank = rank;
      bestScore = score;
    }
    return best;
  }
}

const anyStep = fc.record({
  what: fc.constantFrom(
    "start",
    "start",
    "start",
    "end",
    "wait",
    "refuse",
    "add",
    "resize",
    "remove",
    "drain",
    "down",
    "reserve",
  ),
  pick: fc.nat(1000),
  cores: fc.constantFrom(500, 1000, 1000, 2000),
  memory: fc.nat(3),
  family: fc.nat(FAMILIES),
  requirement: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 2 ** GROUPS - 1 })),
});

describe("a job's machine", () => {
  const anyPacking = fc.record({
    policy: fc.constantFrom(...packingPolicies),
    families: fc.constant(FAMILIES),
    ttlSeconds: fc.constantFrom(10, Infinity),
  });
  it("is the heuristic's choice among those it may use, by its family's preference, whatever happens to machines", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.option(anyPacking),
        fc.array(anyStep, { maxLength: 60, size: "max" }),
        (count, packing, steps) => {
          const subject = new Subject(count, packing);
          const { jobs, machines, groups, allowed, refusals, running } = subject;
          const looking: number[] = [];
          for (const { what, pick, cores, memory, family, requirement } of steps) {
            const machine = pick % machines.count;
            const isOut = (bit: number): boolean => (machines.closed[machine] & bit) !== 0;
            const capacity = { coresMilli: cores * 3, memoryMiB: memory * 2, gpuMilli: 0 };
            if (what === "end") subject.end(pick);
            else if (what === "wait") subject.wait(pick % 7);
            else if (what === "drain") machines[isOut(DRAINED) ? "open" : "close"](machine, DRAINED);
            else if (what === "reserve" && machines.isInService(machine))
              machines[isOut(RESERVED) ? "unreserve" : "reserve"](machine);
            else if (what === "down") machines[isOut(DOWN) ? "open" : "close"](machine, DOWN);
            else if (what === "resize" && !isOut(REMOVED)) machines.setCapacity(machine, capacity);
            else if (what === "remove" && !running.some((each) => each.machine === machine))
              machines.remove(machine);
            else if (what === "add") {
              groups.count = Math.min(GROUPS, groups.count + (pick % 2));
              machines.add(machines.nextNumber, capacity, pick % groups.count);
            } else if (what === "refuse" && looking.length > 0) {
              const job = looking[pick % looking.length];
              allowed.exclude(job, machine, Infinity);
              refusals.set(job, [...(refusals.get(job) ?? []), machine]);
            } else if (what === "start") {
              const job = jobs.add(aJob({ cores, memory, family, requirement }));
              const found = subject.expectRight(job);
              if (found === NONE) looking.push(job);
              else subject.start(job, found);
            }
            for (const job of looking) subject.expectRight(job);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it("is right when more sets of machines are searched than can have indexes, and when those change", () => {
    const subject = new Subject(40, null);
    const { machines, groups, jobs, running } = subject;
    groups.count = GROUPS;
    for (let machine = 0; machine < 40; machine++)
      machines.setCapacity(
        machine,
        { coresMilli: 4000, memoryMiB: 4 + (machine % 3), gpuMilli: 0 },
        machine % GROUPS,
      );
    const ask = (requirement: number, cores: number): void => {
      const job = jobs.add(aJob({ requirement, cores, memory: requirement % 3 }));
      const found = subject.expectRight(job);
      if (found === NONE) subject.end(requirement);
      else subject.start(job, found);
      if (running.length > 60) subject.end(0);
    };
    for (let i = 0; i < 300; i++) ask(1 + (i % 255), 1000);
    // Twenty of them for so long that they replace those of the first.
    for (let i = 0; i < 1200; i++) ask(200 + (i % 20), 500);
    for (let i = 0; i < 300; i++) ask(1 + (i % 255), 1000);
  });

  it("has GPUs if the job asks for them, though no machine had any at first", () => {
    const subject = new Subject(2, null);
    const { machines, choosers, jobs } = subject;
    const kind = jobs.kind[jobs.add(aJob({ gpu: 1000, requirement: 3 }))];
    const { find } = choosers.of(heuristics[0]);
    expect(find(1000, 0, 1000)).toBe(NONE);
    expect(choosers.forKind(kind, choosers.of(heuristics[0])).find(1000, 0, 1000)).toBe(NONE);
    machines.add(2, { coresMilli: 4000, memoryMiB: 4, gpuMilli: 1000 }, 1);
    expect(find(1000, 0, 0)).toBe(0);
    expect(find(1000, 0, 1000)).toBe(2);
    expect(choosers.forKind(kind, choosers.of(heuristics[0])).find(1000, 0, 1000)).toBe(2);
  });
});
