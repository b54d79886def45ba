import * as fc from "fast-check";
import { expect, it } from "vitest";

import { McbSearch } from "./mcb-search.ts";
import { parseOnlinePolicy, type OnlinePolicy } from "./notation.ts";
import { OnlineScheduler } from "./scheduler.ts";

const NODES = 3;

const anyRequest = fc.record({
  tasks: fc.integer({ min: 1, max: NODES }),
  cpuNeed: fc.constantFrom(25, 60, 100),
  memory: fc.constantFrom(10, 40, 70),
});

/** Seconds until it, then a job that comes, the so-manieth job that ends, or neither. */
const anyInstant = fc.record({
  after: fc.constantFrom(1, 300, 600, 900),
  comes: fc.option(anyRequest, { freq: 3 }),
  ends: fc.option(fc.nat(9), { freq: 2 }),
  isPeriod: fc.boolean(),
});

it("packs as it would if it did so every time, also where it sees that nothing has changed", () => {
  const usual = parseOnlinePolicy("GreedyPM */per/MVT") as OnlinePolicy;
  const always: OnlinePolicy = {
    ...usual,
    periodic: {
      name: "always",
      create(state) {
        const search = new McbSearch(state, null, false);
        return {
          pack: (now) => search.run(now, 0.01, (job, level) => Math.floor(level * state.jobs.cpuNeed[job])),
        };
      },
    },
  };
  fc.assert(
    fc.property(fc.array(anyInstant, { maxLength: 30 }), (instants) => {
      const [one, other] = [usual, always].map(
        (policy) =>
          new OnlineScheduler({
            policy,
            nodes: NODES,
            penaltySeconds: 0,
            minimumVirtualSeconds: 600,
            minimumFlowSeconds: 600,
          }),
      );
      let now = 0;
      for (const { after, comes, ends, isPeriod } of instants) {
        now += after;
        for (const scheduler of [one, other]) {
          const { jobs } = scheduler.state;
          if (ends !== null && ends < jobs.activeCount) scheduler.finish(jobs.active[ends]);
          if (comes !== null) scheduler.submit(comes, now);
          scheduler.decide(now, isPeriod, 600);
        }
        expect(one.decisions).toEqual(other.decisions);
        expect(one.state.nodes).toEqual(other.state.nodes);
      }
    }),
    { numRuns: 500 },
  );
});
