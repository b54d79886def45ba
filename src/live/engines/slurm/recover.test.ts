import { expect, it } from "vitest";

import { NO_LIMITS } from "../limits.ts";
import { MemoryDisk } from "../system/memory-disk.fixture.ts";
import { VirtualClock } from "../system/virtual-clock.fixture.ts";
import { launchFile } from "../wrapper/launch-file.ts";
import type { SlurmAttempt } from "./attempt.ts";
import { decide } from "./decide.ts";
import { recover } from "./recover.ts";

it("an attempt that is ended is not asked at once, as the engine before may just have resumed it", async () => {
  const clock = new VirtualClock();
  const disk = new MemoryDisk(clock);
  const key = "11111111-1111-4111-8111-111111111111.1";
  const folder = `/state/attempts/${key}`;
  const request = {
    id: { job: key.slice(0, -2), attempt: 1 },
    placement: [],
    user: null,
    limits: NO_LIMITS,
    command: ["job"],
    directory: "/",
    environment: {},
    stdoutPath: null,
    stderrPath: null,
  };
  const note = { placement: [], limits: NO_LIMITS, user: null };
  await disk.createIn(folder, "launch", launchFile(request, {}, JSON.stringify(note)));
  await disk.create(`${folder}/start`, "croft-start-1 1 1 0-0 1.00 7 n1\n");
  await disk.create(`${folder}/ending`, "asked\n");
  const attempts = new Map<string, SlurmAttempt>();
  expect(await recover({ disk, clock, attempts, folder: "/state" })).toEqual([]);
  const step = (): string => {
    const job = {
      id: "7",
      name: key,
      state: "RUNNING",
      reason: "",
      nodes: "n1",
      usedSeconds: 1,
      comment: "",
      uid: 0,
    };
    const view = {
      now: clock.monotonicSeconds(),
      attempt: attempts.get(key)!,
      jobs: [job],
      start: null,
      exit: null,
      wasStartedAgain: false,
      areMachinesUp: true,
      registeredSince: 0,
    };
    return decide(view, { startSeconds: 60, lostSeconds: 60 }).do;
  };
  expect(step()).toBe("wait");
  await clock.pass(3);
  expect(step()).toBe("terminate");
});
