import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { ThreadedForecasts } from "../../src/live/forecasting/forecasts.ts";
import type { Service } from "../../src/live/service/service.ts";
import { jobRequest } from "../../src/live/store/job-request.ts";
import { TestFarm } from "./farm.fixture.ts";

it("answers each question with its own answer where the farm is read again meanwhile", async () => {
  const farm = new TestFarm(["--allow-root"]);
  await farm.serve();
  await farm.client.send("POST", "/v1/jobs", { command: ["true"], hold: true });
  await farm.kill("SIGTERM");
  const data = join(farm.folder, "data");
  const now = (): number => Date.now() / 1000;
  const service = { farmTime: now, unixSeconds: now, journal: { port: { view: { jobs: { waiting: 1 } } } } };
  const forecasts = new ThreadedForecasts(
    join(data, "croft.db"),
    data,
    () => service as unknown as Service,
    20,
  );
  onTestFinished(() => forecasts.close());
  const request = (cores: number): Promise<unknown> =>
    forecasts.ofRequest(jobRequest(["true"], { cores }), "ann");
  await request(1);
  for (let time = 1; time <= 5; time++) {
    const restarted = forecasts.restart();
    // The forecasts of all go first: the answer to them is a number.
    forecasts.farmChanged();
    const asked = request(1 + time / 100);
    await restarted;
    expect(await asked).toHaveProperty("isNow");
  }
});
