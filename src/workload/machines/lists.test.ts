import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { describe, expect, it } from "vitest";

import { inputErrorOf, textSource, withFile } from "../input/text.fixture.ts";
import { alea } from "./alea.ts";
import { csv } from "./csv.ts";
import type { MachinesOptions } from "./format.ts";
import type { Machines } from "./machines.ts";
import { openb } from "./openb.ts";
import { notes, rows } from "./read.fixture.ts";
import { machinesFormats, readMachines, readMachinesFile } from "./registry.ts";
import { samples } from "./samples.fixture.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function readCsv(lines: readonly string[], options: MachinesOptions = {}): Promise<Machines> {
  return csv.read(textSource("farm.csv", lines.join("\n")), options);
}

function readAlea(...lines: readonly string[]): Promise<Machines> {
  return alea.read(textSource("farm.machines", ...lines));
}

describe("machines in CSV", () => {
  it("need no header", async () => {
    const machines = await readCsv(["h0,8,96", "h1,2.5,64", ""]);
    expect(machines).toMatchObject({ name: "farm", count: 2, ids: ["h0", "h1"], gpuMilli: null });
    expect([...machines.coresMilli]).toEqual([8000, 2500]);
    expect([...machines.memoryMiB!]).toEqual([96, 64]);
  });

  it("may have one, in any order", async () => {
    const machines = await readCsv(["Memory, gpu ,cores,id\r", "1024,2,8,a\r"]);
    expect(machines).toMatchObject({ count: 1, ids: ["a"] });
    expect([machines.coresMilli[0], machines.memoryMiB![0], machines.gpuMilli![0]]).toEqual([
      8000, 1024, 2000,
    ]);
  });

  it("may say nothing of memory", async () => {
    expect((await readCsv(["a,1", "b,2"])).memoryMiB).toBeNull();
    expect((await readCsv(["id,cores", "a,1"])).memoryMiB).toBeNull();
  });

  it("may use other usual names of columns, with a note of how they were understood", async () => {
    const machines = await readCsv(["Host Name,CPUs,Mem (GB),rack", "a,8,1.5,r1"]);
    expect(rows(machines)).toEqual([["a", 8, 1536, null]]);
    expect(notes(machines)).toEqual([
      "columns understood: 3 (Host Name as id; CPUs as cores; Mem (GB) as memory)",
      "columns that are not read: 1 (rack)",
    ]);
  });

  it("may be counted, with or without a name", async () => {
    const counted = await readCsv(["count,cores,memory", "2,8,64G", "1,4,512M"]);
    expect(rows(counted)).toEqual([
      ["m1", 8, 65_536, null],
      ["m2", 8, 65_536, null],
      ["m3", 4, 512, null],
    ]);
    expect((await readCsv(["id,count,cores", "big,2,8", "one,1,4"])).ids).toEqual(["big-1", "big-2", "one"]);
  });

  it("may be lists of names, whose commas do not separate fields", async () => {
    const machines = await readCsv(["node[01-03,07],64,1000", "x,8,1", "r[1-2]c[1,2],4,1"]);
    expect(machines.ids).toEqual([
      "node01",
      "node02",
      "node03",
      "node07",
      "x",
      "r1c1",
      "r1c2",
      "r2c1",
      "r2c2",
    ]);
    expect(rows(machines)[3]).toEqual(["node07", 64, 1000, null]);
    expect((await readCsv(["id,cores,count", '"a[1-2],b",4,3'])).ids).toEqual(["a1", "a2", "b"]);
  });

  it("get a note if their names are numbers, such as sinfo's counts without a header", async () => {
    expect(notes(await readCsv(["4,64,1000", "2,32,1000"]))).toEqual([
      "no header, so the first column is read as names of machines, not as numbers of them: 1 (line 1)",
    ]);
  });

  it("may tell the unit themselves, which then cannot be given otherwise", async () => {
    const lines = ["id,cores,memory_gib", "a,1,2"];
    expect((await readCsv(lines, { memoryUnit: "GiB" })).memoryMiB![0]).toBe(2048);
    const error = await inputErrorOf(() => readCsv(lines, { memoryUnit: "MiB" }));
    expect(error.message).toBe(
      "farm.csv:1: column memory_gib tells its unit itself: leave out --machine-memory-unit",
    );
  });

  it("may have memory in another unit", async () => {
    expect((await readCsv(["a,1,96"], { memoryUnit: "GiB" })).memoryMiB![0]).toBe(98_304);
    expect((await readCsv(["a,1,2047"], { memoryUnit: "KiB" })).memoryMiB![0]).toBe(1);
  });

  it.each([
    [["a,0,1"], /^farm.csv:1: machine a has 0 cores/],
    [["a,-1,1"], /^farm.csv:1: machine a has -1 cores/],
    [["a,1,1", "b,1,-1"], /^farm.csv:2: machine b has -1 MiB/],
    [["a,1,1", "b,1,1", "a,2,2"], /^farm.csv:3: a second machine called a/],
    [["a,3000000,1"], /^farm.csv:1: machine a has 3000000 cores/],
    [["a,1,1e10"], /^farm.csv:1: machine a has 10000000000 MiB/],
    [["a,1,1", "b,1"], /^farm.csv:2: the line has 2 fields, not 3/],
    [["a,1,1,1,1"], /^farm.csv:1: the line has 5 fields, not 4/],
    [["a,x,1"], /^farm.csv:1: column cores: "x" is not a number/],
    [[",1,1"], /^farm.csv:1: a machine without an id/],
    [["id,cores,memory"], /^farm.csv: there is no machine in it/],
    [["rack,cores,memory", "a,1,1"], /^farm.csv:1: there is no column "id", only rack, cores, memory; /],
    [
      ["what,mem", "a,1"],
      /"cores", only what, mem; understood: mem \(memory\); needed: id \(or count\) and cores;/,
    ],
    [["what,for", "a,1"], /none of them is known here; needed: id \(or count\) and cores;/],
    [["id,cores,memory_Gb", "a,1,1"], /^farm.csv:1: column memory_Gb: "Gb" means bits: .* write GB$/],
    [["a,1,16Gb"], /^farm.csv:1: column memory: "16Gb" is not a number, nor an amount such as 64GB/],
    [["count,cores", "0,1"], /^farm.csv:2: column count: 0 machines: give 1 to 1000000/],
    [["count,cores", "1.5,1"], /^farm.csv:2: column count: 1.5 machines/],
    [["n[1-,4,100"], /^farm.csv:1: column id: "n\[1-" is not a list of names/],
    [["id,count,cores", '"n[1-2]",3,4'], /^farm.csv:2: the row lists 2 machines and counts 3/],
  ])("are refused: %j", async (lines, message) => {
    expect((await inputErrorOf(() => readCsv(lines))).message).toMatch(message);
  });
});

