import { expect, it } from "vitest";

import { Farm } from "../service/farm.fixture.ts";
import { inQueues } from "./ahead.ts";

it("ahead of a job at its virtual pool are those that may go to a pool of its own, the higher priorities first", async () => {
  const pools = ["one", "two"].map((name) => ({ name, machines: 1, cores: 4 }));
  const farm = await Farm.of(pools, { hasQueue: true });
  for (let job = 1; job <= 2; job++) await farm.submit(1000, { cores: 4 });
  await farm.submit(1000, { cores: 2, pool: "one" });
  await farm.submit(1000, { cores: 4, pool: "two" });
  await farm.submit(1000, { cores: 1 });
  await farm.submit(1000, { cores: 4, pool: "two", priority: 40 });
  await farm.submit(1000, { cores: 4, pool: "one", priority: 60 });
  await farm.pass(1);
  const { service } = farm.world;
  const moment = { port: service.journal.port, now: service.farmTime() };
  const queues = inQueues(moment, () => 100);
  expect(queues.map(({ job, jobsAhead, coreSecondsAhead }) => [job, jobsAhead, coreSecondsAhead])).toEqual([
    [7, 0, 0],
    [3, 1, 400],
    [4, 0, 0],
    [5, 3, 1000],
    [6, 2, 500],
  ]);
});
