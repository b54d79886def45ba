import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { NONE } from "../none.ts";
import { aJob } from "../pool/pool.fixture.ts";
import { Jobs } from "./jobs.ts";
import { KindMemory } from "./kind-memory.ts";
import { RequestKinds, type KindRequest } from "./request-kinds.ts";

function aRequest(cores: number, request: Partial<KindRequest> = {}): KindRequest {
  const rest = { memory: 0, gpu: 0, tasks: 1, requirement: 0, owner: 0, family: 0 };
  return { cores, ...rest, ...request };
}

const anyRequest = fc.record({
  cores: fc.integer({ min: 1, max: 3 }),
  memory: fc.nat(1),
  gpu: fc.nat(1),
  tasks: fc.integer({ min: 1, max: 2 }),
  requirement: fc.nat(1),
  owner: fc.nat(1),
  family: fc.nat(1),
  exclusion: fc.nat(1),
});

describe("kinds of request", () => {
  it("are equal for equal requests of present jobs, and differ for different ones", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(anyRequest, fc.nat()), { maxLength: 200 }),
        fc.constantFrom(1, 2, 4096),
        (steps, idleKinds) => {
          const kinds = new RequestKinds(idleKinds);
          const jobs: { text: string; kind: number }[] = [];
          for (const step of steps) {
            if (typeof step === "number") {
              const [job] = jobs.splice(step % Math.max(1, jobs.length), 1);
              if (job !== undefined) kinds.give(job.kind);
              continue;
            }
            const kind = kinds.take(step, step.exclusion);
            expect(kind).toBeGreaterThan(0);
            expect(kinds.capacity).toBeGreaterThan(kind);
            for (const column of Object.keys(step) as (keyof typeof step)[])
              expect(kinds[column][kind]).toBe(step[column]);
            const text = JSON.stringify(step);
            for (const job of jobs) expect(job.kind === kind).toBe(job.text === text);
            jobs.push({ text, kind });
          }
        },
      ),
    );
  });

  it("are remembered for a while after their last job has left; then their numbers are reused", () => {
    const kinds = new RequestKinds();
    const first = kinds.take(aRequest(1));
    const memory = new KindMemory(kinds);
    memory.note(first, 7);
    kinds.give(first);
    expect(kinds.take(aRequest(1))).toBe(first);
    expect(memory.of(first)).toBe(7);
    kinds.give(first);
    const given = new Set<number>();
    for (let cores = 2; cores < 10_000; cores++) {
      const kind = kinds.take(aRequest(cores));
      given.add(kind);
      kinds.give(kind);
    }
    expect(given).toContain(first);
    expect(given.size).toBeLessThan(5000);
    expect(memory.of(first)).toBe(NONE);
    memory.note(first, 8);
    expect(memory.of(first)).toBe(8);
    memory.clear();
    expect(memory.of(first)).toBe(NONE);
  });

  it("take the room of the most at one time: a hundred thousand, then a million one by one", () => {
    const kinds = new RequestKinds();
    const all = Array.from({ length: 100_000 }, (_, i) => kinds.take(aRequest(i % 1000, { memory: i })));
    expect(new Set(all).size).toBe(all.length);
    const { capacity } = kinds;
    expect(capacity).toBe(1 << 17);
    for (const kind of all) kinds.give(kind);
    for (let i = 0; i < 1_000_000; i++) kinds.give(kinds.take(aRequest(1, { memory: i, tasks: 2 })));
    expect(kinds.capacity).toBe(capacity);
  });
});

describe("a job that may not use some machines", () => {
  it("has a kind of its own, and its former one afterwards", () => {
    const jobs = new Jobs();
    const [one, other, third] = [1, 2, 3].map(() => jobs.add(aJob()));
    const common = jobs.kind[one];
    jobs.exclude(one, true);
    jobs.exclude(other, true);
    jobs.exclude(other, true);
    expect(new Set([one, other, third].map((job) => jobs.kind[job])).size).toBe(3);
    expect(jobs.kind[third]).toBe(common);
    jobs.exclude(one, false);
    jobs.exclude(one, false);
    expect(jobs.kind[one]).toBe(common);
    jobs.remove(other);
    const next = jobs.add(aJob());
    expect(jobs.kind[next]).toBe(common);
  });
});
