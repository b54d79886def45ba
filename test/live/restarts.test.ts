import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, it, onTestFinished } from "vitest";

import type { EventView } from "../../src/live/store/job-views.ts";
import { TestFarm } from "./farm.fixture.ts";

const page = readFileSync(fileURLToPath(new URL("../../docs/live/serve.md", import.meta.url)), "utf8");
const [, section = ""] = page.split("## Jobs that start again elsewhere\n");
const blocks = [...section.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language, text]) => ({
  language,
  text,
}));

it("shows what the documentation's example of jobs that start again elsewhere says", async () => {
  const [yaml, shell, expected] = blocks;
  expect([yaml.language, shell.language, expected.language]).toEqual(["yaml", "sh", ""]);
  const folder = mkdtempSync(join(tmpdir(), "croft-restarts-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "two-pools.yaml");
  writeFileSync(file, yaml.text);
  // The test may be run by root, whose jobs are allowed only if that is said.
  const farm = new TestFarm(["--farm", file, "--allow-root"]);
  await farm.serve();
  const submits = [...shell.text.matchAll(/^croft (submit .*?) *#/gm)].map(([, words]) => words.split(/ +/));
  expect(submits).toHaveLength(3);
  // They are cancelled at the end, however busy the machine is.
  const longer = (word: string): string => (word === "60" ? "600" : word);
  for (const [job, [command, ...args]] of submits.entries()) {
    expect(await farm.croft(command, ...args.map(longer))).toMatchObject({
      status: 0,
      stdout: `${job + 1}\n`,
    });
    // As somebody types them: each is running, or waits, before the next one comes.
    await expect
      .poll(() => told(farm), { timeout: 60_000 })
      .toContain(
        [`started     job 1  on vm of north`, `started     job 1  on vm of south`, "submitted   job 3"][job],
      );
  }
  const lines = expected.text.trimEnd().split("\n");
  // Events of two jobs can change places; those of each job cannot. Jobs may end before they are cancelled here.
  for (const job of [1, 2, 3]) {
    const ofJob = (line: string): boolean => line.includes(`  job ${job}`);
    const wanted = lines.filter(ofJob);
    await expect
      .poll(async () => (await told(farm)).filter(ofJob).slice(1, wanted.length + 1), { timeout: 120_000 })
      .toEqual(wanted);
  }
  const listed = (await farm.croft("jobs")).stdout;
  expect(listed).toMatch(/^ +1 .* south\//m);
  expect((await farm.croft("job", "1")).stdout).toMatch(
    /^attempt 1 +over on .* of north\nattempt 2 +running on .* of south$/m,
  );
  await farm.croft("cancel", "1", "3");
});

/** What has happened to jobs, as the documentation has it: this machine is called vm there. */
async function told({ client }: TestFarm): Promise<string[]> {
  const events = await client.get<EventView[]>("/v1/events");
  return events
    .filter(({ job }) => job !== null)
    .map(({ kind, job, text }) =>
      `${kind.padEnd(10)}  job ${job}  ${text}`.replace(/on \S+ of/, "on vm of").trimEnd(),
    );
}
