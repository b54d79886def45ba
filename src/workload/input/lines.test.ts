import { devNull, tmpdir } from "node:os";
import { gzipSync, zstdCompressSync } from "node:zlib";

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { InputError } from "../errors.ts";
import type { ByteSource } from "./bytes.ts";
import { beginningOf, readFirstBytes, sourceTitle, wholeOf } from "./bytes.ts";
import { MAX_LINE_BYTES, readLines } from "./lines.ts";
import { inputErrorOf, withFile } from "./text.fixture.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decoder = new TextDecoder();

async function linesOf(source: ByteSource): Promise<string[]> {
  const lines: string[] = [];
  const { lines: count } = await readLines(source, (bytes, start, end, line) => {
    expect(bytes[end]).toBeLessThan(32);
    lines.push(decoder.decode(bytes.subarray(start, end)));
    expect(line).toBe(lines.length);
  });
  expect(count).toBe(lines.length);
  return lines;
}

/** What a text editor would call the lines. */
function expectedLines(text: string): string[] {
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  if (text === "" || text.endsWith("\n")) lines.pop();
  return lines;
}

const packings = { plain: (bytes: Uint8Array) => bytes, gzip: gzipSync, zstd: zstdCompressSync };

describe("the lines of a source", () => {
  it("are those of the text, whatever the packing", async () => {
    const text = fc
      .array(fc.constantFrom("a", "1 2", "\n", "\r\n", "é", "", "; x"), { maxLength: 40 })
      .map((parts) => `first${parts.join("")}`);
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom(...Object.values(packings)), async (text, pack) => {
        expect(await linesOf({ name: "log", bytes: pack(encode(text)) })).toEqual(expectedLines(text));
      }),
    );
  });

  it.each(Object.entries(packings))("run on from chunk to chunk of a large %s file", async (_name, pack) => {
    const lines = Array.from({ length: 60_000 }, (_, i) => `${i}:${"x".repeat(i % 150)}`);
    lines.splice(1000, 0, "y".repeat(MAX_LINE_BYTES - 1));
    const bytes = pack(encode(lines.join("\r\n")));
    await withFile("large", bytes, async (path) => {
      const read = await linesOf(path);
      expect(read.length).toBe(lines.length);
      expect(read.findIndex((line, i) => line !== lines[i])).toBe(-1);
    });
  });

  it("begin after a byte order mark", async () => {
    expect(await linesOf({ name: "log", bytes: encode("\u{feff}a\nb") })).toEqual(["a", "b"]);
  });

  it("of an empty file are none", async () => {
    expect(await linesOf({ name: "log", bytes: new Uint8Array(0) })).toEqual([]);
    expect(await linesOf({ name: "log", bytes: gzipSync("") })).toEqual([]);
  });

  it("have a limit, which the error places", async () => {
    const text = `a\nb\n${"x".repeat(MAX_LINE_BYTES + 1)}`;
    for (const ending of ["", "\n", "\nc\n", "x".repeat(3 * MAX_LINE_BYTES)]) {
      const error = await inputErrorOf(() => linesOf({ name: "log", bytes: encode(text + ending) }));
      expect(error.message).toMatch(/^log:3: .*1 MiB/);
    }
  });

  it("have no NUL bytes", async () => {
    const error = await inputErrorOf(() => linesOf({ name: "log", bytes: encode("a\nb\nc\0d\n") }));
    expect(error.message).toMatch(/^log:3: .*binary/);
  });

  it("pass on what their reader throws", async () => {
    const source = { name: "log", bytes: gzipSync("a\nb") };
    const reading = readLines(source, (_bytes, _start, _end, line) => {
      throw new InputError(`stop at ${line}`);
    });
    await expect(reading).rejects.toThrow("stop at 1");
  });
});

