import { expect, it } from "vitest";

import { MOST_JOBS } from "../limits.ts";
import { inlineReader } from "../reader/tasks.ts";
import { simulatedJob } from "../service/farm-world.fixture.ts";
import { Farm } from "../service/farm.fixture.ts";
import type { Asked } from "./api.ts";
import { selectionRoutes } from "./selection-routes.ts";
import type { ServiceHandle } from "./service-handle.ts";

it("counting jobs that are to be submitted again is refused where submitting them would be", async () => {
  const farm = await Farm.of([{ name: "one", machines: 1, cores: 4 }]);
  const { database, service } = farm.world;
  const jobs = Array.from({ length: MOST_JOBS + 1 }, () => simulatedJob({ cores: 9 }));
  await farm.submit(1, {}, { jobs });
  const rerun = selectionRoutes.find(({ path }) => path.endsWith("/rerun"))!;
  const asking = (body: object): unknown =>
    rerun.handle(
      { identity: { user: "ann", role: "user" }, key: null, body } as unknown as Asked,
      { database, service, lists: inlineReader(database) } as unknown as ServiceHandle,
    );
  const refused = {
    status: 422,
    message: expect.stringContaining(`these are ${MOST_JOBS + 1} jobs`) as string,
  };
  await expect(asking({ name: "*" })).rejects.toMatchObject(refused);
  await expect(asking({ name: "*", countOnly: true })).rejects.toMatchObject(refused);
});

it("lets jobs of a choice go on that were suspended just now, and are not shown so yet", async () => {
  const farm = await Farm.of([{ name: "one", machines: 1, cores: 4 }]);
  const { database } = farm.world;
  await farm.submit(1000);
  await farm.submit(1000);
  await farm.pass(10);
  const resume = selectionRoutes.find(({ path }) => path.endsWith("/resume"))!;
  const answered = await farm.world.act(async (service) => {
    await service.loop.act((turn) => service.acts.pause(turn, 1, "ann"));
    expect(farm.state(1)).toBe("running");
    return resume.handle(
      { identity: { user: "ann", role: "user" }, key: null, body: { name: "*" } } as unknown as Asked,
      { database, service, lists: inlineReader(database) } as unknown as ServiceHandle,
    );
  });
  expect(answered).toMatchObject({ answer: { selected: 1, done: 1, refused: 0 } });
  await farm.pass(10);
  expect([farm.state(1), farm.state(2)]).toEqual(["running", "running"]);
});
