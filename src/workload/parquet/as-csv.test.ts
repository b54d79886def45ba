import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import * as fc from "fast-check";
import type { CompressionCodec, SchemaElement } from "hyparquet";
import { parquetWriteBuffer, type ColumnSource } from "hyparquet-writer";
import { describe, expect, test } from "vitest";
import { spelledOut } from "../any-workload.fixture.ts";
import type { ReadOptions } from "../formats/format.ts";
import { readWorkload } from "../formats/registry.ts";
import { inputErrorOf, textSource } from "../input/text.fixture.ts";
import { framedLz4, literalLz4 } from "./lz4.fixture.ts";

const compressors = {
  GZIP: (bytes: Uint8Array) => gzipSync(bytes),
  ZSTD: (bytes: Uint8Array) => zstdCompressSync(bytes),
  BROTLI: (bytes: Uint8Array) => brotliCompressSync(bytes),
  LZ4: framedLz4,
  LZ4_RAW: literalLz4,
};

type WriteOptions = Omit<Parameters<typeof parquetWriteBuffer>[0], "columnData">;

function written(columnData: ColumnSource[], options: WriteOptions = {}): Uint8Array {
  return new Uint8Array(parquetWriteBuffer({ columnData, compressors, ...options }));
}

type Spelled = Record<string, unknown> & { readonly notes: readonly { readonly what: string }[] };

async function read(bytes: Uint8Array, options?: ReadOptions): Promise<Spelled> {
  return spelledOut(await readWorkload({ name: "jobs.parquet", bytes }, options)) as Spelled;
}

const submit: ColumnSource = { name: "submit", data: [0n, 30n, 30n], type: "INT64" };
const runtime: ColumnSource = { name: "runtime", data: [1.5, 2.25, 3], type: "DOUBLE" };
const cores: ColumnSource = { name: "cores", data: [1, 2, 3], type: "INT32" };

