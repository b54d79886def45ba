import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { victimRules, type MachineTasks } from "../index.ts";
import { anyEngine, Draws } from "./any-engine.fixture.ts";
import { wrongInBooks } from "./books.fixture.ts";
import { onePool, request } from "./one-pool.fixture.ts";
import { Port } from "./port.ts";
import type { EngineEvent, PlainRequest } from "./events.ts";

const CORES = [4000, 8000, 4000, 6000];

const portOf = (policy: string, suspends: boolean): Port =>
  new Port(onePool(policy, CORES, { victimRule: suspends ? victimRules[0] : null }));

/** A port, and what a driver knows of its jobs. */
class Course {
  readonly port: Port;
  /** By number, in this port: the number in the first port. */
  readonly names = new Map<number, number>();
  readonly running = new Map<
    number,
    { attempt: number; startedAt: number; placement: readonly MachineTasks[] }
  >();
  last = 0;

  constructor(port: Port) {
    this.port = port;
  }

  /** Tells an event, then a tick. All that starts has started. Returns the decisions in the first port's numbers. */
  tell(event: EngineEvent): unknown[] {
    const decisions = [...this.port.apply(event).decisions];
    for (let ticks = 0; ticks < 3; ticks++)
      decisions.push(...this.port.apply({ type: "tick", at: event.at }).decisions);
    for (const each of decisions) {
      if (each.type !== "START") continue;
      const { job, attempt, number: decision, placement } = each;
      this.running.set(job, { attempt, startedAt: event.at, placement });
      this.port.apply({ type: "started", at: event.at, job, attempt, decision });
    }
    return decisions.map((each) =>
      each.type === "START"
        ? [each.type, this.names.get(each.job), each.placement]
        : [each.type, "job" in each ? this.names.get(each.job) : null],
    );
  }
}

interface Step {
  readonly after: number;
  readonly ends: number;
  readonly asked: PlainRequest;
}

const step: fc.Arbitrary<Step> = fc.record({
  after: fc.integer({ min: 1, max: 20 }),
  // Which of the running jobs ends; beyond them a new one comes.
  ends: fc.integer({ min: 0, max: 30 }),
  asked: fc
    .record({
      cores: fc.integer({ min: 1, max: 4 }),
      tasks: fc.integer({ min: 1, max: 3 }),
      seconds: fc.integer({ min: 1, max: 200 }),
    })
    .map(({ cores, tasks, seconds }) => request({ cores: cores * 1000, tasks, estimateSeconds: seconds })),
});

/** What a step does to a port: the same for both, by the first one's numbers. */
function take(
  courses: readonly Course[],
  at: number,
  { ends, asked }: Step,
  asks: Map<number, PlainRequest>,
): unknown[][] {
  const [first] = courses;
  const running = [...first.running.keys()];
  const name = running[ends];
  if (name === undefined) {
    const number = first.last + 1;
    asks.set(number, asked);
    return courses.map((course) => {
      const job = ++course.last;
      course.names.set(job, number);
      return course.tell({ type: "submitted", at, job, request: asked });
    });
  }
  return courses.map((course) => {
    const job = [...course.running.keys()].find((each) => course.names.get(each) === name)!;
    const { attempt } = course.running.get(job)!;
    course.running.delete(job);
    return course.tell({ type: "exited", at, job, attempt });
  });
}

