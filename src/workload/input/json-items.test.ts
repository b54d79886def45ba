import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { inputErrorOf } from "./text.fixture.ts";
import { readJsonItems } from "./json-items.ts";

interface Seen {
  readonly items: unknown[];
  readonly lines: number[];
  readonly bad: number[];
  readonly cut: (readonly [number, boolean])[];
}

async function seenIn(text: string | Uint8Array, chunkBytes = Number.POSITIVE_INFINITY): Promise<Seen> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  const seen: Seen = { items: [], lines: [], bad: [], cut: [] };
  await readJsonItems({ name: "log", chunks: chunks() }, ["jobs", "items"], {
    onItem: (item, line) => {
      seen.items.push(item);
      seen.lines.push(line);
    },
    onBad: (line) => seen.bad.push(line),
    onCutShort: (line, inItem) => seen.cut.push([line, inItem]),
  });
  return seen;
}

describe("the items of a JSON text", () => {
  it("are the elements of its list", async () => {
    const seen = await seenIn('[\n {"a": "]}"},\n {"b": [1, {"c": "\\"}"}]}\n]\n');
    expect(seen).toEqual({ items: [{ a: "]}" }, { b: [1, { c: '"}' }] }], lines: [2, 3], bad: [], cut: [] });
  });

  it("are the elements of the list under a key, whatever is around it", async () => {
    const text =
      '{"meta": {"jobs": [9]}, "x": ["jobs"],\n"jobs": [{"a": 1}, {"a": 2}], "errors": [{"no": 1}]}';
    expect(await seenIn(text)).toEqual({ items: [{ a: 1 }, { a: 2 }], lines: [2, 2], bad: [], cut: [] });
  });

  it("are the text itself, or several texts, if there is no such list", async () => {
    expect((await seenIn('{"kind": "Pod", "list": [1]}')).items).toEqual([{ kind: "Pod", list: [1] }]);
    expect((await seenIn('{"a": 1}\n{"a": 2}\n[{"a": 3}]\n{"jobs": [{"a": 4}]}')).items).toEqual(
      [1, 2, 3, 4].map((a) => ({ a })),
    );
  });

  it("may be none", async () => {
    for (const text of ["", "[]", '{"jobs": []}', "\u{feff}[ ]\n"])
      expect((await seenIn(text)).items).toEqual([]);
  });

  it("that are not JSON are reported, and the others read", async () => {
    const seen = await seenIn('[{"a": 1},\n{"a" 2},\n7,\n{"a": 3}]');
    expect(seen).toEqual({ items: [{ a: 1 }, 7, { a: 3 }], lines: [1, 3, 4], bad: [2], cut: [] });
  });

  it("of a text that is cut short are the complete ones", async () => {
    const text = '{"jobs": [\n{"a": "x"},\n{"a": "y"}\n]}';
    for (let length = 1; length < text.length; length++) {
      const { items, bad, cut } = await seenIn(text.slice(0, length));
      expect(bad).toEqual([]);
      expect(cut).toHaveLength(1);
      expect(items).toEqual([{ a: "x" }, { a: "y" }].slice(0, items.length));
      expect(items.length).toBe((length >= 21 ? 1 : 0) + (length >= 33 ? 1 : 0));
    }
  });

  it("are the same however the text comes in chunks", async () => {
    const value = fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(value, fc.integer({ min: 1, max: 40 }), fc.boolean(), async (items, chunk, keyed) => {
        const text = JSON.stringify(keyed ? { first: { items: 1 }, items } : items, null, 1);
        const seen = await seenIn(text, chunk);
        expect(seen.items).toEqual(JSON.parse(JSON.stringify(items)));
        expect([seen.bad, seen.cut]).toEqual([[], []]);
      }),
    );
  });

  it("keep names that are not UTF-8 apart", async () => {
    const bytes = Buffer.from('[{"user": "M\xfcller"}, {"user": "M\xe4ller"}]', "latin1");
    expect((await seenIn(bytes)).items).toEqual([{ user: "Müller" }, { user: "Mäller" }]);
  });

  it("end with an error if brackets are nested too deep or too long", async () => {
    const deep = await inputErrorOf(() => seenIn("[".repeat(500)));
    expect(deep.message).toMatch(/^log:1: brackets within more than 200 others: this JSON is damaged/);
    const large = await inputErrorOf(() => seenIn(`[{"a": "${"x".repeat(1 << 26)}"}]`, 1 << 20));
    expect(large.message).toMatch(/^log:1: an item of more than 32 MiB/);
  });

  it("survive anything", async () => {
    const pieces = fc.constantFrom("{", "}", "[", "]", ",", ":", '"', "\\", '"jobs"', "1", " ", "\n", "null");
    await fc.assert(
      fc.asyncProperty(
        fc.array(pieces, { maxLength: 30 }),
        fc.integer({ min: 1, max: 5 }),
        async (parts, chunk) => {
          const text = parts.join("");
          expect(await seenIn(text, chunk)).toEqual(await seenIn(text));
        },
      ),
    );
  });
});
