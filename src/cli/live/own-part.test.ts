import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";

import { headingOf } from "../../live/service/output-sections.ts";
import type { AttemptView } from "../../live/store/job-views.ts";
import { ownPart } from "./own-part.ts";

function file(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), "croft-part-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "out"), content);
  return join(folder, "out");
}

/** Of job 1, whose attempts run now unless told otherwise. */
async function part(path: string, attempt: number, shiftSeconds = 0): Promise<string> {
  const at = new Date(Date.now() + 1000 * shiftSeconds).toISOString();
  const attempts = [1, 2].map((each) => ({ attempt: each, startedAt: at, endedAt: at }) as AttemptView);
  const { from, to } = await ownPart(path, { number: 1, attempts }, attempt, async ({ job }) => job !== 6);
  return readFileSync(path).subarray(from, to).toString();
}

/** When the next attempt starts that writes to a file. */
function later(): number {
  return Date.now() / 1000;
}

describe("what an attempt has written to a file of its job's own", () => {
  it("is what stands below its heading, and of the first what is before all, whatever is printed", async () => {
    const text = fc.string({ unit: "binary", maxLength: 300 }).filter((each) => !each.includes("===="));
    await fc.assert(
      fc.asyncProperty(text, text, text, async (first, other, second) => {
        const path = file(
          `${first}\n${headingOf(7, 1, later())}\n${other}\n${headingOf(1, 2, later())}\n${second}`,
        );
        expect(await part(path, 1)).toBe(Buffer.from(first).toString());
        expect(await part(path, 2)).toBe(Buffer.from(second).toString());
      }),
      { numRuns: 50 },
    );
  });

  it("is found in a file of many pieces", async () => {
    const much = "x".repeat(65_536 - 40);
    const path = file(`${much}\n${headingOf(7, 1, later())}\n${much}\n${headingOf(1, 1, later())}\nown`);
    expect(await part(path, 1)).toBe("own");
  });

  it("goes on after the heading of another file that it prints", async () => {
    // Of long ago; of just now, to another file; and its own.
    const others = [headingOf(7, 1, later() - 60), headingOf(6, 1, later()), headingOf(1, 2, later())];
    const printed = `of job 5\n${others.join("\nmore\n")}\nof job 6`;
    const path = file(`first\n${headingOf(1, 2, later())}\n${printed}`);
    expect(await part(path, 1)).toBe("first");
    expect(await part(path, 2)).toBe(printed);
  });

  it("is not what others have written to a file that was made before or after it ran", async (test) => {
    const path = file("other");
    test.skip(statSync(path).birthtimeMs === 0, "the file system does not tell when a file was made");
    for (const shiftSeconds of [-60, -0.2, 60])
      await expect(part(path, 1, shiftSeconds)).rejects.toThrow("nothing of attempt 1 of job 1 in this file");
    await expect(part("/dev/null", 1)).rejects.toThrow("is no file");
    await expect(part("/no/such/file", 1)).rejects.toThrow("cannot be read");
  });

  it("is gone where the file was emptied, and is told where it was changed", async (test) => {
    const path = file("");
    const made = statSync(path).birthtimeMs / 1000;
    test.skip(made === 0, "the file system does not tell when a file was made");
    // An attempt that has printed nothing.
    expect(await part(path, 1)).toBe("");
    utimesSync(path, made, made + 0.1);
    await expect(part(path, 1)).rejects.toThrow("was emptied since attempt 1 of job 1 made it");
    const isChanged = async (attempt: number, after: number): Promise<boolean> => {
      utimesSync(path, made, made + after);
      const at = new Date(1000 * made).toISOString();
      const attempts = [1, 2].map((each) => ({ attempt: each, startedAt: at, endedAt: at }) as AttemptView);
      return (await ownPart(path, { number: 1, attempts }, attempt, async () => true)).isChanged;
    };
    writeFileSync(path, "other");
    expect(await isChanged(1, 0)).toBe(false);
    expect(await isChanged(1, 10)).toBe(true);
    writeFileSync(path, `first\n${headingOf(1, 2, made)}\nsecond`);
    expect([await isChanged(1, 10), await isChanged(2, 10)]).toEqual([false, true]);
  });
});
