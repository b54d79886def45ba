import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { parquetReadObjects } from "hyparquet";
import { parquetWriteBuffer, type ColumnSource } from "hyparquet-writer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { InputError } from "../errors.ts";
import { anyWorkload, spelledOut } from "../any-workload.fixture.ts";
import type { Workload } from "../workload.ts";
import { workloadOf } from "../workload-of.ts";
import { parquet } from "./parquet.ts";
import { readParquet } from "./read.ts";
import { writeParquet } from "./write.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "croft-parquet-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A stranger's file with these columns. */
function strangers(
  columnData: ColumnSource[],
  options: Partial<Parameters<typeof parquetWriteBuffer>[0]> = {},
) {
  const path = join(folder, "stranger.parquet");
  writeFileSync(path, new Uint8Array(parquetWriteBuffer({ columnData, ...options })));
  return path;
}

describe("a round trip", () => {
  test("keeps every workload as it is", async () => {
    const path = join(folder, "round-trip.parquet");
    await fc.assert(
      fc.asyncProperty(anyWorkload, async (workload) => {
        await writeParquet(workload, path);
        expect(spelledOut(await readParquet(path))).toEqual(spelledOut(workload));
      }),
    );
  });

  test("spans row groups and pages", async () => {
    const count = (1 << 20) + 5;
    const column = Int32Array.from({ length: count }, (_, i) => 1000 * (1 + ((i * 7919) % 61)));
    const names = Array.from({ length: 300 }, (_, i) => `user ${i}`);
    const workload: Workload = {
      ...empty,
      count,
      submitSeconds: Float64Array.from({ length: count }, (_, i) => i / 4),
      runtimeSeconds: Float64Array.from({ length: count }, (_, i) => (i * 31) % 86_400),
      coresMilli: column,
      memoryMiB: column,
      user: { codes: Int32Array.from({ length: count }, (_, i) => (i >> 3) % 300), names },
    };
    const path = join(folder, "large.parquet");
    await writeParquet(workload, path);
    const back = await readParquet(path);
    expect(back).toEqual(workload);
    expect(back.submitSeconds.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("gives other tools plain columns", async () => {
    const path = join(folder, "plain.parquet");
    await writeParquet(two, path);
    const file = readFileSync(path);
    const rows = await parquetReadObjects({
      file: file.buffer.slice(file.byteOffset, file.byteOffset + file.length),
    });
    expect(rows).toEqual([
      { submit: 5, runtime: 1.5, cores_milli: 500, memory: 1024, estimate: 60, user: "ann" },
      { submit: 6, runtime: 20, cores_milli: 2000, memory: 512, estimate: Number.NaN, user: "bob" },
    ]);
  });

  test("may start from bytes in memory", async () => {
    const path = join(folder, "bytes.parquet");
    await writeParquet(two, path);
    expect(await readParquet({ name: "upload", bytes: readFileSync(path) })).toEqual(two);
  });

  test("checks each requirement, and names the row of one that is refused", async () => {
    const path = join(folder, "requires.parquet");
    await writeParquet({ ...two, requires: { codes: Int32Array.of(0, 1), names: ["", "(gpu"] } }, path);
    const checkRequirement = (text: string): void => {
      throw new Error(`${text} ends too early`);
    };
    await expect(parquet.read(path, { checkRequirement })).rejects.toThrow(
      /requires.parquet: row 2: \(gpu ends too early$/,
    );
  });

  test("checks licences, and names the row of what cannot be read", async () => {
    const path = join(folder, "licences.parquet");
    await writeParquet({ ...two, licences: { codes: Int32Array.of(0, 1), names: ["", "a=b"] } }, path);
    await expect(parquet.read(path)).rejects.toThrow(/licences.parquet: row 2: licences "a=b": of a it asks/);
  });

  test("reads no more columns than asked for", async () => {
    const path = join(folder, "some.parquet");
    await writeParquet(two, path);
    const back = await readParquet(path, { columns: ["memory"] });
    expect(back.memoryMiB).toEqual(two.memoryMiB);
    expect([back.estimateSeconds, back.user]).toEqual([null, null]);
    expect(back.coresMilli).toEqual(two.coresMilli);
  });
});

describe("a file from elsewhere", () => {
  const times: ColumnSource = { name: "submit", data: [0n, 30n, 30n], type: "INT64" };

  test.each(["SNAPPY", "UNCOMPRESSED"] as const)(
    "may have optional columns of any number type, %s",
    async (codec) => {
      const path = strangers(
        [
          times,
          { name: "runtime", data: [1.5, 2.25, 3], type: "FLOAT" },
          { name: "cores", data: [0.07, 1, 2.5], type: "DOUBLE" },
          { name: "memory", data: [100.5, null, 300], type: "DOUBLE", nullable: true },
          { name: "estimate", data: [10, null, -1], type: "INT32", nullable: true },
          { name: "tasks", data: [null, 4n, null], type: "INT64", nullable: true },
          { name: "user", data: [7, 7, 9], type: "INT32" },
          { name: "project", data: ["/a", null, "/a"], type: "STRING", nullable: true },
          { name: "queue", data: ["x", "y", "x"], type: "STRING", encoding: "DELTA_LENGTH_BYTE_ARRAY" },
          { name: "unheard of", data: [true, true, false], type: "BOOLEAN" },
        ],
        { codec },
      );
      expect(spelledOut(await readParquet(path))).toEqual({
        ...spelledOut(empty),
        name: "stranger",
        count: 3,
        submitSeconds: [0, 30, 30],
        runtimeSeconds: [1.5, 2.25, 3],
        coresMilli: [70, 1000, 2500],
        memoryMiB: [101, 0, 300],
        notes: [{ what: "filled in: 0 MiB where the log does not say the memory", count: 1, firstLine: 2 }],
        estimateSeconds: [10, Number.NaN, Number.NaN],
        tasks: [1, 4, 1],
        user: ["7", "7", "9"],
        project: ["/a", "unknown", "/a"],
        queue: ["x", "y", "x"],
      });
    },
  );

  test("may encode numbers in every usual way", async () => {
    const numbers = Array.from({ length: 5000 }, (_, i) => ((i * 7919) % 4001) + 1);
    for (const encoding of ["PLAIN", "RLE_DICTIONARY", "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"] as const) {
      const path = strangers([
        { name: "submit", data: numbers.map((_, i) => i), type: "INT32", encoding },
        { name: "runtime", data: numbers.map(BigInt), type: "INT64", encoding },
        { name: "cores", data: numbers, type: "INT32", encoding },
      ]);
      const back = await readParquet(path);
      expect(Array.from(back.submitSeconds)).toEqual(numbers.map((_, i) => i));
      expect(Array.from(back.runtimeSeconds)).toEqual(numbers);
      expect(Array.from(back.coresMilli)).toEqual(numbers.map((n) => n * 1000));
    }
  });

  test("may have whole numbers of 64 bits as differences, negative ones too", async () => {
    const anyInteger = fc.bigInt({ min: -(2n ** 53n), max: 2n ** 53n });
    await fc.assert(
      fc.asyncProperty(fc.array(anyInteger, { minLength: 1, maxLength: 300 }), async (numbers) => {
        const ones = numbers.map(() => 1);
        const path = strangers([
          { name: "submit", data: ones, type: "INT32" },
          { name: "runtime", data: ones, type: "INT32" },
          { name: "cores", data: ones, type: "INT32" },
          { name: "job", data: numbers, type: "INT64", encoding: "DELTA_BINARY_PACKED" },
        ]);
        expect(Array.from((await readParquet(path)).jobNumber!)).toEqual(numbers.map(Number));
      }),
    );
  });

  test("is sorted by submission, its jobs named by their rows", async () => {
    const path = strangers([
      { name: "submit", data: [50, 10, 50, 20], type: "INT32" },
      { name: "runtime", data: [1, 2, 3, 4], type: "INT32" },
      { name: "cores", data: [1, 1, 1, 1], type: "INT32" },
      { name: "user", data: ["a", "b", "c", "d"], type: "STRING" },
    ]);
    const back = spelledOut(await readParquet(path));
    expect(back["submitSeconds"]).toEqual([10, 20, 50, 50]);
    expect(back["runtimeSeconds"]).toEqual([2, 4, 1, 3]);
    expect(back["jobNumber"]).toEqual([2, 4, 1, 3]);
    expect(back["user"]).toEqual(["b", "d", "a", "c"]);
    expect(back["notes"]).toEqual([
      { what: "sorted: submitted before the row above", count: 2, firstLine: 2 },
    ]);
  });

  const cores: ColumnSource = { name: "cores", data: [1, 2, 3], type: "INT32" };
  const runtime: ColumnSource = { name: "runtime", data: [1, 2, 3], type: "INT32" };
  test.each<[string, ColumnSource[], RegExp]>([
    ["lacks a required column", [times, runtime], /no column "cores"/],
    ["has a negative run time", [times, cores, { ...runtime, data: [1, -2, 3] }], /row 2: runtime is -2/],
    [
      "asks for no core",
      [times, runtime, { ...cores, data: [1, 1, 0] }],
      /row 3: cores is 0.*greater than 0/,
    ],
    ["asks for too many cores", [times, runtime, { ...cores, data: [1, 9e6, 1] }], /row 2: cores/],
    [
      "leaves a required cell empty",
      [times, cores, { ...runtime, data: [1, null, 3], nullable: true }],
      /row 2: runtime is empty/,
    ],
    [
      "gives dates for times",
      [{ name: "submit", data: [new Date(0), new Date(1), new Date(2)], type: "TIMESTAMP" }, runtime, cores],
      /"submit" is of dates.*plain number/,
    ],
    [
      "gives words for numbers",
      [times, runtime, { name: "cores", data: ["1", "1", "1"] }],
      /"cores" is .*plain/,
    ],
  ])("is refused where it %s", async (_, columnData, message) => {
    const path = strangers(columnData);
    await expect(readParquet(path)).rejects.toThrow(message);
    await expect(readParquet(path)).rejects.toMatchObject({ name: "InputError", file: path });
  });
});

describe("damage", () => {
  test("never gets past an InputError that names the file", async () => {
    const whole = join(folder, "whole.parquet");
    const damaged = join(folder, "damaged.parquet");
    await writeParquet({ ...two, project: { codes: Int32Array.of(0, 1), names: ["/a", "/b"] } }, whole);
    const optional = readFileSync(
      strangers([
        { name: "submit", data: [1, 2, 3, 4], type: "DOUBLE" },
        { name: "runtime", data: [1, 2, 3, 4], type: "INT32", encoding: "DELTA_BINARY_PACKED" },
        { name: "cores", data: [1n, 1n, 1n, 1n], type: "INT64", encoding: "RLE_DICTIONARY" },
        { name: "estimate", data: [1, null, 1, 2], type: "INT32", nullable: true },
        { name: "user", data: ["a", "b", null, "a"], type: "STRING", nullable: true },
      ]),
    );
    const files = [readFileSync(whole), optional];
    for (const file of files) {
      writeFileSync(damaged, file);
      await readParquet(damaged);
    }
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files),
        fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 4 }),
        fc.option(fc.nat()),
        async (file, changes, cut) => {
          const bytes = Uint8Array.from(file);
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          writeFileSync(damaged, cut === null ? bytes : bytes.subarray(0, cut % bytes.length));
          try {
            await readParquet(damaged);
          } catch (error) {
            expect(error).toBeInstanceOf(InputError);
            expect((error as InputError).file).toBe(damaged);
          }
        },
      ),
      { numRuns: 3000 },
    );
  });

  test.each([
    ["empty", ""],
    ["not Parquet", "submit,runtime,cores\n1,2,3\n"],
    ["only the magic", "PAR1PAR1"],
  ])("a file that is %s is refused", async (_, content) => {
    const path = join(folder, "not.parquet");
    writeFileSync(path, content);
    await expect(readParquet(path)).rejects.toThrow(/not.parquet: is damaged or not a Parquet file/);
  });

  test("a missing file is refused", async () => {
    await expect(readParquet(join(folder, "missing.parquet"))).rejects.toThrow(
      /missing.parquet: cannot be opened/,
    );
  });
});

test("the format knows its files by their first bytes", () => {
  const magic = new TextEncoder().encode("PAR1....");
  expect(parquet.matches("jobs.bin", magic)).toBe(true);
  expect(parquet.matches("jobs.parquet", new TextEncoder().encode("submit,runtime"))).toBe(false);
  expect(parquet.matches("jobs.parquet", new Uint8Array(0))).toBe(true);
});

const empty: Workload = workloadOf({
  name: "large",
  submitSeconds: new Float64Array(0),
  runtimeSeconds: new Float64Array(0),
  coresMilli: new Int32Array(0),
});

const two: Workload = {
  ...empty,
  name: "two",
  count: 2,
  submitSeconds: Float64Array.of(5, 6),
  runtimeSeconds: Float64Array.of(1.5, 20),
  coresMilli: Int32Array.of(500, 2000),
  memoryMiB: Int32Array.of(1024, 512),
  estimateSeconds: Float64Array.of(60, Number.NaN),
  user: { codes: Int32Array.of(0, 1), names: ["ann", "bob"] },
};
