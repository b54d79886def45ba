import { expect, it } from "vitest";

import { systemCommands } from "./commands.ts";

const run = (script: string): ReturnType<typeof systemCommands.run> =>
  systemCommands.run("/bin/sh", ["-c", script], {
    environment: { PATH: "/usr/bin:/bin" },
    timeoutSeconds: 60,
  });

it("gives what a program prints, and its status", async () => {
  expect(await run("echo é; echo two >&2; exit 3")).toEqual({ status: 3, stdout: "é\n", stderr: "two\n" });
});

it("ends a program that prints without end, and has no part of it", async () => {
  expect(await run("yes")).toEqual({ status: null, stdout: "", stderr: expect.any(String) as string });
});

it("takes no program for one that printed nothing where the process stood still until its time was over", async () => {
  const ran = systemCommands.run("echo", ["printed"], { environment: {}, timeoutSeconds: 0.05 });
  // The program ends meanwhile, and nobody reads what it has printed.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
  expect(await ran).toMatchObject({ status: null, stderr: "echo took longer than 0.05 s" });
});
