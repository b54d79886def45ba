import type { Farm } from "../../workload/index.ts";
import { Draws } from "../service/draws.ts";
import { FarmWorld, simulatedJob } from "../service/farm-world.fixture.ts";
import type { JobRequest } from "../store/job-request.ts";

/** A job of a made past. Times are whole eighths of a second: all clocks have them exactly. */
export interface PastSpec {
  readonly submit: number;
  readonly run: number;
  readonly request: Partial<JobRequest>;
  readonly user: string;
}

const PARTS_OF_A_SECOND = 8;

/** Jobs that come faster than a small farm can run them, now and then. */
export function somePast(
  seed: number,
  count: number,
  more: (draws: Draws) => Partial<JobRequest> = () => ({}),
): PastSpec[] {
  const draws = new Draws(seed);
  const of = <T>(list: readonly T[]): T => list[draws.below(list.length)];
  const seconds = (most: number): number => (1 + draws.below(most * PARTS_OF_A_SECOND)) / PARTS_OF_A_SECOND;
  let submit = 0;
  return Array.from({ length: count }, () => {
    submit += seconds(60);
    const run = seconds(300);
    const request = {
      cores: of([1, 1, 2, 4]),
      memoryMiB: of([500, 1000, 3000]),
      timeSeconds: Math.ceil(run * of([1, 2, 5])) + 1,
      priority: of([10, 50, 50, 90]),
      ...more(draws),
    };
    return { submit, run, request, user: of(["ann", "bob", "cy"]) };
  });
}

/** A farm whose users will submit these. */
export async function farmWith(farm: Farm, past: readonly PastSpec[]): Promise<FarmWorld> {
  const world = new FarmWorld(farm);
  await world.start();
  for (const { submit, run, request, user } of past)
    world.clock.after(submit, () => {
      void world.service.loop.act((turn) =>
        world.service.submitting.submit(turn, {
          user,
          jobs: [simulatedJob(request)],
          environment: { CROFT_SIMULATED_SECONDS: String(run) },
          key: null,
        }),
      );
    });
  return world;
}

/** Lets this much time pass. */
export async function pass(world: FarmWorld, seconds: number): Promise<void> {
  let isOver = false;
  world.clock.after(seconds, () => (isOver = true));
  await world.until("the time has passed", () => isOver);
}

export async function untilAllAreOver(world: FarmWorld, jobs: number): Promise<void> {
  await world.until(
    "all jobs are over",
    () => world.service.submitting.next > jobs && world.service.books.jobs.size === 0,
  );
}
