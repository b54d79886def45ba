import { spawn, spawnSync } from "node:child_process";

import { expect, inject, it } from "vitest";

import type { JobView } from "../../src/live/store/job-views.ts";
import { finished, type Finished } from "../cli/croft.fixture.ts";
import { TestFarm } from "./farm.fixture.ts";

async function statesOf({ client }: TestFarm): Promise<string[]> {
  return (await client.get<JobView[]>("/v1/jobs")).map(({ state }) => state);
}

it("does to all jobs of a choice what a command does to those that are named", async () => {
  const farm = new TestFarm();
  await farm.serve();
  await farm.croft("submit", "--hold", "--name", "sim-1", "--tag", "run=1", "--", "true");
  await farm.croft("submit", "--hold", "--name", "other", "--", "true");
  await farm.croft("submit", "--hold", "--name", "sim-2", "--array", "1-3", "--", "true");

  // Nobody can be asked here.
  const unasked = await farm.croft("cancel", "--name", "sim*");
  expect(unasked).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("to cancel 4 jobs is not done without --yes") as string,
  });
  expect(await statesOf(farm)).toEqual(Array.from({ length: 5 }, () => "held"));

  expect(
    await farm.croft("change", "--name", "sim*", "--in-pool", "local", "--priority", "20", "--yes"),
  ).toMatchObject({ status: 0, stderr: "croft: change: 4 jobs\n" });
  expect(await farm.client.get("/v1/jobs/1")).toMatchObject({ priority: 20 });
  expect(await farm.client.get("/v1/jobs/2")).toMatchObject({ priority: 50 });
  expect(await farm.croft("cancel", "--array", "4", "--yes")).toMatchObject({
    status: 0,
    stderr: "croft: cancel: 3 jobs\n",
  });
  expect(await farm.croft("cancel", "--tag", "run=1", "--state", "held", "--yes", "--json")).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('"done": 1') as string,
  });
  expect(await statesOf(farm)).toEqual(["cancelled", "held", "cancelled", "cancelled", "cancelled"]);
  expect(await farm.croft("cancel", "--name", "sim*", "--yes")).toMatchObject({
    stderr: "croft: cancel: 0 jobs\n",
  });

  // Of an array it is an array again.
  const again = await farm.croft("rerun", "--array", "3", "--state", "cancelled", "--yes");
  expect(again).toMatchObject({ status: 0, stdout: "6-8\n" });
  expect(await farm.client.get("/v1/jobs/8")).toMatchObject({ array: { first: 6, index: 3 }, name: "sim-2" });
  expect(await farm.croft("wait", "--array", "6")).toMatchObject({ status: 0 });

  const shown = await farm.croft("job", "--tag", "run=1", "--json");
  expect(JSON.parse(shown.stdout)).toMatchObject([{ number: 1, name: "sim-1" }]);
  await farm.croft(
    "submit",
    "--name",
    "says",
    "--array",
    "1-2",
    "--wait",
    "--",
    "printenv",
    "CROFT_JOB_INDEX",
  );
  expect((await farm.croft("logs", "--name", "says")).stdout).toBe("==> job 9 <==\n1\n\n==> job 10 <==\n2\n");
  expect(await farm.croft("logs", "--name", "nobody")).toMatchObject({
    status: 111,
    stderr: "croft: no job is of that choice\n",
  });
});

it("submits again, and changes, what is named by numbers, in one request", async () => {
  const farm = new TestFarm(["--allow-root"]);
  await farm.serve();
  await farm.croft("submit", "--name", "a", "--", "true");
  await farm.croft("submit", "--name", "b", "--", "false");
  await farm.croft("wait", "1-2");
  const again = await farm.croft("rerun", "2", "99", "1");
  expect(again).toMatchObject({ status: 111, stderr: "croft: there is no job 99\n" });
  const numbers = again.stdout.trim().split("\n").map(Number);
  expect(numbers.toSorted((a, b) => a - b)).toEqual([3, 4]);
  const names = await Promise.all(
    numbers.map(async (number) => (await farm.client.get<{ name: string }>(`/v1/jobs/${number}`)).name),
  );
  expect(names).toEqual(["b", "a"]);
  await farm.croft("submit", "--hold", "--array", "1-3", "--", "true");
  const changed = await farm.croft("change", "5-8", "--priority", "7", "--json");
  expect([changed.status, changed.stderr]).toEqual([111, "croft: there is no job 8\n"]);
  expect(JSON.parse(changed.stdout)).toMatchObject([5, 6, 7].map((number) => ({ number, priority: 7 })));
});

