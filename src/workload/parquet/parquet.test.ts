import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anyWorkload, spelledOut } from "../any-workload.fixture.ts";
import type { NamedBytes } from "../input/bytes.ts";
import type { Workload } from "../workload.ts";
import { workloadOf } from "../workload-of.ts";
import { nameColumns, numberColumns } from "./columns.ts";
import { readOwn } from "./own.ts";
import { parquet, withParquet } from "./parquet.ts";
import { writeParquet } from "./write.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "croft-parquet-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** As the format reads it, with files of no job too. */
const readBack = (input: string | NamedBytes): Promise<Workload> => withParquet(input, readOwn);

describe("a round trip", () => {
  test("keeps every workload as it is", async () => {
    const path = join(folder, "round-trip.parquet");
    await fc.assert(
      fc.asyncProperty(anyWorkload, async (workload) => {
        await writeParquet(workload, path);
        expect(spelledOut(await readBack(path))).toEqual(spelledOut(workload));
      }),
    );
  });

  test("refuses a column of another version of Croft rather than to lose it", async () => {
    const path = join(folder, "older.parquet");
    await writeParquet({ ...two, gpuMilli: Int32Array.of(2000, 0) }, path);
    // As older versions called thousandths of a GPU, but for its length.
    const bytes = Buffer.from(readFileSync(path).toString("latin1").replaceAll("gpu", "gpX"), "latin1");
    await expect(readBack({ name: "older.parquet", bytes })).rejects.toThrow(
      /: it has a column "gpX", which this version of Croft does not know: another one wrote the file; convert/,
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
    const back = await readBack(path);
    expect(back).toEqual(workload);
    expect(back.submitSeconds.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("gives other programs the names and units of CSV, and nothing where a job has nothing", async () => {
    const path = join(folder, "plain.parquet");
    const user = { codes: Int32Array.of(0, 1), names: ["ann", "unknown"] };
    const state = { codes: Int32Array.of(0, 1), names: ["", "FAILED"] };
    const more = { memoryMiB: Int32Array.of(0, 512), arrayIndex: Int32Array.of(-1, 3), user, state };
    const workload = { ...two, ...more, gpuMilli: Int32Array.of(0, 1000), priority: Int32Array.of(0, -1) };
    await writeParquet(workload, path);
    const file = new Uint8Array(readFileSync(path)).buffer;
    expect(await parquetReadObjects({ file })).toEqual([
      {
        submit: 5,
        runtime: 1.5,
        cores: 0.5,
        memory: null,
        gpu: 0,
        estimate: 60,
        array_index: null,
        priority: 0,
        user: "ann",
        state: null,
      },
      {
        submit: 6,
        runtime: 20,
        cores: 2,
        memory: 512,
        gpu: 1,
        estimate: null,
        array_index: 3,
        priority: -1,
        user: null,
        state: "FAILED",
      },
    ]);
    expect(spelledOut(await readBack(path))).toEqual(spelledOut(workload));
  });

  test("may start from bytes in memory", async () => {
    const path = join(folder, "bytes.parquet");
    await writeParquet(two, path);
    expect(await readBack({ name: "upload", bytes: readFileSync(path) })).toEqual(two);
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
    const back = await withParquet(path, (file, footer) => readOwn(file, footer, { columns: ["memory"] }));
    expect(back.memoryMiB).toEqual(two.memoryMiB);
    expect([back.estimateSeconds, back.user]).toEqual([null, null]);
    expect(back.coresMilli).toEqual(two.coresMilli);
  });
});

/** The rows of a table of the documentation: of each its cells. */
const documented = readFileSync(new URL("../../../docs/workloads.md", import.meta.url), "utf8")
  .split("### Parquet\n")[1]
  .split("\n### ")[0]
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split("|").map((cell) => cell.replaceAll("`", "").trim()));

describe("the documentation's table of columns", () => {
  test("has those that are written, in their order", () => {
    const names = documented.map(([, name]) => name);
    expect(names).toEqual([...numberColumns, ...nameColumns].map(({ name }) => name));
  });

  test("tells their types, and which may be null", async () => {
    const path = join(folder, "documented.parquet");
    await fc.assert(
      fc.asyncProperty(anyWorkload, async (workload) => {
        await writeParquet(workload, path);
        const { schema } = parquetMetadata(new Uint8Array(readFileSync(path)).buffer);
        for (const { name, type, logical_type, repetition_type } of schema.slice(1)) {
          const [, , types, nothing] = documented.find(([, column]) => column === name)!;
          expect(types.split(", ")).toContain(logical_type?.type ?? type);
          if (repetition_type === "OPTIONAL") expect(nothing).not.toBe("");
        }
      }),
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
