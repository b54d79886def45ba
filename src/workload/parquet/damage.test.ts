import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import * as fc from "fast-check";
import { parquetWriteBuffer, type ColumnSource } from "hyparquet-writer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { InputError } from "../errors.ts";
import { inputErrorOf } from "../input/text.fixture.ts";
import { workloadOf } from "../workload-of.ts";
import { framedLz4 } from "./lz4.fixture.ts";
import { parquet } from "./parquet.ts";
import { thrift } from "./thrift.fixture.ts";
import { writeParquet } from "./write.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "croft-damage-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Files of every type, encoding and codec, so small that a change hits something. */
async function files(): Promise<Uint8Array[]> {
  const own = join(folder, "own.parquet");
  const two = workloadOf({
    name: "two",
    submitSeconds: Float64Array.of(5, 6),
    runtimeSeconds: Float64Array.of(1.5, 20),
    coresMilli: Int32Array.of(500, 2000),
    memoryMiB: Int32Array.of(0, 512),
    user: { codes: Int32Array.of(0, 1), names: ["ann", "unknown"] },
  });
  await writeParquet(two, own);
  const columns: ColumnSource[] = [
    { name: "submit", data: [1, 2, 3, 4], type: "DOUBLE", encoding: "BYTE_STREAM_SPLIT" },
    { name: "runtime", data: [1, 2, 3, 4], type: "INT32", encoding: "DELTA_BINARY_PACKED" },
    { name: "cores", data: [1n, 1n, 1n, 1n], type: "INT64", encoding: "RLE_DICTIONARY" },
    { name: "estimate", data: [1, null, 1, 2], type: "INT32", nullable: true },
    { name: "job", data: [1n, 2n, 3n, 4n], type: "INT64", encoding: "DELTA_BINARY_PACKED" },
    { name: "user", data: ["a", "b", null, "a"], type: "STRING", nullable: true },
    { name: "project", data: ["/a", "/ab", "/abc", "/abd"], type: "STRING", encoding: "DELTA_BYTE_ARRAY" },
    { name: "queue", data: ["a", "b", "c", "d"], type: "STRING", encoding: "DELTA_LENGTH_BYTE_ARRAY" },
    { name: "state", data: [true, false, true, true], type: "BOOLEAN" },
  ];
  const compressors = { GZIP: gzipSync, ZSTD: zstdCompressSync, LZ4: framedLz4 };
  const codecs = ["UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD", "LZ4"] as const;
  return [
    readFileSync(own),
    readFileSync(new URL("duckdb.fixture.parquet", import.meta.url)),
    readFileSync(new URL("arrow.fixture.parquet", import.meta.url)),
    ...codecs.map(
      (codec) =>
        new Uint8Array(parquetWriteBuffer({ columnData: columns, codec, compressors, rowGroupSize: 3 })),
    ),
  ];
}

describe("damage", () => {
  test("never gets past an InputError that names the file, nor takes much memory", async () => {
    const samples = await files();
    for (const bytes of samples) await parquet.read({ name: "whole", bytes });
    const before = process.memoryUsage().rss;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...samples),
        fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 4 }),
        fc.option(fc.nat()),
        async (sample, changes, cut) => {
          const bytes = Uint8Array.from(sample);
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          const left = cut === null ? bytes : bytes.subarray(0, cut % bytes.length);
          try {
            await parquet.read({ name: "damaged.parquet", bytes: left });
          } catch (error) {
            expect(error).toBeInstanceOf(InputError);
            expect((error as InputError).file).toBe("damaged.parquet");
            // What is said of files that are packed as a whole.
            expect((error as InputError).message).not.toContain("the packed data");
          }
        },
      ),
      { numRuns: 8000 },
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(1 << 30);
  });

  test.each([
    ["empty", "", "it is too short"],
    ["not Parquet", "submit,runtime,cores\n1,2,3\n", "it does not end in PAR1"],
    ["only the magic", "PAR1PAR1", "it is too short"],
    ["encrypted", "PARE....1234....PARE", "it is encrypted"],
    [
      "of a footer that is larger than it",
      "PAR1....\xff\xff\xff\x7fPAR1",
      "its footer has an impossible size",
    ],
  ])("a file that is %s is refused", async (_, content, why) => {
    const path = join(folder, "not.parquet");
    writeFileSync(path, content, "latin1");
    const { message } = await inputErrorOf(() => parquet.read(path));
    expect(message).toBe(`${path}: is damaged or not a Parquet file: ${why}`);
  });

  test("a missing file is refused", async () => {
    await expect(parquet.read(join(folder, "missing.parquet"))).rejects.toThrow(
      /missing.parquet: cannot be opened/,
    );
  });
});