describe("the machines of Alea", () => {
  it("come in clusters", async () => {
    const machines = await readAlea("0\tbig\t2\t80\t1\t529426432", "1 small 1 12 1 94035968");
    expect(machines.ids).toEqual(["big-1", "big-2", "small-1"]);
    expect([...machines.coresMilli]).toEqual([80_000, 80_000, 12_000]);
    expect([...machines.memoryMiB!]).toEqual([517_018, 517_018, 91_832]);
  });

  it.each([
    [["0 a 2 8 1"], /^farm.machines:1: not six fields/],
    [["0 a 2 8 1 1024", "1 b x 8 1 1024"], /^farm.machines:2: not six fields/],
    [["0 a 0 8 1 1024"], /^farm.machines:1: cluster a has 0 machines/],
    [["0 a 9999999 8 1 1024"], /^farm.machines:1: cluster a has 9999999 machines/],
    [["0 a 1 0 1 1024"], /^farm.machines:1: machine a-1 has 0 cores/],
    [["0 a 1 8 1 -1024"], /^farm.machines:1: machine a-1 has -1 MiB/],
    [["0 a 1 8 1 1024", "1 a 1 8 1 1024"], /^farm.machines:2: a second machine called a-1/],
    [[""], /^farm.machines: there is no machine in it/],
  ])("are refused: %j", async (lines, message) => {
    expect((await inputErrorOf(() => readAlea(...lines))).message).toMatch(message);
  });
});

