import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";

import { FILE_DAYS, MOST_FILES_BYTES } from "../limits.ts";
import { SentFiles } from "./sent-files.ts";

const DAY_SECONDS = 86_400;

function newFolder(): string {
  const top = mkdtempSync(join(tmpdir(), "croft-files-"));
  onTestFinished(() => rmSync(top, { recursive: true }));
  return join(top, "files");
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function whole(files: SentFiles, hash: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for (let from = 0; ;) {
    const { bytes } = (await files.read(hash, from))!;
    if (bytes.length === 0) return Buffer.concat(parts);
    parts.push(bytes);
    from += bytes.length;
  }
}

describe("files that clients send", () => {
  it("are whole and as they were, however many send them at a time, and in whatever parts", async () => {
    const bytes = fc.uint8Array({ maxLength: 300 });
    const clients = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(bytes, clients, async (content, parts) => {
        const files = new SentFiles(newFolder(), () => Date.now() / 1000);
        const hash = hashOf(content);
        await Promise.all(
          parts.map(async (length) => {
            for (let from = 0; ;) {
              const part = content.subarray(from, from + length);
              const { bytes: there, isWhole } = await files.add(hash, from, content.length, part);
              if (isWhole) return;
              from = there;
            }
          }),
        );
        expect(await whole(files, hash)).toEqual(Buffer.from(content));
      }),
      { numRuns: 50 },
    );
  });

  it("are told as far as they are there, and go on after a restart", async () => {
    const folder = newFolder();
    const content = Buffer.from("abcdef");
    const hash = hashOf(content);
    const first = new SentFiles(folder, () => 0);
    expect(await first.add(hash, 0, 6, content.subarray(0, 2))).toEqual({ bytes: 2, isWhole: false });
    expect(await first.read(hash, 0)).toBeNull();
    const second = new SentFiles(folder, () => 0);
    expect(await second.add(hash, 0, 6, content)).toEqual({ bytes: 2, isWhole: false });
    expect(await second.add(hash, 2, 6, content.subarray(2))).toEqual({ bytes: 6, isWhole: true });
    expect(await second.add(hash, 0, 6, content)).toEqual({ bytes: 6, isWhole: true });
    expect(statSync(join(folder, hash)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it("are thrown away where they are not what they are called, and refused where there is no room", async () => {
    const folder = newFolder();
    const files = new SentFiles(folder, () => 0);
    const hash = hashOf(Buffer.from("right"));
    await expect(files.add(hash, 0, 5, Buffer.from("wrong"))).rejects.toMatchObject({ status: 422 });
    await expect(files.add(hash, 0, 5, Buffer.from("too long"))).rejects.toMatchObject({ status: 422 });
    expect(await files.add(hash, 0, 5, Buffer.from("right"))).toMatchObject({ isWhole: true });
    expect(readdirSync(folder)).toEqual([hash]);
    // Somebody has sent more under a hash than its file has.
    const other = Buffer.from("other");
    expect(await files.add(hashOf(other), 0, 100, Buffer.from("nonsense"))).toMatchObject({ isWhole: false });
    expect(await files.add(hashOf(other), 0, 5, new Uint8Array(0))).toEqual({ bytes: 0, isWhole: false });
    expect(await files.add(hashOf(other), 0, 5, other)).toEqual({ bytes: 5, isWhole: true });
    await expect(files.add("0".repeat(64), 0, MOST_FILES_BYTES, Buffer.from("a"))).rejects.toMatchObject({
      status: 409,
    });
    // Two that are begun fit alone, and not both. What is there already has holes, and takes no room here.
    const begun = join(folder, `${"1".repeat(64)}.part`);
    writeFileSync(begun, "");
    truncateSync(begun, MOST_FILES_BYTES - 14);
    const first = hashOf(Buffer.from("abcd"));
    expect(await files.add(first, 0, 4, Buffer.from("a"))).toEqual({ bytes: 1, isWhole: false });
    const second = Buffer.from("xyz");
    expect(await files.add(hashOf(second), 0, 3, second)).toEqual({ bytes: 3, isWhole: true });
    await expect(files.add(first, 1, 4, Buffer.from("bcd"))).rejects.toMatchObject({ status: 409 });
  });

  it("take no room where somebody only asks", async () => {
    const folder = newFolder();
    const files = new SentFiles(folder, () => 0);
    expect(await files.add("0".repeat(64), 0, 5, new Uint8Array(0))).toEqual({ bytes: 0, isWhole: false });
    expect(existsSync(folder)).toBe(false);
  });

  it("go when nobody has asked for them for long", async () => {
    let days = 1000;
    const folder = newFolder();
    const files = new SentFiles(folder, () => days * DAY_SECONDS);
    const send = (text: string): Promise<unknown> =>
      files.add(hashOf(Buffer.from(text)), 0, text.length, Buffer.from(text));
    await send("one");
    await send("two");
    // As if both had been sent then.
    for (const text of ["one", "two"]) await files.read(hashOf(Buffer.from(text)), 0);
    days += FILE_DAYS - 1;
    await files.read(hashOf(Buffer.from("one")), 0);
    days += 2;
    await send("three");
    expect(readdirSync(folder).sort()).toEqual(
      ["one", "three"].map((text) => hashOf(Buffer.from(text))).sort(),
    );
  });
});
