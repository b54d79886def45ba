import * as fc from "fast-check";
import { expect, it } from "vitest";

import { Jobs } from "../jobs/jobs.ts";
import { NONE } from "../none.ts";
import { aJob } from "../pool/pool.fixture.ts";
import { ArrivalQueue } from "./arrival-queue.ts";

function inOrder(queue: ArrivalQueue): number[] {
  const found: number[] = [];
  queue.begin();
  for (let job = queue.next(); job !== NONE; job = queue.next()) found.push(job);
  return found;
}

it("keeps jobs in order of arrival, whenever they leave and come back", () => {
  const step = fc.record({
    what: fc.constantFrom("comes", "leaves", "leaves", "comes back"),
    which: fc.nat(),
  });
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 400, size: "max" }),
      fc.integer({ min: 1, max: 8 }),
      (steps, capacity) => {
        const jobs = new Jobs();
        const queue = new ArrivalQueue(jobs, capacity);
        const inside: number[] = [];
        const outside: number[] = [];
        for (const { what, which } of steps) {
          if (what === "comes") inside.push(jobs.add(aJob()));
          else {
            const from = what === "leaves" ? inside : outside;
            if (from.length === 0) continue;
            const [job] = from.splice(which % from.length, 1);
            if (what === "leaves") {
              queue.remove(job);
              outside.push(job);
              expect(inOrder(queue)).toEqual(inside.toSorted((a, b) => jobs.arrival[a] - jobs.arrival[b]));
              continue;
            }
            inside.push(job);
          }
          queue.add(inside.at(-1)!);
          expect(inOrder(queue)).toEqual(inside.toSorted((a, b) => jobs.arrival[a] - jobs.arrival[b]));
          expect(queue.length).toBe(inside.length);
          expect(queue.first()).toBe(inOrder(queue)[0]);
        }
      },
    ),
  );
});
