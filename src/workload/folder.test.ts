import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, describe, expect, it } from "vitest";

import { InputError } from "./errors.ts";
import { folderFailure, makeFolder } from "./folder.ts";

const root = mkdtempSync(join(tmpdir(), "croft-folder-"));
afterAll(() => rmSync(root, { recursive: true }));

function complaintOf(folder: string): string {
  try {
    makeFolder(folder);
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return (error as Error).message;
  }
  return "";
}

describe("a folder", () => {
  it("is made with those above it, and says which were missing", () => {
    const [one, two] = [join(root, "one"), join(root, "one", "two")];
    expect(makeFolder(two)).toEqual([one, two]);
    expect(existsSync(two)).toBe(true);
    expect(makeFolder(two)).toEqual([]);
  });

  it("that cannot be made is an error that says why", () => {
    const [file, link] = [join(root, "file"), join(root, "link")];
    writeFileSync(file, "");
    symlinkSync(join(root, "nowhere"), link);
    expect(complaintOf(join(file, "in"))).toBe(
      `${join(file, "in")}: the folder cannot be made: ${file} is a file; name another folder`,
    );
    expect(complaintOf(link)).toBe(
      `${link}: the folder cannot be made: in ${root} a link of that name leads nowhere; name another folder`,
    );
    expect(complaintOf(join(root, "x".repeat(300)))).toMatch(/: the name is too long; name another folder$/);
    expect(complaintOf("")).toBe("the folder to write to has no name: give one");
  });

  it.skipIf(!existsSync("/proc/self"))(
    "is refused where nothing can be stored (skipped without /proc)",
    () => {
      expect(complaintOf("/proc/none/in")).toBe(
        "/proc/none/in: the folder cannot be made: nothing can be stored in /proc; name another folder",
      );
    },
  );

  it("on a full disk is the machine's failure, not the input's", () => {
    const failure = folderFailure("out", "the folder cannot be made", ".", { code: "ENOSPC", message: "" });
    expect(failure).not.toBeInstanceOf(InputError);
    expect((failure as Error).message).toBe("out: the folder cannot be made: the disk is full");
    const denied = folderFailure("out", "cannot be written to", "out", {
      code: "EROFS",
      message: "",
    });
    expect((denied as Error).message).toBe(
      "out: cannot be written to: out can only be read; name another folder",
    );
  });
});
