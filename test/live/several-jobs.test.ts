import { expect, it } from "vitest";

import { TestFarm } from "./farm.fixture.ts";

it("tells of several jobs, and shows what each has printed under its number", async () => {
  const farm = new TestFarm();
  await farm.serve();
  await farm.croft("submit", "--array", "1-2", "--", "sh", "-c", 'echo "out $CROFT_JOB_INDEX"');
  await farm.croft("submit", "--output", "own", "--", "printf", "no line end");
  await farm.croft("wait", "1-3");
  expect(await farm.croft("logs", "1-2")).toMatchObject({
    status: 0,
    stdout: "==> job 1 <==\nout 1\n\n==> job 2 <==\nout 2\n",
  });
  expect(await farm.croft("logs", "3", "9", "1")).toMatchObject({
    status: 111,
    stdout: "==> job 3 <==\nno line end\n==> job 9 <==\n\n==> job 1 <==\nout 1\n",
    stderr: "croft: there is no job 9\n",
  });
  // Of jobs that are there all is told, whatever is not.
  for (const command of ["job", "when"]) {
    const { status, stdout, stderr } = await farm.croft(command, "9", "3", "1");
    expect({ status, stderr }).toEqual({ status: 111, stderr: "croft: there is no job 9\n" });
    expect(stdout).toMatch(/3 (.|\n)*\n\n.* 1 /);
    const json = await farm.croft(command, "--json", "9", "3");
    expect(JSON.parse(json.stdout)).toHaveLength(1);
    expect(await farm.croft(command, "--json", "9")).toMatchObject({ status: 111, stdout: "" });
  }
  expect(await farm.croft("logs", "1")).toMatchObject({ status: 0, stdout: "out 1\n" });
  expect(await farm.croft("logs", "--follow", "1-2")).toMatchObject({
    status: 2,
    stdout: "",
    stderr: expect.stringContaining("--follow is of one job"),
  });
});
