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
