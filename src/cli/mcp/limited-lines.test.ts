import { Readable } from "node:stream";
import { text } from "node:stream/consumers";

import * as fc from "fast-check";
import { expect, it } from "vitest";

import { LimitedLines } from "./limited-lines.ts";

it("passes lines on, and fails at one that is too long, wherever it is cut", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.stringMatching(/^[a-z]{0,14}$/), { maxLength: 8 }),
      fc.integer({ min: 1, max: 9 }),
      async (lines, cut) => {
        const all = lines.map((line) => `${line}\n`).join("");
        const chunks: Buffer[] = [];
        for (let from = 0; from < all.length; from += cut)
          chunks.push(Buffer.from(all.slice(from, from + cut)));
        const passed = text(Readable.from(chunks).pipe(new LimitedLines(10)));
        const isTooLong = lines.some(({ length }) => length > 10);
        if (isTooLong) await expect(passed).rejects.toThrow("longer than 10 bytes");
        else expect(await passed).toBe(all);
      },
    ),
  );
});
