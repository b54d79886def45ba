import { describe, expect, it } from "vitest";

import { inputErrorOf } from "../input/text.fixture.ts";
import { pbsnodesJson } from "./pbsnodes-json.ts";
import { pbsnodes } from "./pbsnodes.ts";
import { attributes, notes, readList, rows } from "./read.fixture.ts";
import { samples, torque } from "./samples.fixture.ts";

describe("pbsnodes -a", () => {
  it("of OpenPBS has kb of 1,024, and several vnodes of a host", async () => {
    const machines = await readList(pbsnodes, samples["pbsnodes"]);
    expect(rows(machines)).toEqual([
      ["node01", 32, Math.floor(131_841_848 / 1024), 0],
      ["node02", 64, 131_072, 2],
      ["node03", 32, 131_072, 0],
    ]);
    expect(attributes(machines)).toEqual([
      {
        arch: "linux",
        bigmem: true,
        scratch: 921_600,
        Qlist: "workq,long",
        "queue.long": true,
        "queue.workq": true,
      },
      { arch: "linux" },
      {},
    ]);
    expect(notes(machines)).toEqual([
      "down or drained, but kept: --leave-out-down leaves them out: 1 (node02 offline,down: node down: communication closed)",
    ]);
    expect((await readList(pbsnodes, samples["pbsnodes"], { leaveOutDown: true })).ids).toEqual([
      "node01",
      "node03",
    ]);
  });

  it("of Torque has processors, properties, GPUs and the memory that the node reports", async () => {
    const machines = await readList(pbsnodes, torque);
    expect(rows(machines)).toEqual([["n1", 16, Math.floor(65_861_120 / 1024), 2]]);
    expect(attributes(machines)).toEqual([{ bigmem: true, ib: true, opsys: "linux" }]);
    expect(notes(machines)).toEqual([
      "left out: no memory told, while others tell theirs: 1 (n2 down,offline: no power)",
    ]);
  });

  it("may have a host's own vnode without cores, and vnodes of which some are down", async () => {
    const vnode = (name: string, cores: number, state: string): string =>
      `${name}\n     state = ${state}\n     resources_available.host = h\n     resources_available.ncpus = ${cores}\n`;
    const machines = await readList(
      pbsnodes,
      [vnode("h", 0, "down"), vnode("h[0]", 8, "free"), vnode("h[1]", 8, "offline")].join("\n"),
    );
    expect(rows(machines)).toEqual([["h", 16, null, null]]);
    expect(notes(machines)).toEqual(["with some of their vnodes down, kept whole: 1 (h offline)"]);
    const allDown = await readList(pbsnodes, [vnode("h", 0, "free"), vnode("h[0]", 8, "down")].join("\n"));
    expect(notes(allDown)[0]).toMatch(/^down or drained, but kept/);
  });

  it("may go on in the next line, and keep its last line's end", async () => {
    const text = "n1\n     state = offline\n     np = 4\n     note = no\n\tpower";
    expect(notes(await readList(pbsnodes, text))[0]).toMatch(/\(n1 offline: nopower\)$/);
  });

  it.each([
    [
      "n1\n     state = free\n     resources_available.ncpus = many\n",
      /^nodes.txt:1: ncpus: "many" is not a number/,
    ],
    ["n1\n     np = 4\n     resources_available.mem = lots\n", /^nodes.txt:1: mem: "lots" is not a size/],
    ["     state = free\n", /^nodes.txt:1: no node's name stands above this/],
    ["n1\n     state = free\n", /no machine of the list can be used \(left out: no cores told: 1\)/],
  ])("is refused: %j", async (text, message) => {
    expect((await inputErrorOf(() => readList(pbsnodes, text))).message).toMatch(message);
  });
});

describe("pbsnodes -a -F json", () => {
  it("says what the text says", async () => {
    const machines = await readList(pbsnodesJson, samples["pbsnodes-json"]);
    expect(rows(machines)).toEqual([
      ["node01", 32, Math.floor(131_841_848 / 1024), 0],
      ["node02", 16, 65_536, 1],
    ]);
    expect(attributes(machines)).toEqual([{ arch: "linux", bigmem: true }, {}]);
    expect(notes(machines)[0]).toMatch(/\(node02 state-unknown,down: node down: communication closed\)$/);
  });

  it.each([
    ['{"nodes":[]}', /this JSON has no "nodes" by name/],
    ["{}", /this JSON has no "nodes" by name/],
    ['{"nodes":{}}', /there is no machine in it/],
  ])("is refused: %s", async (text, message) => {
    expect((await inputErrorOf(() => readList(pbsnodesJson, text))).message).toMatch(message);
  });
});
