import { expect, it } from "vitest";

import { aPoolOf, farmOf } from "../farm.fixture.ts";
import { machinesOfFarm } from "./machines.ts";

it("machines keep the names of their lists, others are numbered, and no two have one name", () => {
  const farm = farmOf([
    aPoolOf("cpu", [{ count: 2, names: ["n1", "n2"] }, { count: 1 }, { names: ["n9"] }]),
    aPoolOf("gpu", [{ count: 3, names: ["n2", "g1", "cpu-3"] }]),
  ]);
  const { ids } = machinesOfFarm(farm);
  expect(ids).toEqual(["n1", "cpu/n2", "cpu/cpu-3", "n9", "gpu/n2", "g1", "gpu/cpu-3"]);
});
