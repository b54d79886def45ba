import { describe, expect, it } from "vitest";

import { inputErrorOf } from "../input/text.fixture.ts";
import { htcondorJson } from "./htcondor-json.ts";
import { htcondorLong } from "./htcondor-long.ts";
import type { Machines } from "./machines.ts";
import { attributes, notes, readList, rows } from "./read.fixture.ts";
import { samples } from "./samples.fixture.ts";

const ads = (...ads: object[]): Promise<Machines> => readList(htcondorJson, JSON.stringify(ads));

describe("condor_status -json", () => {
  it("lists slots, which are put together to machines", async () => {
    const machines = await readList(htcondorJson, samples["htcondor-json"]);
    expect(rows(machines)).toEqual([
      // What the partitionable slot began with, not what the dynamic one left of it.
      ["wn1.example.org", 16, 32_000, 2],
      ["wn2.example.org", 8, 16_000, 0],
    ]);
    expect(attributes(machines)).toEqual([{ Arch: "X86_64", OpSys: "LINUX", HasSingularity: true }, {}]);
    expect(notes(machines)).toEqual([
      "down or drained, but kept: --leave-out-down leaves them out: 1 (wn2.example.org Drained: kernel)",
    ]);
  });

  it("adds up what is left and what was cut off, if there are no totals", async () => {
    const machines = await ads(
      { Name: "slot1@a", PartitionableSlot: true, Cpus: 3, Memory: 1000 },
      { Name: "slot1_1@a", DynamicSlot: true, Cpus: 1, Memory: 500 },
    );
    expect(rows(machines)).toEqual([["a", 4, 1500, null]]);
  });

  it("uses the machine's totals if only dynamic slots are listed", async () => {
    const slot = {
      SlotType: "Dynamic",
      Machine: "a",
      Cpus: 2,
      Memory: 500,
      TotalCpus: 16,
      TotalMemory: 64_000,
    };
    expect(rows(await ads(slot, slot))).toEqual([["a", 16, 64_000, null]]);
  });

  it("leaves out backfill slots, and ads of other daemons", async () => {
    const machines = await ads(
      { MyType: "Machine", Name: "slot1@a", Machine: "a", Cpus: 4, Memory: 1000 },
      { MyType: "Machine", Name: "slot2@a", Machine: "a", Cpus: 4, Memory: 1000, BackfillSlot: true },
      { MyType: "Scheduler", Name: "schedd@a" },
    );
    expect(rows(machines)).toEqual([["a", 4, 1000, null]]);
    expect(notes(machines)).toEqual([
      "left out: backfill slots, which offer once more what others have: 1 (slot2@a)",
      "left out: ads that are no slots of machines: 1 (Scheduler)",
    ]);
  });

  it.each([
    [{ State: "Unclaimed" }, []],
    [{ State: "Owner" }, []],
    [{ State: "Claimed", Start: "/Expr(TARGET.x)/" }, []],
    [{ State: "Drained" }, ["Drained"]],
    [{ State: "Unclaimed", Offline: true }, ["offline"]],
    [{ State: "Claimed", Start: false }, ["START is false"]],
  ])("%j: what keeps jobs off is %j", async (ad, expected) => {
    const machines = await ads({ Name: "slot1@a", Cpus: 4, Memory: 1000, ...ad });
    expect((machines.notes ?? []).flatMap(({ examples }) => examples)).toEqual(
      expected.map((reason) => `a ${reason}`),
    );
  });

  it("is in service if one of the slots is", async () => {
    const slot = { Machine: "a", Cpus: 4, Memory: 1000 };
    expect((await ads({ ...slot, State: "Drained" }, { ...slot, State: "Claimed" })).notes).toBeUndefined();
  });

  it.each([
    ["{}", /this JSON has no list of ads/],
    ["[]", /there is no machine in it/],
    ['[{"Name":"a","Memory":5}]', /left out: no cores told: 1/],
  ])("is refused: %s", async (text, message) => {
    expect((await inputErrorOf(() => readList(htcondorJson, text))).message).toMatch(message);
  });
});

describe("condor_status -long", () => {
  it("says what the JSON says, in lines", async () => {
    const machines = await readList(htcondorLong, samples["htcondor-long"]);
    expect(rows(machines)).toEqual([
      ["old1.example.org", 2, 4000, null],
      ["old2.example.org", 4, 4000, null],
    ]);
    expect(attributes(machines)).toEqual([
      { Arch: "X86_64", HasFileTransfer: true, OpSysAndVer: "CentOS7" },
      {},
    ]);
    expect(notes(machines)[0]).toMatch(/\(old2.example.org offline\)$/);
  });

  it("reads quotes and numbers, and leaves expressions out", async () => {
    const text =
      'Name = "slot1@a"\nCpus = 2.0\nMemory = 1000\nOpSys = "LIN\\"UX"\nHasX = START && TRUE\nHASY = TRUE\n';
    const machines = await readList(htcondorLong, text);
    expect(rows(machines)).toEqual([["a", 2, 1000, null]]);
    expect(attributes(machines)).toEqual([{ OpSys: 'LIN"UX', HASY: true }]);
  });

  it("is refused if a line is not an attribute", async () => {
    const error = await inputErrorOf(() => readList(htcondorLong, "Cpus = 2\nand more\n"));
    expect(error.message).toBe("nodes.txt:2: no attribute: Name = value");
  });
});
