import { createInterface } from "node:readline";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { finished, start } from "../cli/croft.fixture.ts";
import { TestFarm } from "./farm.fixture.ts";

it.each(["SIGTERM", "SIGKILL"] as const)(
  "what waits and follows goes on when the service is back after %s",
  async (signal) => {
    const farm = new TestFarm();
    await farm.serve();
    const go = join(farm.folder, "go");
    const program = `echo one; while [ ! -e ${go} ]; do sleep 0.1; done; echo two; exit 3`;
    await farm.croft("submit", "--", "sh", "-c", program);
    const begun = ["wait 1", "logs 1 --follow", "events --follow --json"].map((words) => {
      const [command, ...args] = words.split(" ");
      const child = start([command, "--socket", farm.socket, ...args], farm.folder);
      return { child, end: finished(child), lines: createInterface({ input: child.stdout! }) };
    });
    const [wait, logs, events] = begun;
    const kinds: string[] = [];
    events.lines.on("line", (text) => kinds.push((JSON.parse(text) as { kind: string }).kind));
    const first = new Promise((resolve) => logs.lines.once("line", resolve));
    await first;
    // Something that all of them have seen.
    await expect
      .poll(
        async () => {
          await farm.croft("submit", "--", "true");
          return kinds;
        },
        { timeout: 60_000 },
      )
      .toContain("submitted");
    const hasHeard = new Promise((resolve) => wait.child.stderr!.once("data", resolve));
    await farm.kill(signal);
    await hasHeard;
    await farm.serve();
    writeFileSync(go, "");
    expect(await wait.end).toMatchObject({ status: 3 });
    expect(await logs.end).toMatchObject({ status: 0, stdout: "one\ntwo\n" });
    await expect.poll(() => kinds, { timeout: 60_000 }).toContain("started-farm");
    await expect.poll(() => kinds, { timeout: 60_000 }).toContain("failed");
    expect(kinds.filter((kind) => kind === "started-farm")).toHaveLength(1);
    events.child.kill("SIGINT");
    for (const { end } of [wait, events])
      expect((await end).stderr.match(/the farm is away/g)).toHaveLength(1);
  },
);

it("a farm that was never there is not waited for", async () => {
  const farm = new TestFarm();
  const none = await farm.croft("wait", "1");
  expect(none).toMatchObject({ status: 110, stderr: expect.stringContaining("no farm answers at") });
});

it("logs --follow tells the attempts of a job one after the other", async () => {
  const farm = new TestFarm();
  await farm.serve();
  const program = 'echo "attempt $CROFT_JOB_ATTEMPT"; exit 1';
  await farm.croft("submit", "--retries", "2", "--hold", "--", "sh", "-c", program);
  const following = farm.croft("logs", "1", "--follow");
  await farm.croft("release", "1");
  expect((await following).stdout).toBe("attempt 1\nattempt 2\nattempt 3\n");
});
