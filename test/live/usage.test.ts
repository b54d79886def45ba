import { expect, it } from "vitest";

import { TestFarm } from "./farm.fixture.ts";

it("tells what was used, by whom, and how well", async () => {
  const farm = new TestFarm(["--allow-root"]);
  await farm.serve();
  expect((await farm.croft("usage")).stdout).toContain("nothing ran");
  await farm.croft("submit", "--wait", "--time", "100", "--memory", "100M", "--", "sleep", "0.3");
  const text = await farm.croft("usage", "--by", "pool", "--since", "1h");
  expect(text).toMatchObject({ status: 0 });
  expect(text.stdout).toMatch(/^pool +jobs +core-hours/m);
  expect(text.stdout).toMatch(/^local +1 /m);
  const { stdout } = await farm.croft("usage", "--json", "--since", "2026-01-01");
  expect(JSON.parse(stdout)).toMatchObject({
    by: "user",
    since: "2026-01-01T00:00:00.000Z",
    rows: [{ jobs: 1, runs: 1, runsEnded: 1, timeUsed: { known: 1 } }],
  });
  expect((await farm.croft("job", "1")).stdout).toMatch(/^used +.* of 1\.67 min$/m);
  for (const since of ["yesterday", "2026-02-30", "0"])
    expect(await farm.croft("usage", "--since", since)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("such as 12h or 7d, or a date, such as 2026-10-01") as string,
    });
  expect(await farm.croft("usage", "--by", "group")).toMatchObject({ status: 2 });
});
