import { describe, expect, it } from "vitest";

import { inputErrorOf } from "../input/text.fixture.ts";
import { lsf } from "./lsf.ts";
import { attributes, notes, readList, rows } from "./read.fixture.ts";
import { samples } from "./samples.fixture.ts";

const both = samples["lsf"];
const [lshosts, bhosts] = both.split("\n\n") as [string, string];

describe("lshosts and bhosts", () => {
  it("tell slots, else CPUs; 31.3G is 31.3 × 1,024 MiB", async () => {
    const machines = await readList(lsf, both);
    expect(rows(machines)).toEqual([
      ["hosta", 30, 32_051, null],
      ["hostb", 64, 1_572_864, null],
    ]);
    expect(attributes(machines)).toEqual([
      { type: "X86_64", model: "Intel_EM64T", cpuf: 60, mg: true, bigmem: true },
      { type: "X86_64", model: "Intel_EM64T", cpuf: 60 },
    ]);
    expect(notes(machines)).toEqual([
      "left out: LSF clients, which run no jobs: 1 (client1)",
      "down or drained, but kept: --leave-out-down leaves them out: 1 (hostb closed_Adm)",
      "left out: no cores told: 1 (hostc unavail)",
    ]);
  });

  it("may be given in the other order", async () => {
    const machines = await readList(lsf, `${bhosts}\n\n${lshosts}`);
    expect(rows(machines)).toEqual(rows(await readList(lsf, both)));
  });

  it("may be lshosts alone, which does not tell which hosts are down", async () => {
    const machines = await readList(lsf, lshosts);
    expect(rows(machines)).toEqual([
      ["hosta", 32, 32_051, null],
      ["hostb", 64, 1_572_864, null],
    ]);
    const error = await inputErrorOf(() => readList(lsf, lshosts, { leaveOutDown: true }));
    expect(error.message).toMatch(/does not tell which nodes are down/);
  });

  it("may be bhosts alone, which does not tell memory", async () => {
    const machines = await readList(lsf, bhosts);
    expect(rows(machines)).toEqual([["hosta", 30, null, null]]);
  });

  it("note hosts that bhosts without -w calls closed, and leave out those that run no batch jobs", async () => {
    const machines = await readList(
      lsf,
      "HOST_NAME STATUS JL/U MAX\na closed - 8\n\nHOST_NAME type model cpuf ncpus maxmem maxswp server RESOURCES\n" +
        "a X86_64 Opteron8 60.0 8 875M - Yes ()\nb X86_64 Opteron8 60.0 8 875M - Yes ()\n",
    );
    expect(rows(machines)).toEqual([["a", 8, 875, null]]);
    expect(notes(machines)).toEqual([
      "closed, perhaps only full, and kept: bhosts -w tells why: 1 (a)",
      "left out: in lshosts, but not in bhosts: 1 (b)",
    ]);
  });

  const titles = "HOST_NAME type model cpuf ncpus maxmem maxswp server RESOURCES";
  it.each([
    [[titles, "a t m 1 x 1G - Yes ()"], /^nodes.txt:2: ncpus: "x" is not a number/],
    [[titles, "a t m 1 8 lots - Yes ()"], /^nodes.txt:2: maxmem: "lots" is not a size/],
    [
      [titles, "longname t m 1 8 1G - Yes ()", "longname t m 1 8 1G - Yes ()"],
      /^nodes.txt:3: a second host called longname: if names were cut off, ask with -w/,
    ],
    [["a t m 1 8"], /^nodes.txt:1: no titles of lshosts or bhosts stand above this/],
  ])("are refused: %j", async (lines, message) => {
    expect((await inputErrorOf(() => readList(lsf, lines.join("\n")))).message).toMatch(message);
  });
});
