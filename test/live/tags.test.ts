import { expect, it } from "vitest";

import { TestFarm } from "./farm.fixture.ts";

it("keeps a comment and tags with a job, and with those that it is submitted again as", async () => {
  const farm = new TestFarm();
  await farm.serve();
  const submit = (...args: string[]) => farm.croft("submit", "--hold", ...args, "--", "true");
  await submit("--comment", "first try", "--tag", "experiment=e17", "--tag", "note=a=b c");
  await farm.croft("rerun", "1");
  const tags = { experiment: "e17", note: "a=b c" };
  for (const number of [1, 2]) {
    expect(await farm.client.get(`/v1/jobs/${number}`)).toMatchObject({ comment: "first try", tags });
    const { stdout } = await farm.croft("job", String(number));
    expect(stdout).toMatch(/^comment +first try$/m);
    expect(stdout).toMatch(/^tag +experiment=e17\ntag +note=a=b c$/m);
  }
  await submit();
  expect(await farm.client.get("/v1/jobs/3")).toMatchObject({ comment: "", tags: {} });
});

it("refuses tags that are none, and says what they are", async () => {
  const farm = new TestFarm();
  await farm.serve();
  const refused = async (words: RegExp, ...args: string[]): Promise<void> => {
    const { status, stderr } = await farm.croft("submit", ...args, "--", "true");
    expect(status).toBe(2);
    expect(stderr).toMatch(words);
  };
  await refused(/Give a name and a value/, "--tag", "experiment");
  await refused(/Give a name and a value/, "--tag", "=17");
  await refused(/The tag "a" is given twice/, "--tag", "a=1", "--tag", "a=2");
  await refused(/1 to 63 letters, digits/, "--tag", "a b=1");
  await refused(/1 to 63 letters, digits/, "--tag", `${"k".repeat(64)}=1`);
  await refused(/at most 255 characters/, "--tag", `k=${"v".repeat(256)}`);
  await refused(/text in one line/, "--tag", "k=one\ntwo");
  await refused(/at most 16 fields/, ...Array.from({ length: 17 }, (_, at) => ["--tag", `k${at}=1`]).flat());
  await refused(/at most 1000 characters/, "--comment", "c".repeat(1001));
  expect(await farm.client.get("/v1/jobs")).toEqual([]);
});
