import type { Command } from "commander";
import { expect, it } from "vitest";

import { studyCommand } from "./study.ts";

it("sends runs to a farm, or says that it does not, whatever the study", async () => {
  const sent: string[] = [];
  for (const { name } of studyCommand().commands.map((each: Command) => ({ name: each.name() }))) {
    const study = studyCommand();
    const option = study.commands
      .find((each) => each.name() === name)!
      .options.find(({ long }) => long === "--on");
    if (option?.hidden === false) sent.push(name);
    else
      await expect(study.parseAsync([name, "--on", "farm"], { from: "user" })).rejects.toThrow(
        `croft study ${name} is made on this machine: leave --on out`,
      );
  }
  expect(sent.sort()).toEqual(["load", "packing", "rescheduling"]);
});
