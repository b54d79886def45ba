import { expect, it } from "vitest";

import { MemoryDisk } from "../system/memory-disk.fixture.ts";
import { VirtualClock } from "../system/virtual-clock.fixture.ts";
import type { Commands, Ran } from "../system/commands.ts";
import { SlurmEngine } from "./engine.ts";
import { readSettings } from "./settings.ts";

/** How long its commands take to answer. Slurm's own give up later than a farm with other pools can wait. */
const ANSWER_SECONDS = 55;

it("a controller that does not answer does not keep the farm from starting", async () => {
  const clock = new VirtualClock();
  const disk = new MemoryDisk(clock);
  const answer = (program: string, args: readonly string[]): Ran => ({
    status: 0,
    stdout:
      program === "squeue" ? "" : args[1] === "config" ? "BOOT_TIME = now\n" : "No nodes in the system\n",
    stderr: "",
  });
  const commands: Commands = {
    run: (program, args) =>
      args[0] === "--version"
        ? Promise.resolve({ status: 0, stdout: "slurm 24.05", stderr: "" })
        : new Promise((resolve) => clock.after(ANSWER_SECONDS, () => resolve(answer(program, args)))),
  };
  const engine = new SlurmEngine(readSettings({}), { clock, disk, commands, folder: "/engine" });
  const opened = engine.open(() => undefined);
  let isOpen = false;
  void opened.then(() => (isOpen = true));
  await clock.pass(20);
  expect(isOpen).toBe(true);
  expect(await engine.list()).toMatchObject({
    kind: "unreachable",
    reason: "squeue has not answered for 15 s",
  });
  await clock.pass(ANSWER_SECONDS);
  expect(await engine.list()).toMatchObject({ kind: "listing", attempts: [] });
  const closed = engine.close();
  await clock.pass(10 * ANSWER_SECONDS);
  await closed;
});

it("a controller whose nodes were never seen is not reached, though it tells of its queue", async () => {
  const clock = new VirtualClock();
  const disk = new MemoryDisk(clock);
  let tellsNodes = false;
  const done = { status: 0, stdout: "", stderr: "" };
  const commands: Commands = {
    run: async (program, args) => {
      if (program === "squeue") return done;
      if (args[1] === "config") return { ...done, stdout: "BOOT_TIME = now\n" };
      return tellsNodes
        ? { ...done, stdout: "NodeName=n1 CPUTot=4 RealMemory=4000 State=IDLE Partitions=batch\n" }
        : { status: 1, stdout: "", stderr: "slurm_load_node: Socket timed out on send/recv operation" };
    },
  };
  const engine = new SlurmEngine(readSettings({}), { clock, disk, commands, folder: "/engine" });
  await engine.open(() => undefined);
  expect(await engine.list()).toMatchObject({
    kind: "unreachable",
    reason: "slurm_load_node: Socket timed out on send/recv operation",
  });
  tellsNodes = true;
  await clock.pass(10);
  expect(await engine.list()).toMatchObject({ kind: "listing" });
  expect(engine.machines()).toMatchObject([{ name: "n1" }]);
  await engine.close();
});

it.each([
  ["a question", "squeue", 0],
  ["a submission", "sbatch", 5],
])("%s that hangs keeps the farm from ending for no more than a few seconds", async (_, hanging, seconds) => {
  const clock = new VirtualClock();
  const disk = new MemoryDisk(clock);
  const asked: string[] = [];
  let hangs = false;
  const answers: Readonly<Record<string, string>> = {
    config: "BOOT_TIME = now\n",
    show: "NodeName=n1 CPUTot=4 RealMemory=4000 State=IDLE Partitions=batch\n",
  };
  const commands: Commands = {
    run: (program, args, { signal }) =>
      new Promise((resolve) => {
        asked.push(program);
        const ended = { status: null, stdout: "", stderr: "The operation was aborted" };
        if (hangs && program === hanging) signal!.addEventListener("abort", () => resolve(ended));
        else resolve({ status: 0, stdout: answers[args[1]] ?? "", stderr: "" });
      }),
  };
  const engine = new SlurmEngine(readSettings({ allowRoot: true }), {
    clock,
    disk,
    commands,
    folder: "/engine",
  });
  await engine.open(() => undefined);
  hangs = true;
  asked.length = 0;
  const id = { job: "01890000-0000-7000-8000-000000000000", attempt: 1 };
  engine.start({
    id,
    placement: [{ machine: "n1", coresMilli: 1000, memoryMiB: 16, gpuMilli: 0 }],
    command: ["true"],
    directory: "/",
    environment: {},
    user: null,
    stdoutPath: null,
    stderrPath: null,
    limits: { memoryMiB: null, coresMilli: null, seconds: null, graceSeconds: 5 },
  });
  await clock.pass(10);
  expect(asked).toContain(hanging);
  let isClosed = false;
  void engine.close().then(() => (isClosed = true));
  await clock.pass(0);
  expect(isClosed).toBe(seconds === 0);
  await clock.pass(seconds);
  expect(isClosed).toBe(true);
});