/** What a file states. */
interface Crafted {
  readonly rows?: bigint;
  readonly groupRows?: bigint;
  readonly header?: object;
  readonly page?: Uint8Array;
  readonly codec?: number;
}

/** A file of one row group, whose three columns are one and the same page. */
function crafted({
  rows = 4n,
  groupRows = rows,
  header = {},
  page = new Uint8Array(16),
  codec = 0,
}: Crafted): Uint8Array {
  const body = Buffer.from(page);
  const head = thrift({
    field_1: 0,
    field_2: body.length,
    field_3: body.length,
    field_5: { field_1: Number(rows), field_2: 0, field_3: 3, field_4: 3 },
    ...header,
  });
  const chunk = Buffer.concat([head, body]);
  const columnOf = (name: string): object => ({
    field_2: 4n,
    field_3: {
      field_1: 1,
      field_2: [0],
      field_3: [name],
      field_4: codec,
      field_5: rows,
      field_6: BigInt(chunk.length),
      field_7: BigInt(chunk.length),
      field_9: 4n,
    },
  });
  const names = ["submit", "runtime", "cores"];
  const footer = thrift({
    field_1: 1,
    field_2: [
      { field_4: "root", field_5: names.length },
      ...names.map((name) => ({ field_1: 1, field_3: 0, field_4: name })),
    ],
    field_3: rows,
    field_4: [{ field_1: names.map(columnOf), field_2: BigInt(chunk.length), field_3: groupRows }],
  });
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([Buffer.from("PAR1"), chunk, footer, length, Buffer.from("PAR1")]);
}

describe("what a file states", () => {
  test("is believed where it is true", async () => {
    const page = Buffer.from(Int32Array.of(1, 2, 3, 4).buffer);
    const { submitSeconds } = await parquet.read({ name: "crafted", bytes: crafted({ page }) });
    expect(Array.from(submitSeconds)).toEqual([1, 2, 3, 4]);
  });

  test.each<[string, Uint8Array, string]>([
    [
      "more rows than can be",
      crafted({ rows: 2n ** 40n }),
      "it states 1099511627776 rows; at most 200000000",
    ],
    ["more rows than its bytes can hold", crafted({ rows: 199_999_999n }), "too many for a file of"],
    ["row groups of other rows", crafted({ groupRows: 5n }), "its row groups do not add up to its rows"],
    ["less than no rows", crafted({ rows: -1n }), "it does not state its rows"],
    [
      "a page of 2 GiB",
      crafted({ header: { field_2: 2 ** 31 - 1 } }),
      "a page has 2147483647 bytes; at most",
    ],
    [
      "a page of less than no bytes, unpacked",
      crafted({ header: { field_2: -1 } }),
      "does not state its size",
    ],
    ["a page of less than no bytes", crafted({ header: { field_3: -1 } }), "a page is cut short"],
    ["values that the page does not hold", crafted({ rows: 5n }), "a page's values are cut short"],
    [
      "a page of no rows, again and again",
      crafted({ header: { field_5: { field_1: 0, field_2: 0 } } }),
      "cut short",
    ],
    // Like 0 in comparisons, and unlike it elsewhere.
    ["an empty list for a page's rows", crafted({ header: { field_5: { field_1: [] } } }), "more rows than"],
    [
      "an empty list for a page's size",
      crafted({ header: { field_2: [] } }),
      "a page does not state its size",
    ],
    ["an empty list for a page's packed size", crafted({ header: { field_3: [] } }), "a page is cut short"],
    ["an unknown codec", crafted({ codec: 3 }), "pages are packed with the codec LZO, not with one of"],
  ])("as %s is refused", async (_, bytes, why) => {
    const { message } = await inputErrorOf(() => parquet.read({ name: "crafted.parquet", bytes }));
    expect(message).toMatch(/^crafted.parquet: is damaged or not a Parquet file: /);
    expect(message).toContain(why);
  });

  test("is unpacked no further", async () => {
    const zeros = new Uint8Array(1 << 27);
    for (const [codec, packed] of [
      [2, gzipSync(zeros)],
      [6, zstdCompressSync(zeros)],
    ] as const) {
      const bytes = crafted({ page: packed, codec, header: { field_2: 16 } });
      const { message } = await inputErrorOf(() => parquet.read({ name: "bomb.parquet", bytes }));
      expect(message).toMatch(
        /^bomb.parquet: is damaged or not a Parquet file: a page's \w+ data is damaged/,
      );
    }
  });
});
