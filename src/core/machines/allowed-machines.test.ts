import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { Jobs } from "../jobs/jobs.ts";
import { aJob, equalMachines, someMachines } from "../pool/pool.fixture.ts";
import { AllowedMachines } from "./allowed-machines.ts";
import { Eligibility, ineligibleText } from "./eligibility.ts";
import { DOWN, DRAINED, MachineState } from "./machine-state.ts";

/** Groups that may become more. A requirement is the sum of 2^group over the groups that meet it. */
function someGroups(count: number) {
  return { count, meets: (requirement: number, group: number) => ((requirement >> group) & 1) === 1 };
}

const anyStep = fc.record({
  what: fc.constantFrom("add", "resize", "remove", "drain", "down", "exclude", "wait", "keep", "ask", "ask"),
  machine: fc.nat(9),
  job: fc.nat(5),
  cores: fc.integer({ min: 1, max: 4 }).map((cores) => cores * 1000),
  requirement: fc.nat(31),
  seconds: fc.nat(20),
});

describe("the machines that a job may use", () => {
  it("are those in service that meet its requirement, are not another family's, and are not excluded", () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 80, size: "max" }), (steps) => {
        const machines = new MachineState(equalMachines(4, { cores: 2000 }));
        const groups = someGroups(1);
        const jobs = new Jobs();
        /** By machine: the family that it is reserved for; 0: none. */
        const keptFor: number[] = [];
        const mayUse = (family: number, machine: number): boolean => {
          const kept = keptFor[machine] ?? 0;
          return kept === 0 || kept === family;
        };
        const allowed = new AllowedMachines(machines, jobs, groups, { mayUse, isExclusive: true });
        const eligibility = new Eligibility(machines, jobs, allowed);
        const there: { job: number; family: number; requirement: number; refusals: Map<number, number> }[] =
          [];
        const gone = new Set<number>();
        let now = 0;
        for (const { what, machine: pick, job: which, cores, requirement, seconds } of steps) {
          const machine = pick % machines.count;
          const each = there[which % Math.max(1, there.length)];
          const capacity = { coresMilli: cores, memoryMiB: 0, gpuMilli: 0 };
          if (what === "add") {
            // Now and then it belongs to a group that was never seen.
            const group = pick % (groups.count + 1);
            groups.count = Math.min(5, Math.max(groups.count, group + 1));
            const number = machines.nextNumber;
            machines.add(number, capacity, Math.min(4, group));
            gone.delete(number);
          } else if (what === "resize" && !gone.has(machine)) machines.setCapacity(machine, capacity);
          else if (what === "remove") {
            machines.remove(machine);
            gone.add(machine);
          } else if (what === "drain") machines.close(machine, DRAINED);
          else if (what === "down") machines.close(machine, DOWN);
          else if (what === "keep") keptFor[machine] = which % 3;
          else if (what === "wait") allowed.begin((now += seconds));
          else if (what === "exclude" && each !== undefined) {
            allowed.exclude(each.job, machine, now + seconds);
            each.refusals.set(machine, Math.max(each.refusals.get(machine) ?? 0, now + seconds));
            allowed.begin(now);
          } else if (what === "ask") {
            const family = which % 3;
            const tasks = 1 + (which % 4);
            const job = jobs.add(aJob({ requirement, family, cores, tasks }));
            there.push({ job, family, requirement, refusals: new Map() });
          }

          for (const { job, family, requirement, refusals } of there) {
            let held = 0;
            for (let machine = 0; machine < machines.count; machine++) {
              const isMet = requirement === 0 || ((requirement >> machines.groupOf[machine]) & 1) === 1;
              const suits = isMet && (refusals.get(machine) ?? 0) <= now;
              expect(allowed.suitsKind(jobs.kind[job], machine)).toBe(suits);
              expect(allowed.allows(job, machine)).toBe(
                suits && machines.isInService(machine) && mayUse(family, machine),
              );
              if (isMet && !gone.has(machine))
                held += Math.floor(machines.capacityCores[machine] / jobs.coresOf(job));
            }
            const isEligible = held >= jobs.tasksOf(job);
            expect(eligibility.isEligible(job)).toBe(isEligible);
            const asked = jobs.kinds.request(jobs.kind[job]);
            const reason = eligibility.reason({ ...asked, requirement });
            expect(reason === null).toBe(isEligible);
            if (reason?.kind === "tasks") expect(reason.held).toBe(held);
          }
        }
      }),
    );
  });

  it("are all of them for the next job that gets the handle of one with an exclusion", () => {
    const machines = new MachineState(equalMachines(2, { cores: 2000 }));
    const jobs = new Jobs();
    const allowed = new AllowedMachines(machines, jobs);
    const refused = jobs.add(aJob());
    allowed.exclude(refused, 1, Infinity);
    expect([0, 1].map((machine) => allowed.suitsKind(jobs.kind[refused], machine))).toEqual([true, false]);
    jobs.remove(refused);
    let next = jobs.add(aJob());
    while (next !== refused) {
      jobs.remove(next);
      next = jobs.add(aJob());
    }
    expect(allowed.suitsKind(jobs.kind[next], 1)).toBe(true);
    allowed.exclude(next, 0, 10);
    expect([0, 1].map((machine) => allowed.suitsKind(jobs.kind[next], machine))).toEqual([false, true]);
    allowed.begin(10);
    expect(allowed.suitsKind(jobs.kind[next], 0)).toBe(true);
  });

  it("may be tried again when the time is over, and that is reported", () => {
    const machines = new MachineState(equalMachines(2, { cores: 2000 }));
    const jobs = new Jobs();
    const allowed = new AllowedMachines(machines, jobs);
    const job = jobs.add(aJob());
    expect(allowed.exclusions.nextExpiry).toBe(Infinity);
    allowed.exclude(job, 0, 30);
    allowed.exclude(job, 1, 20);
    allowed.exclude(job, 1, 10);
    const before = machines.revision;
    allowed.begin(19);
    expect(machines.revision).toBe(before);
    expect(allowed.exclusions.nextExpiry).toBe(20);
    expect(allowed.exclusions.of(job)).toEqual([0, 1]);
    allowed.begin(20);
    expect(machines.revision).toBeGreaterThan(before);
    expect(allowed.exclusions.of(job)).toEqual([0]);
    expect(allowed.exclusions.nextExpiry).toBe(30);
  });
});