describe("the number of machines", () => {
  it("has a limit", async () => {
    const error = await inputErrorOf(() => readAlea("0 a 1000000 8 1 1024", "1 b 1 8 1 1024"));
    expect(error.message).toBe("farm.machines:2: more than 1000000 machines");
  });
});

describe("OpenB nodes", () => {
  it("have cores, memory and GPUs", async () => {
    const source = textSource(
      "n.csv",
      "sn,cpu_milli,memory_mib,gpu,model",
      "n1,32000,262144,0,",
      "n2,1500,1024,8,G3",
    );
    const machines = await openb.read(source);
    expect(machines.ids).toEqual(["n1", "n2"]);
    expect([...machines.coresMilli]).toEqual([32_000, 1500]);
    expect([...machines.memoryMiB!]).toEqual([262_144, 1024]);
    expect([...machines.gpuMilli!]).toEqual([0, 8000]);
  });
});

describe("the machines for a spec", () => {
  it.each([
    ["a CSV file", "farm.csv", "h0,8,96\n", "h0"],
    ["an OpenB file", "nodes.csv", "sn,cpu_milli,memory_mib,gpu,model\nn1,32000,262144,0,\n", "n1"],
    ["an Alea file", "x.swf.machines", "0\tzewura\t20\t80\t1\t529426432\n", "zewura-1"],
  ])("is told by the content of %s, packed or not", async (_what, name, text, id) => {
    for (const bytes of [encode(text), gzipSync(text)]) {
      expect((await withFile(name, bytes, (path) => readMachines(path))).ids[0]).toBe(id);
    }
  });

  it.each(machinesFormats.map(({ name }) => name))(
    "is told by the content: %s, with Windows' line ends or packed",
    async (name) => {
      const text = samples[name];
      const format = machinesFormats.find((format) => format.name === name)!;
      const expected = await format.read({ name: "list", bytes: encode(text) });
      for (const bytes of [
        encode(text),
        encode(`\u{feff}${text.replaceAll("\n", "\r\n")}`),
        gzipSync(text),
      ]) {
        const machines = await readMachinesFile({ name: "list", bytes });
        expect(machines).toEqual(expected);
      }
    },
  );

  it.each([
    [
      "NAME     STATUS   ROLES    AGE   VERSION\nworker-1 Ready <none> 5d v1.30.1\n",
      "kubectl get nodes -o json",
    ],
    [
      "Name  OpSys  Arch  State  Activity LoadAv Mem\n\nslot1@a LINUX X86_64 Unclaimed Idle 0.0 2000\n",
      "condor_status -json",
    ],
    ["vnode           state           njobs   run\nn1 free 0 0\n", "pbsnodes -a"],
    ["HOST_NAME       status  r15s   r1m\na ok 0.1 0.1\n", "lshosts -w"],
  ])("is more than %j tells", async (text, instead) => {
    const error = await inputErrorOf(() => readMachinesFile({ name: "list", bytes: encode(text) }));
    expect(error.message).toBe(
      `list: this table does not tell what the nodes have: give the output of ${instead}`,
    );
  });

  it("may come through a pipe", async () => {
    const folder = mkdtempSync(join(tmpdir(), "croft-test-"));
    try {
      const pipe = join(folder, "pipe");
      execFileSync("mkfifo", [pipe]);
      const writing = writeFile(pipe, "a,4,100\nb,8,100\n");
      const machines = await readMachines(pipe);
      await writing;
      expect([machines.name, machines.ids]).toEqual(["pipe", ["a", "b"]]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each<[string, string, MachinesOptions, RegExp]>([
    [
      "the unit",
      "openb",
      { memoryUnit: "GiB" },
      /^list: a list of this format \(openb\) has memory in a unit of its own: leave out --machine-memory-unit/,
    ],
    [
      "the down machines",
      "csv",
      { leaveOutDown: true },
      /^list: a list of this format \(csv\) does not tell which machines are down: leave out --leave-out-down/,
    ],
  ])("is not told %s where that has no effect", async (_what, name, options, message) => {
    const error = await inputErrorOf(() =>
      readMachinesFile({ name: "list", bytes: encode(samples[name]) }, options),
    );
    expect(error.message).toMatch(message);
    expect((await inputErrorOf(() => readMachines("4x8c", options))).message).toMatch(/^"4x8c" /);
  });

  it("may be a shorthand", async () => {
    expect((await readMachines("4x8c12g")).count).toBe(4);
  });

  it("are refused with an example if the spec is neither a file nor a shorthand", async () => {
    const error = await inputErrorOf(() => readMachines("fram.csv"));
    expect(error.message).toContain(
      '"fram.csv" is neither a file nor a shorthand such as 1024x8c12g (1024 machines of 8 cores and 12 GiB)',
    );
    expect((await inputErrorOf(() => readMachines("12x"))).message).toMatch(/neither a file nor a shorthand/);
    expect((await inputErrorOf(() => readMachines("12x4"))).message).toMatch(/no group of machines/);
  });

  it("are not read from prose, or from an empty file", async () => {
    const prose = inputErrorOf(() => withFile("a.txt", encode("# A title\n"), (path) => readMachines(path)));
    expect((await prose).message).toMatch(/not a list of machines known here: openb .* csv .* alea/);
    const json = inputErrorOf(() => withFile("a.txt", encode('{"a":1,"b":2}'), (path) => readMachines(path)));
    expect((await json).message).toMatch(/not a list of machines known here/);
    const empty = inputErrorOf(() => withFile("a.csv", encode(""), (path) => readMachines(path)));
    expect((await empty).message).toMatch(/a.csv: the file is empty/);
  });
});

describe("the examples of the documentation", () => {
  const page = readFileSync(new URL("../../../docs/machines.md", import.meta.url), "utf8");
  const examples = Array.from(page.matchAll(/^```(?:text|json)\n(.*?)^```$/gms), ([, text]) => text);

  it("are read, and are as the page says", async () => {
    const read: Record<string, unknown> = {};
    for (const text of examples) {
      const bytes = encode(text);
      const { name } = machinesFormats.find((format) => format.matches("list", bytes))!;
      read[`${name} ${Object.keys(read).length + 1}`] = rows(await readMachinesFile({ name: "list", bytes }));
    }
    expect(read).toEqual({
      "scontrol 1": [["g1", 60, 252_904, 4]],
      "slurm-json 2": [["n1", 60, 252_904, null]],
      "sinfo 3": [
        ["n01", 64, 257_000, null],
        ["n02", 64, 257_000, null],
      ],
      "sinfo 4": [1, 2, 3, 4, 5, 6].map((n) => [`m${n}`, 64, n < 5 ? 257_000 : 515_000, null]),
      "pbsnodes 5": [["node01", 32, 128_751, 2]],
      "pbsnodes-json 6": [["node02", 16, 65_536, null]],
      "lsf 7": [
        ["hosta", 30, 32_051, null],
        ["hostb", 64, 1_572_864, null],
      ],
      "qhost 8": [
        ["node01", 30, 32_051, null],
        ["node02", 16, 64_307, null],
      ],
      "htcondor-json 9": [["wn1.example.org", 16, 32_000, 2]],
      "htcondor-long 10": [["wn2.example.org", 8, 16_000, null]],
      "kubernetes 11": [["worker-1", 15.89, 31_744, 4]],
      "csv 12": [
        ["large-01", 16, 131_072, null],
        ["small-01", 4, 32_768, null],
      ],
    });
  });
});
