import { expect, it } from "vitest";

import { systemCommands } from "./commands.ts";
import { StoppableCommands } from "./stoppable-commands.ts";

const options = { environment: { PATH: "/usr/bin:/bin" }, timeoutSeconds: 3600 };

it("ends what only asks, then what acts, and begins nothing more", async () => {
  const commands = new StoppableCommands(systemCommands);
  const asking = commands.run("sleep", ["3600"], options);
  const acting = commands.run("sleep", ["3600"], { ...options, acts: true });
  commands.stopAsking();
  expect(await asking).toMatchObject({ status: null });
  expect(await commands.run("true", [], options)).toMatchObject({
    status: null,
    stderr: "true: its engine is closed",
  });
  expect(await commands.run("true", [], { ...options, acts: true })).toMatchObject({ status: 0 });
  commands.stop();
  expect(await acting).toMatchObject({ status: null });
  expect(await commands.run("true", [], { ...options, acts: true })).toMatchObject({ status: null });
});