describe("jobs that are found on machines", () => {
  // Not conservative: what it has promised to those that wait depends on what was before.
  it.each(["first-fit", "best-fit-cores", "mix-fit", "fcfs", "easy", "easy-sjbf", "max-jobs"])(
    "count as those that were started there: %s",
    (policy) => {
      fc.assert(
        fc.property(
          fc.array(step, { minLength: 1, maxLength: 40 }),
          fc.array(step, { minLength: 1, maxLength: 40 }),
          (before, after) => {
            const first = new Course(portOf(policy, false));
            const asks = new Map<number, PlainRequest>();
            let at = 0;
            for (const each of before) take([first], (at += each.after), each, asks);
            const second = new Course(portOf(policy, false));
            for (const [name, { startedAt, placement }] of first.running) {
              const job = ++second.last;
              second.names.set(job, name);
              const asked = asks.get(name)!;
              const left = asked.estimateSeconds! - (at - startedAt);
              // A job that has run longer than its estimate has no time left to give.
              fc.pre(left > 0);
              const { answer } = second.port.apply({
                type: "found",
                at,
                job,
                request: { ...asked, estimateSeconds: left },
                pool: 0,
                placement,
              });
              expect(answer).toBe("taken");
              second.running.set(job, { attempt: 1, startedAt, placement });
            }
            expect(wrongInBooks(second.port)).toEqual([]);
            const waiting = Array.from({ length: first.last }, (_, index) => index + 1).filter(
              (job) => first.port.has(job) && !first.running.has(job),
            );
            for (const name of waiting) {
              const job = ++second.last;
              second.names.set(job, name);
              const decided = second.tell({ type: "submitted", at, job, request: asks.get(name)! });
              expect(decided).toEqual([]);
            }
            for (const each of after) {
              const [expected, found] = take([first, second], (at += each.after), each, asks);
              expect(found).toEqual(expected);
            }
          },
        ),
        { numRuns: 100 },
      );
    },
  );

  it("are ended, cancelled, lost and suspended as others are", () => {
    const port = portOf("first-fit", true);
    const found = (job: number, machine: number): void => {
      const placement = [{ machine, tasks: 1 }];
      const asked = request({ cores: CORES[machine] });
      expect(port.apply({ type: "found", at: 0, job, request: asked, pool: 0, placement }).answer).toBe(
        "taken",
      );
    };
    for (const machine of CORES.keys()) found(machine + 1, machine);
    expect(port.apply({ type: "tick", at: 0 }).decisions).toEqual([]);
    expect(port.apply({ type: "exited", at: 1, job: 1, attempt: 1 }).answer).toBe("taken");
    const [kill] = port.apply({ type: "cancelled", at: 2, job: 3 }).decisions;
    expect(kill).toMatchObject({ type: "KILL", job: 3, attempt: 1 });
    expect(port.apply({ type: "machineDown", at: 3, pool: 0, machine: 3 }).decisions).toMatchObject([
      { type: "LOST", job: 4 },
    ]);
    port.apply({ type: "submitted", at: 4, job: 5, request: request({ cores: 8000, priority: 1 }) });
    expect(port.apply({ type: "tick", at: 4 }).decisions).toMatchObject([{ type: "SUSPEND", job: 2 }]);
    expect(
      Port.load(onePool("first-fit", CORES, { victimRule: victimRules[0] }), port.save()).view.jobs.waiting,
    ).toBe(port.view.jobs.waiting);
  });

  it("are refused where there is no such machine, too little is free, or the event makes no sense", () => {
    const port = portOf("first-fit", false);
    const found = (job: number, cores: number, tasks: number, placement: unknown, pool = 0): string => {
      const event = { type: "found", at: 0, job, request: request({ cores, tasks }), pool, placement };
      const answer = port.apply(event as EngineEvent);
      return answer.answer === "ignored" ? answer.text : answer.answer;
    };
    const on = (...tasks: readonly number[]): MachineTasks[] =>
      tasks.flatMap((count, machine) => (count === 0 ? [] : [{ machine, tasks: count }]));
    expect(found(1, 1000, 1, [{ machine: 9, tasks: 1 }])).toBe("there is no such machine");
    expect(found(1, 1000, 1, on(1), 1)).toBe("there is no such machine");
    expect(found(1, 3000, 2, on(2))).toBe("there is not so much free on its machines, or of its licences");
    expect(found(1, 2000, 3, on(2, 1))).toBe("taken");
    expect(found(1, 1000, 1, on(0, 1))).toBe("the number of the job, or a higher one, was used before");
    expect(found(2, 1000, 1, on(1))).toBe("there is not so much free on its machines, or of its licences");
    for (const placement of [on(0, 1), on(0, 3), [], null, [null], [{ machine: 1, tasks: 2.5 }]])
      expect(found(2, 1000, 2, placement)).toBe("its type is unknown, or a field is missing or out of range");
    expect(wrongInBooks(port)).toEqual([]);
  });

  it("leave right books whatever the engine has: priorities, projects, packing, licences, limits", () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31), (seed) => {
        const draws = new Draws(seed);
        const engine = anyEngine(seed);
        const port = new Port(engine.settings((below) => draws.below(below)));
        const numbers: number[] = [];
        for (let job = 1; job <= 60; job++) {
          const asked = engine.request(draws);
          const pool = draws.below(port.view.pools.length);
          const { machines } = port.view.pools[pool];
          const machine = draws.below(machines.count);
          const placement = [{ machine, tasks: asked.tasks }];
          const { answer } = port.apply({ type: "found", at: 0, job, request: asked, pool, placement });
          if (answer === "taken") numbers.push(job);
          expect(wrongInBooks(port)).toEqual([]);
        }
        port.apply({ type: "tick", at: 0 });
        for (const job of numbers) {
          expect(port.apply({ type: "exited", at: 1, job, attempt: 1 }).answer).toBe("taken");
          expect(wrongInBooks(port)).toEqual([]);
        }
        for (const { machines } of port.view.pools)
          for (let machine = 0; machine < machines.count; machine++)
            expect(machines.freeCores[machine]).toBe(machines.capacityCores[machine]);
      }),
      { numRuns: 200 },
    );
  });
});
