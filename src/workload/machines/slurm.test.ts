import { describe, expect, it } from "vitest";

import { inputErrorOf } from "../input/text.fixture.ts";
import { AttributeSet } from "./attributes.ts";
import { readGres, slurmCount } from "./gres.ts";
import { attributes, notes, readList, rows } from "./read.fixture.ts";
import { samples } from "./samples.fixture.ts";
import { scontrol } from "./scontrol.ts";
import { sinfo } from "./sinfo.ts";
import { slurmJson } from "./slurm-json.ts";

const nodes = samples["scontrol"];

describe("scontrol show node", () => {
  it("tells what jobs can have: less what Slurm keeps for the system", async () => {
    const machines = await readList(scontrol, nodes);
    expect(rows(machines)).toEqual([
      // CPUEfctv; 257000 - 4096 MiB.
      ["n1", 60, 252_904, 0],
      ["g1", 64, 515_000, 4],
      // Without CPUEfctv: 32 CPUs less one core of two threads; 128000 - 2000 MiB.
      ["n3", 30, 126_000, 0],
      ["n4", 16, 64_000, 2],
    ]);
    expect(notes(machines)).toContain(
      "less what Slurm keeps for the system (CoreSpecCount, MemSpecLimit): 2 (n1; n3)",
    );
  });

  it("tells features, GPUs by type and other resources", async () => {
    expect(attributes(await readList(scontrol, nodes))).toEqual([
      { arch: "x86_64", avx512: true, ib_hdr: true, os: "Linux", "queue.long": true, "queue.short": true },
      { a100: true, arch: "x86_64", avx512: true, fpga: 1, "gpu.a100": 4, os: "Linux", "queue.gpu": true },
      { arch: "x86_64", "queue.long": true },
      { avx512: true, ib_hdr: true, "queue.cloud": true },
    ]);
  });

  it("tells which nodes are drained or down and why; a node that sleeps is neither", async () => {
    expect(notes(await readList(scontrol, nodes))).toContain(
      "down or drained, but kept: --leave-out-down leaves them out: 2 " +
        "(g1 MIXED+DRAIN: fan, see State=DOWN Gres=gpu:9; n3 DOWN*: Not responding)",
    );
    expect((await readList(scontrol, nodes, { leaveOutDown: true })).ids).toEqual(["n1", "n4"]);
  });

  it("is the same on one line each, and with Windows' line ends", async () => {
    const oneLine = nodes
      .split("\n\n")
      .map((node) => node.replace(/\n\s+/g, " "))
      .join("\n");
    expect(oneLine.split("\n").filter((line) => line !== "")).toHaveLength(4);
    const expected = await readList(scontrol, nodes);
    expect(await readList(scontrol, oneLine)).toEqual(expected);
    expect(await readList(scontrol, nodes.replaceAll("\n", "\r\n"))).toEqual(expected);
  });

  it("does not take memory that was not configured for 1 MiB", async () => {
    const machines = await readList(scontrol, "NodeName=a CPUTot=4 RealMemory=1 State=IDLE\n");
    expect(rows(machines)).toEqual([["a", 4, null, null]]);
  });

  it.each([
    ["IDLE", false],
    ["MIXED+PLANNED", false],
    ["IDLE+CLOUD+POWERED_DOWN", false],
    ["IDLE~", false],
    ["ALLOCATED+COMPLETING", false],
    ["RESERVED", false],
    ["IDLE*", true],
    ["DOWN", true],
    ["ALLOCATED+DRAIN", true],
    ["IDLE+MAINTENANCE", true],
    ["FUTURE", true],
    ["UNKNOWN", true],
    ["IDLE+FAIL", true],
  ])("%s: out of service is %s", async (state, isOut) => {
    const machines = await readList(scontrol, `NodeName=a CPUTot=4 State=${state}\n`);
    expect(machines.notes !== undefined).toBe(isOut);
  });

  it("is refused if there are lines before the first node", async () => {
    const error = await inputErrorOf(() => readList(scontrol, "slurm_load_node error\n"));
    expect(error.message).toBe("nodes.txt:1: no node begins here: a line with NodeName= should");
  });
});

