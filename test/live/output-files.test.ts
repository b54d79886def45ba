import { once } from "node:events";
import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";

import { expect, it } from "vitest";

import { finished } from "../cli/croft.fixture.ts";
import { TestFarm } from "./farm.fixture.ts";

it("jobs and attempts that write to one file lose nothing, and logs tells each its own", async () => {
  const farm = new TestFarm();
  await farm.serve();
  const out = join(farm.folder, "out");
  const logs = async (...args: string[]): Promise<string> => (await farm.croft("logs", ...args)).stdout;
  const print = (text: string): string[] => [
    "--",
    "sh",
    "-c",
    `printf '${text} %s' "$CROFT_JOB_ATTEMPT"; exit 1`,
  ];
  await farm.croft("submit", "--output", out, "--retries", "1", "--hold", ...print("one"));
  const early = await farm.croft("submit", "--output", out, "--hold", ...print("two"));
  expect(early).toMatchObject({
    status: 112,
    stderr: expect.stringContaining("job 1 is not over and writes to"),
  });
  await farm.croft("release", "1");
  await farm.croft("wait", "1");
  await farm.croft("submit", "--output", out, ...print("two"));
  await farm.croft("wait", "2");
  await farm.croft("rerun", "2");
  await farm.croft("wait", "3");
  const heading = (job: number, attempt: number): RegExp =>
    new RegExp(`\n==== croft: job ${job}, attempt ${attempt}, .*Z ====\n`);
  const parts = readFileSync(out, "utf8").split(/\n==== .* ====\n/);
  expect(parts).toEqual(["one 1", "one 2", "two 1", "two 1"]);
  for (const each of [heading(1, 2), heading(2, 1), heading(3, 1)])
    expect(readFileSync(out, "utf8")).toMatch(each);
  expect(await logs("1")).toBe("one 2");
  expect(await logs("1", "--attempt", "1")).toBe("one 1");
  expect(await logs("2")).toBe("two 1");
  expect(await logs("3")).toBe("two 1");
});

it("logs follows what a job writes to a file of its own, of all attempts, and says that it was emptied", async () => {
  const farm = new TestFarm();
  await farm.serve();
  const go = join(farm.folder, "go");
  const script = `echo "one $CROFT_JOB_ATTEMPT"; until [ -e ${go} ]; do sleep 0.05; done; echo two; exit 1`;
  const submit = (...args: string[]) => farm.croft("submit", ...args, "--", "sh", "-c", script);
  await submit("--output", "out", "--retries", "1");
  const following = farm.begin("croft logs 1 --follow");
  const end = finished(following);
  const [begun] = await Promise.race([
    once(following.stdout!, "data"),
    end.then(({ stderr }) => Promise.reject(new Error(stderr))),
  ]);
  expect(String(begun)).toBe("one 1\n");
  writeFileSync(go, "");
  expect(await end).toMatchObject({ status: 0, stdout: "one 1\ntwo\none 2\ntwo\n" });
  // One that is over, and one attempt.
  expect((await farm.croft("logs", "1", "--follow")).stdout).toBe("one 2\ntwo\n");
  expect((await farm.croft("logs", "1", "--follow", "--attempt", "1")).stdout).toBe("one 1\ntwo\n");
  await submit("--output", "emptied");
  await farm.croft("wait", "2");
  truncateSync(join(farm.folder, "emptied"));
  for (const args of [[], ["--follow"]])
    expect(await farm.croft("logs", "2", ...args)).toMatchObject({
      status: 112,
      stdout: "",
      stderr: expect.stringContaining("this file was emptied since attempt 1 of job 2 made it"),
    });
  // The others are shown all the same.
  const all = await farm.croft("logs", "2", "1");
  expect([all.status, all.stdout]).toEqual([112, "==> job 2 <==\n\n==> job 1 <==\none 2\ntwo\n"]);
});

it("each job and attempt has a file of its own by the signs in its name, in folders that are made", async () => {
  const farm = new TestFarm(["--allow-root"]);
  await farm.serve();
  const logs = async (...args: string[]): Promise<string> => (await farm.croft("logs", ...args)).stdout;
  const submit = (...args: string[]) =>
    farm.croft("submit", "--cores", "1", "--retries", "1", "--name", "a/b", ...args, "--", "sh", "-c", print);
  const print = 'echo "$CROFT_JOB_NUMBER $CROFT_JOB_ATTEMPT"; exit 1';
  expect(
    await submit("--output", "new/%x/%u/%A.%a.%j.%t.%%", "--make-folders", "--array", "4-5"),
  ).toMatchObject({ status: 0, stdout: "1-2\n" });
  await farm.croft("wait", "1-2");
  const folder = join(farm.folder, "new", "a_b", userInfo().username);
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  expect(readdirSync(folder).sort()).toEqual(["1.4.1.1.%", "1.4.1.2.%", "1.5.2.1.%", "1.5.2.2.%"]);
  expect(read("1.5.2.2.%")).toBe("2 2\n");
  expect(await logs("1", "--attempt", "1")).toBe("1 1\n");
  expect(await logs("2")).toBe("2 2\n");
  await farm.croft("rerun", "2");
  await farm.croft("wait", "3");
  expect(read("3.5.3.1.%")).toBe("3 1\n");
  // As qsub has it.
  const refused = await submit("--output", "logs/");
  expect([refused.status, refused.stderr]).toEqual([
    112,
    expect.stringContaining('logs/" is a folder: name a'),
  ]);
  // Without the option a folder that is not there is an error in words.
  await submit("--output", "other/%j");
  const end = await farm.croft("wait", "4");
  expect(end).toMatchObject({
    status: 116,
    stderr: expect.stringContaining("its output cannot be written to"),
  });
  for (const [pattern, words] of [
    ["100%", '"%" in'],
    ["%q", '"%q" in'],
    ["%a", "is of an array"],
  ] as const) {
    const refused = await submit("--output", pattern);
    expect(refused).toMatchObject({ status: 112, stderr: expect.stringContaining(words) });
  }
});

it("a job's files have the umask of whoever submits it", async () => {
  const farm = new TestFarm();
  await farm.serve();
  await farm.client.send("POST", "/v1/jobs", { command: ["sh", "-c", "umask"], umask: "027" });
  await farm.croft("wait", "1");
  expect((await farm.croft("logs", "1")).stdout).toBe("0027\n");
});

it("a job has the soft limits of whoever submits it", async () => {
  const farm = new TestFarm();
  await farm.serve();
  const submit = (limits: string): Promise<unknown> =>
    // A shell that is not left for its last command, so that its limit of open files can be seen.
    farm.shell(`ulimit -S ${limits}; croft submit --wait -- sh -c 'ulimit -Sn; ulimit -Sf'; true`);
  await submit("-n 100");
  await submit("-n 200 && ulimit -S -f 4096");
  expect((await farm.croft("logs", "1")).stdout).toBe("100\nunlimited\n");
  expect((await farm.croft("logs", "2")).stdout).toBe("200\n4096\n");
});