describe("why no machine could ever hold a job", () => {
  const machines = new MachineState({
    ...someMachines({ cores: 8000, memory: 10, gpu: 0 }, { cores: 4000, memory: 20, gpu: 2000 }),
    groupOf: Int32Array.of(0, 1),
  });
  const jobs = new Jobs();
  const allowed = new AllowedMachines(machines, jobs, someGroups(3));
  const eligibility = new Eligibility(machines, jobs, allowed);
  it.each([
    [{ cores: 8000, memory: 10 }, null],
    [{ cores: 9000 }, { kind: "cores", asked: 9000, largest: 8000 }],
    [
      { cores: 5000, requirement: 2 },
      { kind: "cores", asked: 5000, largest: 4000 },
    ],
    [{ memory: 21 }, { kind: "memory", asked: 21, largest: 20 }],
    [{ gpu: 3000 }, { kind: "gpu", asked: 3000, largest: 2000 }],
    [
      { cores: 8000, memory: 20 },
      { kind: "together", cores: 8000, memory: 20, gpu: 0 },
    ],
    [
      { cores: 4000, tasks: 4 },
      { kind: "tasks", asked: 4, held: 3 },
    ],
    [{ requirement: 4 }, { kind: "requirement", requirement: 4 }],
  ])("%j", (asked, reason) => {
    expect(eligibility.reason({ ...aJob(), ...asked })).toEqual(reason);
    if (reason !== null) expect(ineligibleText(eligibility.reason({ ...aJob(), ...asked })!)).toMatch(/\w/);
  });

  it("is not what others use of it", () => {
    const size = (of: number): Int32Array => Int32Array.of(of);
    const shared = new MachineState({
      coresMilli: size(0),
      memoryMiB: size(1),
      gpuMilli: size(0),
      whole: { coresMilli: size(4000), memoryMiB: size(8), gpuMilli: size(1000) },
    });
    const eligibility = new Eligibility(shared, jobs, null);
    expect(eligibility.reason({ ...aJob(), cores: 4000, memory: 8, gpu: 1000 })).toBeNull();
    expect(eligibility.reason({ ...aJob(), cores: 5000 })).toEqual({
      kind: "cores",
      asked: 5000,
      largest: 4000,
    });
    // It has grown since.
    shared.setCapacity(0, { coresMilli: 6000, memoryMiB: 8, gpuMilli: 0 });
    expect(eligibility.reason({ ...aJob(), cores: 5000 })).toBeNull();
  });

  it("changes with the machines", () => {
    const machines = new MachineState(someMachines());
    const eligibility = new Eligibility(machines, jobs, null);
    expect(eligibility.reason(aJob())).toEqual({ kind: "cores", asked: 1000, largest: 0 });
    machines.add(0, { coresMilli: 1000, memoryMiB: 0, gpuMilli: 0 });
    machines.close(0, DRAINED);
    expect(eligibility.reason(aJob())).toBeNull();
    machines.setCapacity(0, { coresMilli: 500, memoryMiB: 0, gpuMilli: 0 });
    expect(eligibility.reason(aJob())).toEqual({ kind: "cores", asked: 1000, largest: 500 });
    machines.remove(0);
    expect(eligibility.reason(aJob())).toEqual({ kind: "cores", asked: 1000, largest: 0 });
  });
});