describe("a file of another program", () => {
  const codecs: CompressionCodec[] = ["UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD", "BROTLI", "LZ4", "LZ4_RAW"];
  // A page of one value is smaller than the pool that Node.js takes small buffers from, at any byte.
  test.each(codecs.flatMap((codec) => [1, 3, 5000].map((rows) => [codec, rows] as const)))(
    "may be packed with %s, %i rows",
    async (codec, rows) => {
      const numbers = Array.from({ length: rows }, (_, i) => ((i * 7919) % 4001) + 1);
      const back = await read(
        written(
          [
            { name: "submit", data: numbers.map((_, i) => i), type: "INT32" },
            { name: "runtime", data: numbers.map(BigInt), type: "INT64" },
            { name: "cores", data: numbers.map((n) => n / 8), type: "DOUBLE" },
            { name: "user", data: numbers.map((n) => (n % 5 === 0 ? null : `u${n % 7}`)), nullable: true },
          ],
          { codec, pageSize: 4096, rowGroupSize: 2000 },
        ),
      );
      expect(back["submitSeconds"]).toEqual(numbers.map((_, i) => i));
      expect(back["runtimeSeconds"]).toEqual(numbers);
      expect(back["coresMilli"]).toEqual(numbers.map((n) => n * 125));
      expect(back["user"]).toEqual(numbers.map((n) => (n % 5 === 0 ? "unknown" : `u${n % 7}`)));
    },
  );

  test.each(["PLAIN", "RLE_DICTIONARY", "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"] as const)(
    "may have numbers as %s",
    async (encoding) => {
      const numbers = Array.from({ length: 5000 }, (_, i) => ((i * 7919) % 4001) + 1);
      const back = await read(
        written([
          { name: "submit", data: numbers.map((_, i) => i), type: "INT32", encoding },
          { name: "runtime", data: numbers.map(BigInt), type: "INT64", encoding },
          { name: "cores", data: numbers, type: "INT32", encoding },
          {
            name: "estimate",
            data: numbers.map((n) => (n % 3 === 0 ? null : n + 5000)),
            type: "INT32",
            encoding,
            nullable: true,
          },
        ]),
      );
      expect(back["submitSeconds"]).toEqual(numbers.map((_, i) => i));
      expect(back["runtimeSeconds"]).toEqual(numbers);
      expect(back["coresMilli"]).toEqual(numbers.map((n) => n * 1000));
      expect(back["estimateSeconds"]).toEqual(numbers.map((n) => (n % 3 === 0 ? Number.NaN : n + 5000)));
    },
  );

  test.each(["PLAIN", "RLE_DICTIONARY", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"] as const)(
    "may have texts as %s",
    async (encoding) => {
      const names = fc.array(fc.option(fc.string({ unit: "grapheme", maxLength: 12 })), { minLength: 1 });
      await fc.assert(
        fc.asyncProperty(names, async (texts) => {
          const ones = texts.map(() => 1);
          const back = await read(
            written([
              ...["submit", "runtime", "cores"].map((name) => ({ name, data: ones })),
              { name: "user", data: texts, type: "STRING", encoding, nullable: true },
            ]),
          );
          // As in CSV, blanks around a field are no part of it.
          const expected = texts.map(
            (each) => (each ?? "").replaceAll(/^[\0- ]+|[\0- ]+$/g, "") || "unknown",
          );
          if (expected.every((name) => name === "unknown")) expect(back["user"]).toBeNull();
          else expect(back["user"]).toEqual(expected);
        }),
      );
    },
  );

  test("may have whole numbers of 64 bits as differences, negative ones too", async () => {
    const anyInteger = fc.bigInt({ min: -(2n ** 53n) + 1n, max: 2n ** 53n - 1n });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(anyInteger, { minLength: 1, maxLength: 300 }), async (numbers) => {
        const ones = numbers.map(() => 1);
        const back = await read(
          written([
            ...["submit", "runtime", "cores"].map((name) => ({ name, data: ones })),
            { name: "job", data: numbers, type: "INT64", encoding: "DELTA_BINARY_PACKED" },
          ]),
        );
        expect(back["jobNumber"] ?? numbers.map((_, i) => i + 1)).toEqual(numbers.map(Number));
      }),
    );
  });

  test("of DuckDB 1.5.6 is read, with dates, decimals, intervals and pages of the first version", async () => {
    const bytes = readFileSync(new URL("duckdb.fixture.parquet", import.meta.url));
    expect(await read(bytes)).toMatchObject({
      submitSeconds: [1772352000.25, 1772352100.25, 1772352200.25, 1772352300.25],
      runtimeSeconds: [0, 60, 120, 180],
      coresMilli: [1000, 2000, 3000, 1000],
      memoryMiB: [1536, 0, 3584, 4608],
      estimateSeconds: [3600, 7200, 10_800, 14_400],
      jobNumber: [0, 1, 2, 3],
      recordedWaitSeconds: [9.75, 9.75, 9.75, 9.75],
      user: ['u"0', 'u"1', "unknown", 'u"1'],
      state: ["true", "false", "true", "false"],
      farm: { unixStartSeconds: 0 },
    });
  });

  test("of arrow-rs (parquet-wasm 0.8.0) is read, with differences of texts in LZ4", async () => {
    const bytes = readFileSync(new URL("arrow.fixture.parquet", import.meta.url));
    const rows = Array.from({ length: 20 }, (_, i) => i);
    expect(await read(bytes)).toMatchObject({
      submitSeconds: rows.map((i) => 1772352000 + i * 1.5),
      runtimeSeconds: rows.map((i) => (i % 7) / 10),
      coresMilli: rows.map((i) => 1000 * (1 + (i % 4))),
      user: rows.map((i) => (i % 5 === 0 ? "unknown" : `user-${i >> 1}`)),
      memoryMiB: rows.map((i) => (i % 3 === 0 ? 0 : 1024 * i)),
    });
  });

  test("may have times of 96 bits, as Spark writes them", async () => {
    // The writer has no such type: twelve bytes of fixed length are stored the same, and the schema is changed after.
    const int96 = (day: number, seconds: number): Uint8Array => {
      const bytes = Buffer.alloc(12);
      bytes.writeBigUInt64LE(BigInt(seconds) * 10n ** 9n);
      bytes.writeUInt32LE(2440588 + day, 8);
      return bytes;
    };
    const schema: SchemaElement[] = [
      { name: "root", num_children: 3 },
      { name: "submit", type: "FIXED_LEN_BYTE_ARRAY", type_length: 12, repetition_type: "OPTIONAL" },
      { name: "runtime", type: "DOUBLE", repetition_type: "REQUIRED" },
      { name: "cores", type: "INT32", repetition_type: "REQUIRED" },
    ];
    const data = [int96(20513, 28_800), null, int96(20514, 0)];
    const columns = [{ name: "submit", data }, ...[runtime, cores].map(({ name, data }) => ({ name, data }))];
    const bytes = written(columns, { schema });
    // The first fields of the column in the schema: its type in the second byte, its length in the fourth.
    const at = Buffer.from(bytes).indexOf(Buffer.of(0x15, 14, 0x15, 24));
    expect(at).toBeGreaterThan(0);
    bytes[at + 1] = 6;
    const back = await read(bytes);
    expect(back["submitSeconds"]).toEqual([1772352000, 1772409600]);
    expect(back.notes.map(({ what }) => what)).toContain("read: times that name no zone, as of UTC");
  });

  test("is sorted by submission, its jobs named by their rows", async () => {
    const back = await read(
      written([
        { name: "submit", data: [50, 10, 50, 20], type: "INT32" },
        { name: "runtime", data: [1, 2, 3, 4], type: "INT32" },
        { name: "cores", data: [1, 1, 1, 1], type: "INT32" },
        { name: "user", data: ["a", "b", "c", "d"], type: "STRING" },
      ]),
    );
    expect(back["submitSeconds"]).toEqual([10, 20, 50, 50]);
    expect(back["jobNumber"]).toEqual([2, 4, 1, 3]);
    expect(back["user"]).toEqual(["b", "d", "a", "c"]);
    expect(back["notes"]).toMatchObject([{ count: 2, firstLine: 2 }]);
  });
});

