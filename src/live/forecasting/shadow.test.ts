import { expect, it } from "vitest";

import { IN_TRANSFER, WAITING } from "../../core/index.ts";
import { runAhead } from "../../forecast/index.ts";
import { Draws } from "../service/draws.ts";
import { Farm } from "../service/farm.fixture.ts";
import { Refusal } from "../refusal.ts";
import { Shadow } from "./shadow.ts";

/** However it stands: what was decided and is not answered yet, jobs on their way, second attempts. */
function everyJobStarts({ port, runs, arrivals, twins, now }: Shadow): void {
  const { view } = port;
  const jobs = Array.from(view.jobs)
    .filter((handle) => [WAITING, IN_TRANSFER].includes(view.jobs.stateOf(handle)))
    .map((handle) => port.numberOf(handle))
    .filter((job) => job > 0);
  const moment = { port, runs, arrivals, twins, now, traitsOf: () => traits, nextNumber: port.highest + 1 };
  const possible = { runSeconds: (_: number, elapsed: number) => elapsed + 30, coming: () => [].values() };
  const waits = runAhead(moment, jobs, possible, { members: 1, horizonSeconds: 1e6, steps: 1e5 });
  for (const [job, [wait]] of waits)
    expect({ job, wait }).toEqual({ job, wait: expect.closeTo(0, -4) as number });
}

const traits = { user: 1, name: 1, requestedSeconds: Infinity };
const sizes = ["one", "two"].map((name) => ({ name, machines: 2, cores: 4 }));

it.each(Array.from({ length: 6 }, (_, seed) => seed + 1))(
  "a shadow is the farm's decision engine, whatever happens on the farm (seed %i)",
  async (seed) => {
    const draws = new Draws(seed);
    const of = <T>(list: readonly T[]): T => list[draws.below(list.length)];
    const farm = await Farm.of(sizes, {
      victim: of(["lowest-priority", null]),
      policy: of(["first-fit", "easy"]),
      strategy: of(["NoRes", "ResSusUtil", "DupSusUtil"]),
      engine: { startLatencySeconds: of([0, 2]), suspend: of(["full", "cpu-only", "none"]) },
    });
    const { database } = farm.world;
    let shadows = [new Shadow(database)];
    let jobs = 0;
    for (let step = 0; step < 60; step++) {
      if (draws.below(3) > 0) {
        const more = {
          cores: of([1, 2, 4]),
          priority: of([10, 50, 90]),
          requires: of(["", `cores >= ${of([1, 2, 3])}`]),
          timeSeconds: of([null, 60]),
        };
        await farm.submit(of([1, 10, 60]), more);
        jobs++;
      } else if (jobs > 0) {
        const verb = of(["cancel", "hold", "release", "pause", "resume"] as const);
        await farm.act(verb, 1 + draws.below(jobs)).catch((error: unknown) => {
          if (!(error instanceof Refusal)) throw error;
        });
      }
      await farm.pass(of([0.1, 1, 10]));
      if (step === 30) {
        database.commit(farm.world.service.journal.snapshot());
        shadows = [...shadows, new Shadow(database)];
      }
      const { port } = farm.world.service.journal;
      for (const shadow of shadows) {
        shadow.follow();
        expect(shadow.copy().save()).toEqual(port.save());
        shadow.findRuns(0);
        const { jobs: view } = port.view;
        const started = Array.from(view).filter((handle) =>
          [2, 3, 6, 7, 8, 9].includes(view.stateOf(handle)),
        );
        if (step % 5 === 0) everyJobStarts(shadow);
        expect(new Set(shadow.runs.keys())).toEqual(new Set(started.map((handle) => port.numberOf(handle))));
      }
    }
  },
);
