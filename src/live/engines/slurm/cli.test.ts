import { describe, expect, it } from "vitest";

import type { Commands } from "../system/commands.ts";
import { SlurmCli } from "./cli.ts";

/** Slurm whose commands all print the same, and say that they are well. */
function printing(stdout: string): SlurmCli {
  const commands: Commands = { run: () => Promise.resolve({ status: 0, stdout, stderr: "" }) };
  return new SlurmCli(commands, null);
}

describe("an answer that is no list", () => {
  it.each(["\u0000\ufffd\u0001garbage", "Welcome to the cluster\n"])(
    "is not an empty queue: %j",
    async (text) => {
      expect(await printing(text).queue(null)).toMatchObject({ ok: false, why: "unreachable" });
      expect(await printing(text).nodes()).toMatchObject({ ok: false, why: "unreachable" });
    },
  );

  it.each(["", "\n"])("is told from an empty one: %j", async (text) => {
    expect(await printing(text).queue(null)).toEqual({ ok: true, value: [] });
    expect(await printing(text).nodes()).toEqual({ ok: true, value: [] });
  });

  it("is told from a cluster without nodes", async () => {
    expect(await printing("No nodes in the system\n").nodes()).toEqual({ ok: true, value: [] });
  });
});
