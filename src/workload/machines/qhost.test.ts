import { describe, expect, it } from "vitest";

import { inputErrorOf } from "../input/text.fixture.ts";
import { qhost } from "./qhost.ts";
import { attributes, notes, readList, rows } from "./read.fixture.ts";
import { samples } from "./samples.fixture.ts";

const withQueues = samples["qhost"];

describe("qhost", () => {
  it("-q tells slots: the most that a queue has on the host", async () => {
    const machines = await readList(qhost, withQueues);
    expect(rows(machines)).toEqual([
      ["node01", 16, 32_051, null],
      ["node02", 16, 985, null],
      ["node04", 16, 1_572_864, null],
    ]);
    expect(attributes(machines)[0]).toEqual({ arch: "lx-amd64", "queue.all.q": true, "queue.gpu.q": true });
    expect(notes(machines)).toEqual([
      "down or drained, but kept: --leave-out-down leaves them out: 2 (node02 reports no load; node04 all.q d)",
      "left out: no cores told: 1 (node03 reports no load)",
    ]);
    expect((await readList(qhost, withQueues, { leaveOutDown: true })).ids).toEqual(["node01"]);
  });

  it("alone tells CPUs", async () => {
    const text = withQueues.replace(/^ .*\n/gm, "");
    expect(rows(await readList(qhost, text)).map((row) => row[1])).toEqual([32, 16, 16]);
  });

  it("of Univa and of SGE 6 has other columns, and used/total slots", async () => {
    const univa = await readList(
      qhost,
      "HOSTNAME ARCH NCPU NSOC NCOR NTHR NLOAD MEMTOT MEMUSE SWAPTO SWAPUS\na lx-amd64 12 2 12 12 - 47.3G - 15.3G -\n",
    );
    expect(rows(univa)).toEqual([["a", 12, 48_435, null]]);
    expect(notes(univa)[0]).toMatch(/\(a reports no load\)$/);
    const old = await readList(
      qhost,
      "HOSTNAME ARCH NCPU LOAD MEMTOT MEMUSE SWAPTO SWAPUS\na lx24-amd64 4 0.1 3.7G 1.0G 0.0 0.0\n    all.q BIP 1/2\n",
    );
    expect(rows(old)).toEqual([["a", 2, 3788, null]]);
  });

  it("-F tells GPUs; jobs of -j say nothing of the machine", async () => {
    const text =
      "HOSTNAME ARCH NCPU LOAD MEMTOT MEMUSE SWAPTO SWAPUS\na lx-amd64 4 0.1 4.0G 1.0G 0.0 0.0\n" +
      "    Host Resource(s):      hl:arch=lx-amd64\n   hc:gpu=2.000000\n   hl:load_avg=0.010000\n" +
      "   job-ID  prior   name   user   state\n       12 0.55500 sleep  ann   r  05/01/2026 10:00:00 MASTER\n";
    expect(rows(await readList(qhost, text))).toEqual([["a", 4, 4096, 2]]);
  });

  it("is not down where one of its queues is open", async () => {
    const host = "HOSTNAME ARCH NCPU LOAD MEMTOT MEMUSE SWAPTO SWAPUS\na lx-amd64 4 0.1 4.0G 1.0G 0.0 0.0\n";
    expect((await readList(qhost, `${host}   a.q BIP 0/0/4 d\n   b.q BIPC 0/0/4 S\n`)).notes).toBeUndefined();
    expect((await readList(qhost, `${host}   a.q BIP 0/0/4 d\n   b.q BIP 0/0/4 au\n`)).notes).toHaveLength(1);
  });

  it("numbers hosts of which it shows the same 23 characters", async () => {
    const row = "compute-node-of-a-long- lx-amd64 4 0.1 4.0G 1.0G 0.0 0.0\n";
    const machines = await readList(
      qhost,
      `HOSTNAME ARCH NCPU LOAD MEMTOT MEMUSE SWAPTO SWAPUS\n${row}${row}`,
    );
    expect(machines.ids).toEqual(["compute-node-of-a-long-", "compute-node-of-a-long-~2"]);
    expect(notes(machines)[0]).toMatch(/^of names that qhost cut off, numbered: 1 /);
  });

  const titles = "HOSTNAME ARCH NCPU LOAD MEMTOT MEMUSE SWAPTO SWAPUS";
  it.each([
    [[titles, "a lx 4 0.1 4G 1G 0 0 more"], /^nodes.txt:2: the row has 9 fields, not 8/],
    [[titles, "a lx many 0.1 4G 1G 0 0"], /^nodes.txt:2: NCPU: "many" is not a number/],
    [[titles, "a lx 4 0.1 lots 1G 0 0"], /^nodes.txt:2: MEMTOT: "lots" is not a size/],
    [["a lx 4"], /^nodes.txt:1: no titles of qhost stand above this/],
    [[titles, "global - - - - - - -"], /^nodes.txt: there is no machine in it/],
  ])("is refused: %j", async (lines, message) => {
    expect((await inputErrorOf(() => readList(qhost, lines.join("\n")))).message).toMatch(message);
  });
});
