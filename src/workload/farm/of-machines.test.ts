import { describe, expect, it } from "vitest";

import { AttributeSet } from "../machines/attributes.ts";
import { MachineList } from "../machines/machine-list.ts";
import type { Machines } from "../machines/machines.ts";
import { parseShorthand } from "../machines/shorthand.ts";
import { machineAttributes } from "./farm.ts";
import { alikeMachines, farmOfMachines } from "./of-machines.ts";

/** Machines of these cores, with the labels that stand after them: `8 ib ssd`. */
function machines(...texts: string[]): Machines {
  const list = new MachineList();
  texts.forEach((text, at) => {
    const [cores, ...labels] = text.split(" ");
    const attributes = new AttributeSet().flags(labels).done();
    list.add(
      { id: `n${at}`, coresMilli: Number(cores) * 1000, memoryMiB: 64, gpuMilli: null, attributes },
      {},
    );
  });
  return list.finish("list", {});
}

describe("a list of machines as groups", () => {
  it("puts neighbours with one size and one set of attributes together", () => {
    const groups = alikeMachines(machines("8 ib ssd", "8 ssd ib", "8 ib", "4 ib", "8 ib ssd"));
    expect(groups.map(({ count, coresMilli, attributes }) => [count, coresMilli, attributes])).toEqual([
      [2, 8000, { ib: true, ssd: true }],
      [1, 8000, { ib: true }],
      [1, 4000, { ib: true }],
      [1, 8000, { ib: true, ssd: true }],
    ]);
  });

  it("has no attributes if the list has none", () => {
    expect(alikeMachines(parseShorthand("3x8c1g"))).toEqual([
      { count: 3, coresMilli: 8000, memoryMiB: 1024, gpuMilli: null, attributes: {} },
    ]);
  });
});

describe("a list of machines as a farm", () => {
  it("lets requirements use the list's attributes", () => {
    const [pool] = farmOfMachines(machines("8 ib", "4")).pools;
    expect(pool.groups.map(machineAttributes)).toEqual([
      { ib: true, cores: 8, memory: 64, speed: 1 },
      { cores: 4, memory: 64, speed: 1 },
    ]);
  });
});