describe("a source that cannot be read", () => {
  it("is missing", async () => {
    const error = await inputErrorOf(() => linesOf("no/such/file.swf"));
    expect(error.message).toBe("no/such/file.swf: there is no such file");
  });

  it("is a folder", async () => {
    expect((await inputErrorOf(() => linesOf(tmpdir()))).message).toMatch(/this is a folder/);
  });

  it("has no possible name", async () => {
    expect((await inputErrorOf(() => linesOf("a\0b"))).message).toMatch(/not a file name/);
  });

  it.each(["gzip", "zstd"] as const)("is cut short or damaged %s", async (packing) => {
    const bytes = packings[packing](encode(Array.from({ length: 500 }, (_, i) => `${i * i}`).join("\n")));
    for (let length = 6; length < bytes.length; length += 7) {
      const error = await inputErrorOf(() => linesOf({ name: "log", bytes: bytes.subarray(0, length) }));
      expect(error.message).toMatch(/^log: the packed data is cut short/);
    }
    const damaged = Uint8Array.from(bytes);
    damaged.fill(0xaa, 20, 60);
    expect((await inputErrorOf(() => linesOf({ name: "log", bytes: damaged }))).message).toMatch(
      /^log: .*damaged/,
    );
  });

  it.each([
    ["xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]],
    ["bzip2", [0x42, 0x5a, 0x68, 0x39, 0x31, 0x41]],
    ["zip", [0x50, 0x4b, 3, 4, 0, 0]],
  ])("is packed with %s", async (name, magic) => {
    const error = await inputErrorOf(() => linesOf({ name: "log", bytes: Uint8Array.from(magic) }));
    expect(error.message).toContain(`a ${name} file: unpack it`);
  });
});

describe("a log that a crash has left", () => {
  const lines = (text: string, onNul?: (line: number) => void) => {
    const seen: string[] = [];
    const source = { name: "log", bytes: encode(text) };
    const read = readLines(
      source,
      (bytes, start, end) => seen.push(decoder.decode(bytes.subarray(start, end))),
      onNul,
    );
    return read.then((summary) => ({ seen, ...summary }));
  };

  it("reports its lines with NUL bytes, on request", async () => {
    const nul: number[] = [];
    const { seen } = await lines("one\n\0\0two\nthree\nfo\0ur\n", (line) => nul.push(line));
    expect([seen, nul]).toEqual([
      ["one", "three"],
      [2, 4],
    ]);
  });

  it("reports that its last line has no line break", async () => {
    expect(await lines("one\ntw")).toEqual({ seen: ["one", "tw"], lines: 2, isOpenEnded: true });
    expect((await lines("one\ntwo\n")).isOpenEnded).toBe(false);
    expect((await lines("")).isOpenEnded).toBe(false);
  });

  it("in UTF-16 is refused as such", async () => {
    const bytes = Buffer.from("\u{feff}submit,runtime\n", "utf16le");
    const error = await inputErrorOf(() =>
      readLines(
        { name: "log", bytes },
        () => {},
        () => {},
      ),
    );
    expect(error.message).toBe("log:1: this is text in UTF-16: save it as UTF-8");
  });
});

describe("how a source begins", () => {
  it("can be seen of a source that can be read only once, which can still be read as a whole", async () => {
    const text = "0123456789".repeat(50);
    for (const pack of Object.values(packings)) {
      const packed = pack(encode(text));
      const chunks = (async function* () {
        for (let at = 0; at < packed.length; at += 7) yield packed.subarray(at, at + 7);
      })();
      const { source, firstBytes } = await beginningOf({ name: "pipe", chunks }, 25);
      expect(decoder.decode(firstBytes)).toBe(text.slice(0, 25));
      expect(decoder.decode((await wholeOf(source)).bytes)).toBe(text);
    }
  });
});

describe("the first bytes of a source", () => {
  it("are unpacked, and no more than asked for", async () => {
    const text = "0123456789".repeat(1000);
    for (const pack of Object.values(packings)) {
      const bytes = await readFirstBytes({ name: "log", bytes: pack(encode(text)) }, 25);
      expect(decoder.decode(bytes)).toBe(text.slice(0, 25));
    }
  });
});

describe("a source that is not a file", () => {
  it("can be read, but not recognised first", async () => {
    expect(await linesOf(devNull)).toEqual([]);
    expect((await inputErrorOf(() => readFirstBytes(devNull, 10))).message).toMatch(/can be read once only/);
  });
});

describe("a source's title", () => {
  it.each([
    ["/logs/KTH-SP2-1996-2.1-cln.swf.gz", "KTH-SP2-1996-2.1-cln"],
    ["jobs.netbatch.csv.zst", "jobs"],
    ["plain", "plain"],
    [".csv", ".csv"],
    ["farm.swf.machines", "farm"],
  ])("of %s is %s", (path, title) => {
    expect(sourceTitle(path)).toBe(title);
  });
});