describe("the columns of another program", () => {
  test("have the names and units of CSV, texts that are numbers too", async () => {
    const columns: Record<string, (string | null)[]> = {
      "Job ID": ["4711", "4712_3", null],
      "Queued At": ["2026-03-01T08:00:00+01:00", "1772352300000", "2026-03-01 09:00:00"],
      elapsed_min: ["90", "1.5", "01:30:00"],
      ncpus: ["8", "1", "2.5"],
      mem_gb: ["1.5", null, "N/A"],
      Partition: ["batch", 'with "quotes", and a comma', "débug"],
      "unheard of": ["x", "y", "z"],
    };
    const parquet = await read(
      written(
        Object.entries(columns).map(([name, data]) => ({ name, data, type: "STRING", nullable: true })),
      ),
      { timeZone: "+02:00" },
    );
    const quoted = (text: string | null): string => `"${(text ?? "").replaceAll('"', '""')}"`;
    const lines = [0, 1, 2].map((row) =>
      Object.values(columns)
        .map((column) => quoted(column[row]))
        .join(),
    );
    const text = textSource("jobs.csv", Object.keys(columns).map(quoted).join(), ...lines, "");
    const csv = spelledOut(await readWorkload(text, { timeZone: "+02:00" })) as Spelled;
    const withoutPlaces = ({ notes, ...workload }: Spelled): unknown => ({
      ...workload,
      format: "",
      notes: notes.map(({ what }) => what).sort(),
    });
    expect(withoutPlaces(parquet)).toEqual(withoutPlaces(csv));
    // In order of submission: the third row is as early as the first, and has the lower number.
    expect(parquet["memoryMiB"]).toEqual([0, 1536, 0]);
  });

  test("may be mapped", async () => {
    const bytes = written([
      { ...submit, name: "came" },
      { ...runtime, name: "ran" },
      { ...cores, name: "c" },
    ]);
    const columns = { submit: "came:min", runtime: "ran:h", cores: "c" };
    const back = await read(bytes, { columns });
    expect(back).toMatchObject({ submitSeconds: [0, 1800, 1800], runtimeSeconds: [5400, 8100, 10_800] });
    expect((await inputErrorOf(() => read(bytes))).message).toMatch(
      /^jobs.parquet: there is no column "submit" .* there are came, ran, c: say which is it with --columns/,
    );
  });

  test("that cannot be rows of jobs are dropped and counted, or refused with their row", async () => {
    const bytes = written([submit, cores, { ...runtime, data: [1, -2, 3] }]);
    const back = await read(bytes);
    expect(back["runtimeSeconds"]).toEqual([1, 3]);
    expect(back.notes).toMatchObject([{ what: "dropped: the run time is out of range", firstLine: 2 }]);
    expect((await inputErrorOf(() => read(bytes, { strict: true }))).message).toMatch(
      /^jobs.parquet: row 2: the run time is out of range/,
    );
  });

  test("with line breaks in texts keep their rows", async () => {
    const user: ColumnSource = { name: "user", data: ["a\nb", "c", "d"], type: "STRING" };
    const back = await read(written([submit, runtime, cores, user]));
    expect(back["user"]).toEqual(["a b", "c", "d"]);
    expect(back.notes).toContainEqual({ what: "read: line breaks in texts as blanks", count: 1 });
  });

  test("with whole numbers beyond 2^53 are refused, not rounded", async () => {
    for (const name of ["job", "user", "memory"]) {
      const column: ColumnSource = { name, data: [1n, 2n, 2n ** 53n + 1n], type: "INT64" };
      expect((await inputErrorOf(() => read(written([submit, runtime, cores, column])))).message).toMatch(
        `jobs.parquet: row 3: column "${name}" is 9007199254740993: whole numbers beyond 2^53 - 1 cannot be kept`,
      );
    }
    const nanoseconds = [0n, 1n, 2n].map((i) => (1772352000n + i) * 10n ** 9n);
    const back = await read(written([{ ...submit, data: nanoseconds }, runtime, cores]));
    expect(back["submitSeconds"]).toEqual([1772352000, 1772352001, 1772352002]);
  });

  test("that are lists are refused where a job has one value", async () => {
    const schema: SchemaElement[] = [
      { name: "root", num_children: 4 },
      ...["submit", "runtime", "cores"].map((name): SchemaElement => ({
        name,
        type: "INT32",
        repetition_type: "REQUIRED",
      })),
      { name: "user", num_children: 1, converted_type: "LIST", repetition_type: "OPTIONAL" },
      { name: "list", num_children: 1, repetition_type: "REPEATED" },
      { name: "element", type: "INT32", repetition_type: "OPTIONAL" },
    ];
    const columns = ["submit", "runtime", "cores"].map((name) => ({ name, data: [1, 2] }));
    const bytes = written([...columns, { name: "user", data: [[1], [2, 3]] }], { schema });
    expect((await inputErrorOf(() => read(bytes))).message).toBe(
      'jobs.parquet: column "user" is nested: a job\'s user must be one value a row',
    );
  });
});