describe("Slurm's JSON", () => {
  it("of scontrol says what the text says", async () => {
    const machines = await readList(slurmJson, samples["slurm-json"]);
    expect(rows(machines)).toEqual([
      ["n1", 60, 252_904, 0],
      ["g1", 64, 515_000, 4],
    ]);
    expect(attributes(machines)).toEqual([
      { arch: "x86_64", avx512: true, ib_hdr: true, os: "Linux", "queue.long": true },
      { a100: true, arch: "x86_64", "gpu.a100": 4 },
    ]);
    expect(notes(machines)).toEqual([
      "less what Slurm keeps for the system (CoreSpecCount, MemSpecLimit): 1 (n1)",
      "down or drained, but kept: --leave-out-down leaves them out: 1 (g1 DOWN+NOT_RESPONDING: Not responding)",
    ]);
  });

  it("of Slurm 21 and 22 has features as one text and flags apart from the state", async () => {
    const old = {
      name: "n2",
      cpus: 64,
      real_memory: 257_000,
      features: "avx512,ib",
      active_features: "avx512,ib",
      gres: "",
      state: "idle",
      state_flags: ["DRAIN"],
      reason: "bad disk",
      operating_system: "",
      architecture: "x86_64",
    };
    const machines = await readList(slurmJson, JSON.stringify({ meta: {}, errors: [], nodes: [old] }));
    expect(rows(machines)).toEqual([["n2", 64, 257_000, null]]);
    expect(attributes(machines)).toEqual([{ arch: "x86_64", avx512: true, ib: true }]);
    expect(notes(machines)[0]).toMatch(/\(n2 idle\+DRAIN: bad disk\)$/);
  });

  it("of sinfo since Slurm 23 has groups of nodes", async () => {
    const group = (names: string[], partition: string, size: object, state: string[]): object => ({
      partition: { name: partition },
      node: { state },
      nodes: { total: names.length, nodes: names },
      cpus: { minimum: 64, maximum: 64, total: 64 * names.length },
      memory: { minimum: 257_000, maximum: 257_000, free: { minimum: { set: true, number: 5 } } },
      gres: { total: "gpu:l40s:4(S:0-1)", used: "gpu:l40s:1" },
      features: { total: "avx512", active: "avx512" },
      reason: state.includes("DRAIN") ? "fan" : "",
      ...size,
    });
    const text = JSON.stringify({
      sinfo: [
        group(["n[01-02]"], "long", {}, ["IDLE"]),
        group(["n01"], "short", {}, ["IDLE"]),
        group(["n03"], "long", { memory: { minimum: 1000, maximum: 2000 } }, ["MIXED", "DRAIN"]),
      ],
    });
    const machines = await readList(slurmJson, text);
    expect(rows(machines)).toEqual([
      ["n01", 64, 257_000, 4],
      ["n02", 64, 257_000, 4],
      ["n03", 64, 1000, 4],
    ]);
    expect(attributes(machines)[0]).toEqual({
      avx512: true,
      "gpu.l40s": 4,
      "queue.long": true,
      "queue.short": true,
    });
    expect(notes(machines)).toEqual([
      "listed more than once, counted once: 1 (n01)",
      "of several sizes, all read as the smallest: sinfo -e keeps sizes apart: 1 (n03)",
      "down or drained, but kept: --leave-out-down leaves them out: 1 (n03 MIXED+DRAIN: fan)",
    ]);
  });

  it.each([
    ["{", /^nodes.txt: this is not JSON: /],
    ["[]", /this JSON has no list "nodes" or "sinfo"/],
    ['{"nodes":[]}', /there is no machine in it/],
    ['{"nodes":[{"cpus":4}]}', /a machine without an id/],
    ['{"sinfo":[{"nodes":{"nodes":["n[1-"]}}]}', /"n\[1-" is not a list of nodes/],
  ])("is refused: %s", async (text, message) => {
    expect((await inputErrorOf(() => readList(slurmJson, text))).message).toMatch(message);
  });
});

describe("sinfo -N -l", () => {
  it("has a node once for each partition, and features that are cut off", async () => {
    const machines = await readList(sinfo, samples["sinfo"]);
    expect(rows(machines)).toEqual([
      ["g1", 64, 515_000, null],
      ["n01", 64, 257_000, null],
      ["n02", 64, 257_000, null],
      ["n03", 64, 257_000, null],
    ]);
    expect(attributes(machines)).toEqual([
      { avx2: true, "queue.gpu": true, "queue.long": true },
      { avx512: true, "queue.long": true },
      { avx512: true, "queue.long": true },
      { "queue.long": true },
    ]);
    expect(notes(machines)).toEqual([
      "listed more than once, counted once: 1 (g1)",
      "a feature that sinfo -l cut off is left out: ask with -o: 2 (n01; n02)",
      "down or drained, but kept: --leave-out-down leaves them out: 2 " +
        "(n02 drained*: bad disk, see State=; n03 down*: no power)",
    ]);
  });
});