it("submits again what has failed", async () => {
  const farm = new TestFarm(["--allow-root"]);
  await farm.serve();
  await farm.croft("submit", "--array", "1-4", "--wait", "--", "sh", "-c", "exit $((CROFT_JOB_INDEX % 2))");
  const again = await farm.croft("rerun", "--failed", "--yes");
  expect(again).toMatchObject({ status: 0, stdout: "5-6\n" });
  await farm.croft("wait", "5-6");
  expect(await farm.client.get("/v1/jobs/6")).toMatchObject({
    state: "failed",
    array: { first: 5, index: 3 },
    rerunOf: 3,
  });
  // The two have failed again; the first two are not run a third time.
  const more = await farm.croft("rerun", "--failed", "--yes");
  expect(more).toMatchObject({
    status: 0,
    stdout: "7-8\n",
    stderr: "croft: rerun: 2 jobs, without 2 that were rerun before (by their numbers they run once more)\n",
  });
  await farm.croft("wait", "7-8");
  await farm.kill("SIGKILL");
  await farm.serve();
  expect(await farm.croft("rerun", "--array", "1", "--state", "failed", "--yes")).toMatchObject({
    status: 0,
    stdout: "",
    stderr: expect.stringContaining("rerun: 0 jobs, without 2 that were rerun before") as string,
  });
  expect(await farm.croft("rerun", "3", "--json")).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('"number": 9') as string,
  });
});

it("submits again by one key the same, and of two requests at once one", async () => {
  const farm = new TestFarm(["--allow-root"]);
  await farm.serve();
  await farm.croft("submit", "--wait", "--", "false");
  await farm.croft("submit", "--wait", "--name", "other", "--", "false");
  const path = "/v1/job-selections/rerun";
  const rerun = (name: string, key: string): Promise<unknown> =>
    farm.client.send("POST", path, { name, states: ["failed"] }, { "idempotency-key": key });
  await farm.croft("pause");
  const first = await rerun("false", "a");
  expect(first).toMatchObject({ done: 1, rerunBefore: 0, submitted: [{ first: 3, last: 3 }] });
  // The answer was lost: it is asked for again.
  expect(await rerun("false", "a")).toEqual(first);
  expect(await rerun("false", "b")).toMatchObject({ selected: 0, done: 0, rerunBefore: 1, submitted: [] });
  const both = await Promise.all([rerun("other", "c"), rerun("other", "d")]);
  expect(both).toMatchObject([
    { done: 1, submitted: [{ first: 4, last: 4 }] },
    { done: 0, rerunBefore: 1 },
  ]);
});

it("refuses a choice that is none, or that cannot be meant, and says what would be one", async () => {
  const farm = new TestFarm();
  await farm.serve();
  await farm.croft("submit", "--hold", "--", "true");
  const refused = async (words: string, ...[verb, ...args]: [string, ...string[]]): Promise<void> => {
    expect(await farm.croft(verb, ...args)).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining(words) as string,
    });
  };
  await refused("say which jobs", "cancel");
  await refused("say which jobs", "wait");
  await refused("say which jobs", "cancel", "--yes");
  await refused("not both", "hold", "1", "--user", "ann");
  await refused("leave it out", "cancel", "1", "--yes");
  await refused("hold is for jobs that are waiting, held", "hold", "--state", "running", "--yes");
  await refused("release is for jobs that are held", "release", "--state", "waiting", "--yes");
  expect(await statesOf(farm)).toEqual(["held"]);
  expect(await farm.croft("cancel", "--user", "nobody-else")).toMatchObject({
    status: 0,
    stderr: "croft: no job is of that choice\n",
  });
});

const hasTerminals = spawnSync("script", ["--version"]).status === 0;

it.runIf(hasTerminals)(
  `asks on a terminal, and does nothing unless it is told to${hasTerminals ? "" : ": script is missing"}`,
  async () => {
    const farm = new TestFarm();
    await farm.serve();
    await farm.croft("submit", "--hold", "--array", "1-3", "--", "true");
    const answered = async (answer: string): Promise<string> => (await typed(`${answer}\n`)).stdout;
    const typed = async (keys: string): Promise<Finished> => {
      const words = [
        process.execPath,
        inject("cliBundle"),
        "cancel",
        "--socket",
        farm.socket,
        "--name",
        "true",
      ];
      const child = spawn("script", ["-qec", words.join(" "), "/dev/null"], {
        stdio: ["pipe", "pipe", "pipe"],
      });
      child.stdout.on("data", (text) => String(text).includes("[y/N]") && child.stdin.end(keys));
      const end = await finished(child);
      expect(end.stdout).toContain("cancel 3 jobs? [y/N]");
      return end;
    };
    for (const no of ["n", "", "yesterday"]) expect(await answered(no)).toContain("nothing was done");
    const interrupted = await typed("\u0003");
    expect(interrupted.status).toBe(130);
    expect(interrupted.stdout).toMatch(/\[y\/N\][^a-z]*$/);
    const closed = await typed("\u0004");
    expect(closed.status).toBe(112);
    expect(closed.stdout).toMatch(/\[y\/N\][^a-z]*\s+croft: nothing was done\s*$/);
    expect(await statesOf(farm)).toEqual(["held", "held", "held"]);
    expect(await answered("y")).toContain("cancel: 3 jobs");
    expect(await statesOf(farm)).toEqual(["cancelled", "cancelled", "cancelled"]);
  },
);
