import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AtomicFile, writeFileAtomically } from "./atomic-file.ts";
import { InputError } from "./errors.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "croft-atomic-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("the file appears at the commit, in the place of the old one", async () => {
  const path = join(folder, "out.txt");
  writeFileSync(path, "old");
  const file = await AtomicFile.open(path);
  await file.write("new ");
  await file.write(new TextEncoder().encode("text"));
  expect(readFileSync(path, "utf8")).toBe("old");
  await file.commit();
  expect(readFileSync(path, "utf8")).toBe("new text");
  expect(readdirSync(folder)).toEqual(["out.txt"]);
});

test("nothing remains of a file that is discarded", async () => {
  const file = await AtomicFile.open(join(folder, "out.txt"));
  await file.write("text");
  await file.discard();
  await file.discard();
  expect(readdirSync(folder)).toEqual([]);
});

test.each(["out.txt", "out.txt.gz"])(
  "a failure while writing %s passes on and leaves nothing",
  async (name) => {
    await expect(writeFileAtomically(join(folder, name), failing())).rejects.toThrow(
      new RangeError("no more"),
    );
    expect(readdirSync(folder)).toEqual([]);
  },
);

test("compression streams through many chunks", async () => {
  const path = join(folder, "out.gz");
  const line = "0123456789".repeat(1000);
  await writeFileAtomically(
    path,
    Array.from({ length: 1000 }, () => line),
  );
  expect(gunzipSync(readFileSync(path)).toString()).toBe(line.repeat(1000));
});

test("a place that cannot be written to is an InputError with the path", async () => {
  const missing = join(folder, "missing", "out.txt");
  await expect(AtomicFile.open(missing)).rejects.toThrow(
    new InputError("cannot be written: its folder does not exist", { file: missing }),
  );
  const taken = join(folder, "taken");
  mkdirSync(join(taken, "inside"), { recursive: true });
  await expect(writeFileAtomically(taken, ["text"])).rejects.toBeInstanceOf(InputError);
  expect(readdirSync(folder)).toEqual(["taken"]);
});

function* failing(): Generator<string> {
  yield "some text";
  throw new RangeError("no more");
}