describe("sinfo -o", () => {
  const read = (...lines: string[]): ReturnType<typeof readList> => readList(sinfo, lines.join("\n"));

  it("%D,%c,%m has machines without names", async () => {
    const machines = await read("NODES,CPUS,MEMORY", "2,64,515000", "3,32,128000+");
    expect(machines.ids).toEqual(["m1", "m2", "m3", "m4", "m5"]);
    expect(rows(machines).slice(1, 3)).toEqual([
      ["m2", 64, 515_000, null],
      ["m3", 32, 128_000, null],
    ]);
    expect(notes(machines)).toEqual([
      "of several sizes, all read as the smallest: sinfo -e keeps sizes apart: 3 (m3; m4; m5)",
    ]);
  });

  it("%n %c %m %G has names and GPUs", async () => {
    const machines = await read(
      "HOSTNAMES CPUS MEMORY GRES",
      "n1 64 257000 (null)",
      "g1 64 1000K gpu:a100:4,gpu:v100:2,fpga:1",
      "",
    );
    expect(rows(machines)).toEqual([
      ["n1", 64, 257_000, 0],
      ["g1", 64, 1_024_000, 6],
    ]);
    expect(attributes(machines)[1]).toEqual({ fpga: 1, "gpu.a100": 4, "gpu.v100": 2 });
  });

  it("%N has lists of nodes, in which commas do not separate fields", async () => {
    const machines = await read(
      "NODELIST|NODES|CPUS|STATE|AVAIL_FEATURES",
      "g[1-2],n[01,04]|4|64|mixed|a,b",
      "x|1|8|down|(null)",
    );
    expect(machines.ids).toEqual(["g1", "g2", "n01", "n04", "x"]);
    expect(attributes(machines)[3]).toEqual({ a: true, b: true });
    expect((await read("NODELIST,CPUS,MEMORY", "g[1-2],n[01,04],64,1000")).ids).toEqual([
      "g1",
      "g2",
      "n01",
      "n04",
    ]);
  });

  it("gives the surplus to one field, if only that can hold commas or blanks", async () => {
    const commas = await read("HOSTNAMES,CPUS,AVAIL_FEATURES,STATE", "n1,4,a,b,c,idle");
    expect(attributes(commas)).toEqual([{ a: true, b: true, c: true }]);
    const blanks = await read("HOSTNAMES CPUS STATE REASON", "n1 4 drained no power since May");
    expect(notes(blanks)[0]).toMatch(/\(n1 drained: no power since May\)$/);
  });

  it("%C tells all nodes of a row together", async () => {
    const machines = await read("NODELIST CPUS(A/I/O/T)", "n[1-4] 4/252/0/256");
    expect(rows(machines)[3]).toEqual(["n4", 64, null, null]);
  });

  it("may come from several clusters, and have partitions without nodes", async () => {
    const machines = await read(
      "CLUSTER: a",
      "NODES CPUS",
      "1 4",
      "0 0",
      "",
      "CLUSTER: b",
      "NODES CPUS",
      "1 8",
    );
    expect(rows(machines).map((row) => row[1])).toEqual([4, 8]);
  });

  it("doubts nodes without names that may be in two partitions", async () => {
    const machines = await read("PARTITION NODES CPUS", "long* 2 4", "short 2 4");
    expect(machines.count).toBe(4);
    expect(notes(machines)[0]).toMatch(/^rows of several partitions, whose nodes may be counted twice/);
  });

  it.each([
    [
      ["PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST", "long* up infinite 1 idle n1"],
      /^nodes.txt:1: this table does not tell the nodes' CPUs: ask for what is needed: sinfo -N -l, or /,
    ],
    [
      ["HOSTNAMES,CPUS,GRES,AVAIL_FEATURES", "n1,4,gpu:1,fpga:2,a,b"],
      /^nodes.txt:2: the row does not have the header's 4 fields: put | between the fields/,
    ],
    [["NODELIST CPUS", "n[01-0 4"], /^nodes.txt:2: "n\[01-0" is not a list of nodes: was it cut off\?/],
    [["NODELIST NODES CPUS", "n[1-2] 3 4"], /^nodes.txt:2: the row lists 2 nodes and tells 3/],
    [["NODES CPUS", "4 x8"], /^nodes.txt:2: "x8" is not a number/],
    [["NODES CPUS", "9999999 8"], /^nodes.txt:2: "9999999" is not a number of nodes/],
  ])("is refused: %j", async (lines, message) => {
    expect((await inputErrorOf(() => read(...lines))).message).toMatch(message);
  });
});

describe("generic resources", () => {
  it.each([
    ["(null)", 0, {}],
    ["gpu:4", 4, {}],
    ["gpu", 1, {}],
    ["gpu:a100:4(S:0-1)", 4, { "gpu.a100": 4 }],
    ["gpu:1g.5gb:7,gpu:a100:2", 9, { "gpu.1g.5gb": 7, "gpu.a100": 2 }],
    ["craynetwork:no_consume:4,nvme:2K", 0, { craynetwork: 4, nvme: 2048 }],
    ["shard:a100:8(S:0,1),gpu:a100:1", 1, { shard: 8, "shard.a100": 8, "gpu.a100": 1 }],
  ])("%s", (text, gpus, others) => {
    const set = new AttributeSet();
    expect(readGres(text, set)).toBe(gpus);
    expect(set.done()).toEqual(others);
  });

  it("are counted as Slurm prints counts", () => {
    expect(["64", "64+", "1000K", "2.5M", "", "x", "-1"].map(slurmCount)).toEqual([
      64,
      64,
      1_024_000,
      2_621_440,
      null,
      null,
      null,
    ]);
  });
});
