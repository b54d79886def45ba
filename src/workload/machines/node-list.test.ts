import { describe, expect, it } from "vitest";

import { InputError } from "../errors.ts";
import type { MachinesOptions } from "./format.ts";
import { NodeList, type Node } from "./node-list.ts";
import { notes, rows } from "./read.fixture.ts";
import type { Machines } from "./machines.ts";

const aNode: Node = { id: "n1", cores: 8, memoryMiB: 1024.9, gpus: 0, attributes: {}, out: "" };

function list(nodes: readonly Partial<Node>[], options: MachinesOptions = {}): Machines {
  const list = new NodeList("nodes.txt", options);
  nodes.forEach((node, at) => list.add({ ...aNode, ...node }, at + 1));
  return list.finish();
}

describe("nodes that a batch system lists", () => {
  it("are machines in the list's order", () => {
    const machines = list([{ id: "b" }, { id: "a", cores: 2.5 }]);
    expect(machines.name).toBe("nodes");
    expect(rows(machines)).toEqual([
      ["b", 8, 1024, null],
      ["a", 2.5, 1024, null],
    ]);
    expect(machines).not.toHaveProperty("notes");
    expect(machines).not.toHaveProperty("attributes");
  });

  it("have GPUs where one has", () => {
    expect(rows(list([{ id: "a" }, { id: "b", gpus: 2 }])).map((row) => row[3])).toEqual([0, 2]);
  });

  it("count once if they are listed several times, as in several partitions", () => {
    const machines = list([{ id: "a" }, { id: "b" }, { id: "a" }]);
    expect(machines.ids).toEqual(["a", "b"]);
    expect(notes(machines)).toEqual(["listed more than once, counted once: 1 (a)"]);
  });

  it("are refused if they are listed with two sizes", () => {
    expect(() => list([{ id: "a" }, { id: "a", cores: 4, gpus: 1 }])).toThrow(
      "nodes.txt:2: a is listed twice: first with 8 cores and 1024 MiB, then with 4 cores and 1024 MiB and 1 GPU",
    );
  });

  it("are kept with a note if they are down", () => {
    const machines = list([{ id: "a", out: "DOWN: no power" }, { id: "b" }]);
    expect(machines.ids).toEqual(["a", "b"]);
    expect(notes(machines)).toEqual([
      "down or drained, but kept: --leave-out-down leaves them out: 1 (a DOWN: no power)",
    ]);
  });

  it("are left out if they are down, on request", () => {
    const machines = list([{ id: "a", out: "DOWN" }, { id: "b" }], { leaveOutDown: true });
    expect(machines.ids).toEqual(["b"]);
    expect(notes(machines)).toEqual(["left out: down or drained: 1 (a DOWN)"]);
  });

  it("are named in part if they are many, without unprintable characters", () => {
    const many = Array.from({ length: 9 }, (_, at) => ({
      id: `n${at}`,
      out: `down\n\u001b[31m${"x".repeat(100)}`,
    }));
    const [note] = list(many).notes!;
    expect(note).toMatchObject({ count: 9 });
    expect(note.examples).toHaveLength(5);
    expect(note.examples[0]).toBe(`n0 down [31m${"x".repeat(67)}…`);
  });

  it("are left out if their cores are unknown, or they have none", () => {
    const machines = list([{ id: "a", cores: null }, { id: "b", cores: 0, out: "down" }, { id: "c" }]);
    expect(machines.ids).toEqual(["c"]);
    expect(notes(machines)).toEqual(["left out: no cores told: 2 (a; b down)"]);
  });

  it("are left out if only others tell their memory; if none does, memory is not considered", () => {
    const machines = list([{ id: "a", memoryMiB: null }, { id: "b" }]);
    expect(machines.ids).toEqual(["b"]);
    expect(notes(machines)).toEqual(["left out: no memory told, while others tell theirs: 1 (a)"]);
    expect(list([{ memoryMiB: null }]).memoryMiB).toBeNull();
  });

  it.each<[string, Partial<Node>[], MachinesOptions, RegExp]>([
    [
      "all are down",
      [{ out: "down" }],
      { leaveOutDown: true },
      /no machine of the list can be used \(left out: down or drained: 1\)/,
    ],
    [
      "nothing is told of down nodes",
      [{ out: null }],
      { leaveOutDown: true },
      /does not tell which nodes are down: leave out --leave-out-down/,
    ],
    ["there is none", [], {}, /^nodes.txt: there is no machine in it/],
    ["one has no name", [{ id: "" }], {}, /^nodes.txt:1: a machine without an id/],
    ["one is too large", [{ cores: 1e9 }], {}, /^nodes.txt:1: machine n1 has 1000000000 cores/],
  ])("are refused where %s", (_what, nodes, options, message) => {
    expect(() => list(nodes, options)).toThrow(InputError);
    expect(() => list(nodes, options)).toThrow(message);
  });
});
