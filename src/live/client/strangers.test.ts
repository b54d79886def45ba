import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { Client } from "./client.ts";
import { strangerAtProgram, strangerAtSocket, strangerInFolder } from "./strangers.ts";

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

function folder(mode = 0o700): string {
  const made = mkdtempSync(join(tmpdir(), "croft-strangers-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  chmodSync(made, mode);
  return made;
}

async function listening(path: string): Promise<string> {
  const server = createServer((connection) => connection.destroy());
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return path;
}

describe("a program", () => {
  function program(): { folder: string; file: string; link: string } {
    const own = folder(0o755);
    const file = join(own, "hook");
    writeFileSync(file, "");
    const link = join(own, "link");
    symlinkSync(file, link);
    return { folder: own, file, link };
  }

  it("is one's own alone by its rights and those of the folders above it", () => {
    const { folder: own, file, link } = program();
    expect([strangerAtProgram(file), strangerAtProgram(link)]).toEqual([null, null]);
    chmodSync(file, 0o775);
    expect(strangerAtProgram(link)).toMatchObject({ path: file, isOwner: false });
    chmodSync(file, 0o755);
    chmodSync(own, 0o777);
    expect(strangerAtProgram(file)).toMatchObject({ path: own, isOwner: false });
  });

  it.skipIf(!isRoot)(
    `is not, where it, a folder or a link is another's${isRoot ? "" : " (needs root)"}`,
    () => {
      for (const what of ["folder", "file"] as const) {
        const { [what]: path, link } = program();
        chownSync(path, NOBODY, NOBODY);
        expect(strangerAtProgram(link)).toMatchObject({ path, isOwner: true });
      }
    },
  );
});

describe("a socket", () => {
  it("is trusted in a folder of one's own, and in one for all where nobody can replace it", async () => {
    expect(strangerAtSocket(await listening(join(folder(), "s")))).toBeNull();
    expect(strangerAtSocket(await listening(join(folder(0o755), "s")))).toBeNull();
    expect(strangerAtSocket(await listening(join(folder(0o1777), "s")))).toBeNull();
    expect(strangerAtSocket(join(folder(), "none", "s"))).toBeNull();
  });

  it.each([0o777, 0o770, 0o722])("is not trusted in a folder that others may write to: %o", async (mode) => {
    const path = await listening(join(folder(mode), "s"));
    expect(strangerAtSocket(path)).toMatch(/may write to/);
    await expect(new Client({ socket: path }).get("/v1/farm")).rejects.toThrow(/is not used: .*may write to/);
  });

  it("is not trusted where a folder above may be replaced", () => {
    const above = folder(0o777);
    mkdirSync(join(above, "own"), 0o700);
    expect(strangerAtSocket(join(above, "own", "s"))).toContain(`everybody may write to the folder ${above}`);
  });

  it("is looked at where a link leads", async () => {
    const open = folder(0o777);
    await listening(join(open, "s"));
    const own = folder();
    symlinkSync(open, join(own, "link"));
    expect(strangerAtSocket(join(own, "link", "s"))).toMatch(/may write to/);
    symlinkSync("round", join(own, "round"));
    expect(strangerAtSocket(join(own, "round", "s"))).toContain("go round in a circle");
  });

  describe.skipIf(!isRoot)(`of another user${isRoot ? "" : " (needs root)"}`, () => {
    it("is trusted neither by itself nor for its folder", async () => {
      // As in /tmp, where everybody may make what is not there yet.
      const everybodys = folder(0o1777);
      const theirs = join(everybodys, "croft-0");
      mkdirSync(theirs, 0o700);
      const path = await listening(join(theirs, "s"));
      chownSync(theirs, NOBODY, NOBODY);
      expect(strangerAtSocket(path)).toContain(`${theirs} belongs to another user (number ${NOBODY})`);
      await expect(new Client({ socket: path }).send("POST", "/v1/jobs", {})).rejects.toThrow(/is not used/);
      chownSync(theirs, 0, 0);
      chownSync(path, NOBODY, NOBODY);
      expect(strangerAtSocket(path)).toContain("belongs to another user");
    });

    it("is not trusted by way of a link of his", async () => {
      const everybodys = folder(0o1777);
      const own = folder();
      const link = join(everybodys, "croft-0");
      symlinkSync(own, link);
      await listening(join(own, "s"));
      expect(strangerAtSocket(join(link, "s"))).toBeNull();
      rmSync(link);
      symlinkSync(own, link);
      const { lchownSync } = await import("node:fs");
      lchownSync(link, NOBODY, NOBODY);
      expect(strangerAtSocket(join(link, "s"))).toContain("belongs to another user");
    });
  });
});

describe("a data folder", () => {
  it.each([
    [0o700, null],
    [0o711, null],
    [0o755, /others may read it.*chmod 700/],
    [0o750, /others may read it/],
    [0o770, /others may write to it/],
    [0o702, /everybody may write|others may write/],
  ])("of mode %o is taken or refused", (mode, said) => {
    const stranger = strangerInFolder(folder(mode));
    if (said === null) expect(stranger).toBeNull();
    else expect(stranger).toMatch(said);
  });

  it.skipIf(!isRoot)("of another user is refused", () => {
    const theirs = folder();
    chownSync(theirs, NOBODY, NOBODY);
    expect(strangerInFolder(theirs)).toContain("belongs to another user");
  });
});
