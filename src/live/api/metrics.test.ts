import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, it } from "vitest";

import { Farm } from "../service/farm.fixture.ts";
import { Metrics } from "./metrics.ts";

it("are told in the documentation, each by its name, and none tells what was not measured", async () => {
  const farm = await Farm.of([{ name: "one", machines: 1, cores: 4 }]);
  const text = await new Metrics(
    () => farm.world.service,
    () => 0,
  ).text();
  const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  const page = readFileSync(fileURLToPath(new URL("../../../docs/live/operate.md", import.meta.url)), "utf8");
  const told = [...page.matchAll(/^\| `(croft_\w+)`/gm)].map(([, name]) => name);
  expect(names.filter((name) => name.startsWith("croft_")).sort()).toEqual(told.sort());
  // Quantiles of the event loop's lag need a measurement every few milliseconds.
  expect(names.filter((name) => name.startsWith("nodejs_eventloop_lag"))).toEqual([
    "nodejs_eventloop_lag_seconds",
  ]);
});

it("tell which pools are reached", async () => {
  const farm = await Farm.of([
    { name: "one", machines: 1, cores: 4 },
    { name: "two", machines: 1, cores: 4 },
  ]);
  const metrics = new Metrics(
    () => farm.world.service,
    () => 0,
  );
  const reached = async (): Promise<string[]> =>
    (await metrics.text()).split("\n").filter((line) => line.startsWith("croft_pool_reached"));
  expect(await reached()).toEqual(['croft_pool_reached{pool="one"} 1', 'croft_pool_reached{pool="two"} 1']);
  farm.world.service.pools[0].unreachable = { reason: "it is away", sinceUnixSeconds: 0 };
  expect(await reached()).toEqual(['croft_pool_reached{pool="one"} 0', 'croft_pool_reached{pool="two"} 1']);
});
