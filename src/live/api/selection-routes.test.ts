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
