import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import type { JobView } from "../../src/live/store/job-views.ts";
import { finished, start } from "../cli/croft.fixture.ts";
import { TestFarm } from "./farm.fixture.ts";

it("submits all jobs of a file at once, or none of them", async () => {
  const farm = new TestFarm();
  await farm.serve();
  const file = join(farm.folder, "jobs.jsonl");
  writeFileSync(file, '{"command": ["true"]}\n{"command": ["sh", "-c", "exit 4"], "name": "two"}\n');
  const submitted = await farm.croft("submit", "--file", file, "--name", "any");
  expect(submitted).toMatchObject({ status: 0, stdout: "1-2\n", stderr: "" });
  expect(await farm.client.get("/v1/jobs/2?wait=60")).toMatchObject({ state: "failed", exitStatus: 4 });
  const jobs = await farm.client.get<JobView[]>("/v1/jobs");
  expect(jobs.map(({ name }) => name)).toEqual(["any", "two"]);
  expect(jobs.map(({ directory }) => directory)).toEqual([farm.folder, farm.folder]);

  writeFileSync(file, '{"command": ["true"]}\n{"command": ["true"], "pool": "none"}\n');
  const refused = await farm.croft("submit", "--file", file);
  expect(refused).toMatchObject({ status: 112, stdout: "" });
  expect(refused.stderr).toBe(`croft: ${file}:2: there is no pool "none": there are local, default\n`);
  writeFileSync(file, '{"command": ["true"], "pool": "none"}\n');
  expect(await farm.croft("submit", "--file", file)).toMatchObject({ status: 112, stdout: "" });
  expect(await farm.client.get<JobView[]>("/v1/jobs")).toHaveLength(2);

  const piped = start(["submit", "--socket", farm.socket, "--file", "-", "--json"], farm.folder, "pipe");
  piped.stdin!.end('{"command": ["true"]}\n');
  expect(JSON.parse((await finished(piped)).stdout)).toMatchObject({ jobs: [{ number: 3 }] });
});

it("gives out the licences of its farm file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "croft-licences-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "farm.yaml");
  writeFileSync(file, "pools: [{ name: here, licences: { matlab: 2 } }]\n");
  const farm = new TestFarm(["--farm", file, "--allow-root"]);
  await farm.serve();
  expect(await farm.croft("submit", "--licences", "matlab=2", "--", "sleep", "60")).toMatchObject({
    status: 0,
  });
  expect(await farm.croft("submit", "--licences", "matlab", "--", "true")).toMatchObject({ status: 0 });
  expect((await farm.croft("job", "1")).stdout).toContain("licences matlab=2");
  const why = await farm.croft("explain", "2");
  expect(why.stdout).toContain("it asks for 1 of the licence matlab, of which 2 of 2 are in use");
  const unknown = await farm.croft("submit", "--licences", "matlap", "--", "true");
  expect(unknown).toMatchObject({
    status: 112,
    stderr: 'croft: no pool has the licence "matlap": there are matlab\n',
  });
  expect(await farm.croft("cancel", "1")).toMatchObject({ status: 0 });
  expect(await farm.client.get("/v1/jobs/2?wait=60")).toMatchObject({ state: "ended", licences: "matlab" });
});

it("says what to run, and where to watch", async () => {
  const farm = new TestFarm();
  expect((await farm.croft("submit")).stderr).toContain("say what to run: croft submit -- ./run.sh 17");
  expect((await farm.croft("submit", "--file", "x", "--", "true")).stderr).toContain("leave the command out");
  const watched = await farm.croft("jobs", "--watch");
  expect(watched).toMatchObject({ status: 2, stdout: "" });
  expect(watched.stderr).toContain("--watch draws on a terminal; croft events --follow");
});
