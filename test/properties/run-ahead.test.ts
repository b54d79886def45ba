import { expect, it } from "vitest";

import type { EngineEvent } from "../../src/core/index.ts";
import { Draws } from "../../src/core/port/any-engine.fixture.ts";
import { ArrivalModel, CHECK_WORK, runAhead, type Coming } from "../../src/forecast/index.ts";
import { ExplainedFarm } from "./explained-farm.fixture.ts";

const DAY = 86_400;
const MEMBERS = 2;
const STEPS = 200;
/** What the engine decides at an instant may ask for another look, and that for another: few on any farm. */
const MOST_LOOKS = 12;

/** Runs a farm ahead that may be paused, and counts what it takes. */
function counted(seed: number, mostAsked: number) {
  const farm = new ExplainedFarm(seed);
  const draws = new Draws(seed + 77);
  const { port } = farm;
  const isPaused = seed % 2 === 0;
  if (isPaused)
    for (const [pool, { machines }] of port.view.pools.entries())
      for (let machine = 0; machine < machines.count; machine++)
        port.apply({ type: "machineDrained", at: farm.now, pool, machine });
  // A past that has long been over, or goes on until now.
  const arrivals = new ArrivalModel();
  const request = port.view.jobs.requestOf(port.handleOf(farm.waiting[0]));
  const lately = draws.of([0, 0, 2 * DAY, 20 * DAY]);
  for (let past = 0; past < 40; past++)
    arrivals.learn(farm.now - lately - (40 - past) * draws.of([100, DAY]));
  arrivals.learn(farm.now - lately);

  const count = { looks: 0, asked: 0, work: 0, mostWork: 0 };
  const copied = {
    view: port.view,
    fork: (random: (below: number) => number) => {
      const copy = port.fork(random);
      const apply = copy.apply.bind(copy);
      copy.apply = (event: EngineEvent) => {
        if (event.type === "tick") {
          count.looks++;
          count.work += copy.view.jobs.waiting;
          count.mostWork = Math.max(count.mostWork, count.work);
        }
        return apply(event);
      };
      return copy;
    },
  };
  const waits = runAhead(
    {
      port: copied as unknown as typeof port,
      now: farm.now,
      runs: farm.runs,
      twins: farm.twins,
      arrivals: farm.arrivals,
      traitsOf: () => ({ user: 1, name: 1, requestedSeconds: Infinity }),
      nextNumber: farm.nextNumber,
    },
    farm.waiting,
    {
      runSeconds: () => 50,
      *coming(): Generator<Coming> {
        for (const { submitSeconds } of arrivals.from(farm.now, draws.below(100) / 100))
          yield {
            submitSeconds,
            runSeconds: 50,
            request: {
              ...request,
              project: 0,
              heuristic: -1,
              estimateSeconds: null,
              virtualPool: 0,
              candidates: port.view.jobs.candidatesOf(port.handleOf(farm.waiting[0])),
              priority: 0,
            },
          };
      },
    },
    { members: MEMBERS, horizonSeconds: 60 * DAY, steps: MEMBERS * STEPS },
    {
      mayGoOn: () => {
        count.work = 0;
        return ++count.asked <= mostAsked;
      },
    },
  );
  return { ...count, isPaused, waits, mostWaiting: port.view.jobs.waiting + STEPS, describe: farm.describe };
}

it("a run ahead takes no more steps than it has, whatever is paused and however long ago the last job came", () => {
  let paused = 0;
  for (let seed = 1; seed <= 80; seed++) {
    if (new ExplainedFarm(seed).waiting.length === 0) continue;
    const { looks, isPaused, waits, describe } = counted(seed, Infinity);
    expect(looks, describe).toBeLessThanOrEqual(MEMBERS * STEPS * MOST_LOOKS);
    for (const wait of waits.values()) expect(wait).toHaveLength(MEMBERS);
    if (isPaused) paused++;
  }
  expect(paused).toBeGreaterThan(20);
});

it("whether it may go on is asked after so much work, not after so many steps", () => {
  for (let seed = 1; seed <= 40; seed++) {
    if (new ExplainedFarm(seed).waiting.length === 0) continue;
    const { mostWork, mostWaiting, describe } = counted(seed, Infinity);
    // One step more than is allowed, with all of its looks.
    expect(mostWork, describe).toBeLessThanOrEqual((CHECK_WORK + mostWaiting) * MOST_LOOKS);
    // Refused, and once more before the next future.
    const { asked } = counted(seed, 1);
    expect(asked, describe).toBeLessThanOrEqual(3);
  }
});
