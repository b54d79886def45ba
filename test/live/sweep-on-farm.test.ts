import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { busyLog, croftIn, finished, start, temporaryFolder } from "../cli/croft.fixture.ts";
import { croftIsAfter, farmOf, filesIn, jobsOf } from "./on-farm.fixture.ts";

const folder = temporaryFolder();
const croft = croftIn(folder);
writeFileSync(join(folder, "cluster.csv"), busyLog(50));
// Four runs of the log, of which nothing is drawn, and four of what is generated.
writeFileSync(
  join(folder, "study.yaml"),
  `logs:
  - { name: cluster, file: cluster.csv, machines: 2x8c32g }
  - { generate: netbatch-b, jobs: 50, machines: 4x8c32g }
policies: [easy, fcfs]
loads: [log, 0.9]
seeds: [1]
`,
);
const UNITS = 8;
writeFileSync(
  join(folder, "one.yaml"),
  "logs: [{ file: cluster.csv, machines: 2x8c32g }]\npolicies: [easy]\n",
);

const local = croft("sweep", "study.yaml", "--out", "local", "--threads", "1");

async function expectAsLocal(out: string): Promise<void> {
  expect((await local).status).toBe(0);
  expect(filesIn(join(folder, out))).toEqual(filesIn(join(folder, "local")));
}

const croftAfter = (name: string, script: string): string => croftIsAfter(folder, name, script);

it("gives the bytes of a local run", async () => {
  const farm = farmOf();
  await farm.serve();
  const made = await croft("sweep", "study.yaml", "--out", "on", "--on", farm.socket, "--memory", "1G");
  expect([made.status, made.stdout]).toEqual([0, (await local).stdout.replace("local/", "on/")]);
  await expectAsLocal("on");
  const jobs = await jobsOf(farm);
  expect(jobs.map(({ state, memoryMiB }) => [state, memoryMiB])).toEqual(
    Array.from({ length: UNITS }, () => ["ended", 1024]),
  );
  // Nothing is left to do.
  expect((await croft("sweep", "study.yaml", "--out", "on", "--on", farm.socket)).status).toBe(0);
  expect(await jobsOf(farm)).toHaveLength(UNITS);
});

it("sends what runs read to machines that do not see it, once", async () => {
  const farm = farmOf();
  await farm.serve();
  const [source, cache] = [join(folder, "source"), join(folder, "cache")];
  mkdirSync(join(source, "lists"), { recursive: true });
  writeFileSync(join(source, "cluster.csv"), busyLog(50));
  writeFileSync(
    join(source, "lists/nodes.txt"),
    "NODELIST CPUS MEMORY STATE\nn1 8 32768 idle\nn2 8 32768 idle\n",
  );
  writeFileSync(
    join(source, "farm.yaml"),
    "pools: [{ name: a, machines: [{ file: lists/nodes.txt }] }, { name: b, machines: [2x4c16g] }]\n",
  );
  writeFileSync(
    join(source, "sent.yaml"),
    `logs:
  - { name: relative, file: cluster.csv, machines: 2x8c32g }
  - { name: whole, file: ${join(source, "cluster.csv")}, farm: farm.yaml }
policies: [easy, fcfs]
`,
  );
  const here = await croft("sweep", "source/sent.yaml", "--out", "here");
  expect([here.status, here.stderr]).toEqual([0, expect.any(String)]);
  // The first run takes the folder away before it begins.
  const hides = `mv "${source}" "${source}-gone" 2>/dev/null; export XDG_CACHE_HOME="${cache}"`;
  const sent = ["--on", farm.socket, "--send", "--croft", croftAfter("hides", hides)];
  const made = await croft("sweep", "source/sent.yaml", "--out", "there", ...sent);
  expect([made.status, made.stderr]).toEqual([0, expect.stringContaining("bytes were sent to the farm")]);
  expect(filesIn(join(folder, "there"))).toEqual(filesIn(join(folder, "here")));
  // The plan, the log, the farm file and its list.
  expect(readdirSync(join(cache, "croft/files"))).toHaveLength(4);
  renameSync(`${source}-gone`, source);
  rmSync(join(folder, "there"), { recursive: true });
  const again = await croft("sweep", "source/sent.yaml", "--out", "there", ...sent);
  expect([again.status, again.stderr]).toEqual([0, expect.not.stringContaining("were sent")]);
});

it("makes a run again that was killed", async () => {
  const farm = farmOf();
  await farm.serve();
  mkdirSync(join(folder, "killed"));
  const once = `mkdir "${join(folder, "killed")}/$CROFT_JOB_INDEX" 2>/dev/null && kill -9 $$`;
  const made = await croft(
    "sweep",
    "study.yaml",
    "--out",
    "again",
    "--on",
    farm.socket,
    "--croft",
    croftAfter("killed-once", once),
  );
  expect([made.status, made.stderr]).toEqual([0, expect.not.stringContaining("croft: ")]);
  await expectAsLocal("again");
  expect(await jobsOf(farm)).toHaveLength(2 * UNITS);
});

it("gives up a run that is killed each time", async () => {
  const farm = farmOf();
  await farm.serve();
  const always = `test "$CROFT_JOB_INDEX" = 0 && kill -9 $$`;
  const { status, stderr } = await croft(
    "sweep",
    "one.yaml",
    "--out",
    "never",
    "--on",
    farm.socket,
    "--croft",
    croftAfter("killed-always", always),
  );
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining("was not made: it has failed: it ended with status 137"),
  ]);
  expect(await jobsOf(farm)).toHaveLength(3);
});

it.for(["SIGINT", "SIGKILL"] as const)(
  "takes up what goes on at the farm after %s, also when the service was killed meanwhile",
  async (signal) => {
    const farm = farmOf();
    await farm.serve();
    const out = `up-${signal}`;
    const gate = join(folder, `${out}-open`);
    // One task is let through; the others wait for the gate.
    const wait = `test "$CROFT_JOB_INDEX" = 0 || while ! [ -e "${gate}" ]; do sleep 0.1; done`;
    const args = ["sweep", "study.yaml", "--out", out, "--on", farm.socket, "--threads", "2"];
    const child = start([...args, "--croft", croftAfter(`${out}-croft`, wait)], folder);
    const end = finished(child);
    const units = join(folder, out, "units");
    const isKept = (): boolean =>
      existsSync(units) && readdirSync(units).some((name) => !name.startsWith("."));
    await expect.poll(isKept, { timeout: 300_000, interval: 50 }).toBe(true);
    child.kill(signal);
    const { status, stderr } = await end;
    if (signal === "SIGINT") {
      expect(status).toBe(130);
      expect(stderr).toContain(
        `croft: ${UNITS - 1} runs go on at the farm, to be taken up by the same command`,
      );
      expect(stderr).toContain(`croft cancel --tag sweep=${join(folder, out)} ends them`);
    }
    await farm.kill("SIGKILL");
    await farm.serve();
    const second = croft(...args);
    writeFileSync(gate, "");
    const { status: after, stderr: said } = await second;
    expect([after, said]).toEqual([
      0,
      expect.stringContaining(`${UNITS - 1} runs were sent to the farm before, and taken up\n`),
    ]);
    await expectAsLocal(out);
    // None was made twice.
    expect((await jobsOf(farm)).map(({ state, attempt }) => [state, attempt])).toEqual(
      Array.from({ length: UNITS }, () => ["ended", 1]),
    );
  },
);

it("waits for a farm that is started again", async () => {
  const farm = farmOf();
  await farm.serve();
  const gate = join(folder, "away-open");
  const wait = `test "$CROFT_JOB_INDEX" = 0 || while ! [ -e "${gate}" ]; do sleep 0.1; done`;
  const child = start(
    ["sweep", "study.yaml", "--out", "away", "--on", farm.socket, "--croft", croftAfter("away-croft", wait)],
    folder,
  );
  const end = finished(child);
  let said = "";
  child.stderr!.on("data", (text: string) => (said += text));
  const units = join(folder, "away/units");
  await expect
    .poll(() => existsSync(units) && readdirSync(units).length > 0, { timeout: 300_000, interval: 50 })
    .toBe(true);
  await farm.kill("SIGKILL");
  await expect.poll(() => said, { timeout: 300_000, interval: 50 }).toContain("the farm is away");
  await farm.serve();
  writeFileSync(gate, "");
  expect((await end).status).toBe(0);
  await expectAsLocal("away");
});

it("tells of a run that fails what it said, keeps the others, and makes it in the next call", async () => {
  const farm = farmOf();
  await farm.serve();
  const args = ["sweep", "study.yaml", "--out", "bad", "--on", farm.socket];
  const fails = `case $CROFT_JOB_INDEX in 2|5) echo "croft: no licence for you" >&2; exit 2;; esac`;
  const first = await croft(...args, "--croft", croftAfter("fails", fails));
  expect([first.status, first.stderr]).toEqual([
    2,
    expect.stringMatching(
      /croft: the run of \S+ on cluster was not made: no licence for you; so ended 1 more\. The others are kept: the same command makes what is left\n/,
    ),
  ]);
  expect(readdirSync(join(folder, "bad"))).toEqual(["units"]);
  expect(readdirSync(join(folder, "bad/units"))).toHaveLength(UNITS - 2);
  expect((await croft(...args)).status).toBe(0);
  await expectAsLocal("bad");
  expect(await jobsOf(farm)).toHaveLength(UNITS + 2);
});

it("makes again what was cancelled, or failed, while nobody waited", async () => {
  const farm = farmOf();
  await farm.serve();
  const args = ["sweep", "study.yaml", "--out", "cancelled", "--on", farm.socket, "--threads", "1"];
  const child = start([...args, "--croft", croftAfter("waits", "sleep 1000")], folder);
  const end = finished(child);
  await expect.poll(async () => (await jobsOf(farm)).length, { timeout: 300_000, interval: 50 }).toBe(UNITS);
  child.kill("SIGINT");
  await end;
  expect((await farm.croft("cancel", "--tag", `sweep=${join(folder, "cancelled")}`, "--yes")).status).toBe(0);
  await farm.croft("wait", `1-${UNITS}`);
  const second = await croft(...args);
  expect([second.status, second.stderr]).toEqual([0, expect.not.stringContaining("taken up")]);
  await expectAsLocal("cancelled");
});

it("leaves at another farm what was sent there, and says so", async () => {
  const [first, second] = [farmOf(), farmOf()];
  await first.serve();
  await second.serve();
  const args = ["sweep", "one.yaml", "--out", "moved"];
  const waits = croftAfter("waits-there", "sleep 1000");
  const child = start([...args, "--on", first.socket, "--croft", waits], folder);
  const end = finished(child);
  await expect.poll(async () => (await jobsOf(first)).length, { timeout: 300_000, interval: 50 }).toBe(1);
  child.kill("SIGKILL");
  await end;
  const { status, stderr } = await croft(...args, "--on", second.socket);
  expect([status, stderr]).toEqual([
    0,
    expect.stringContaining(`1 run was sent to ${first.socket}, and left there\n`),
  ]);
  expect((await jobsOf(second)).map(({ state }) => state)).toEqual(["ended"]);
  // Nothing is left to do, also for its own farm.
  expect((await croft(...args, "--on", first.socket)).status).toBe(0);
  expect(await first.client.get("/v1/jobs/1?wait=60")).toMatchObject({ state: "cancelled" });
  expect(readdirSync(join(folder, "moved")).sort()).not.toContain("on-farm");
});

it("sends smaller parts where the farm has limits, and tells what it refuses at all", async () => {
  const farm = farmOf('limits: { users: { "*": { waitingJobs: 4, jobsAtOnce: 3 } } }\n');
  await farm.serve();
  const args = ["sweep", "study.yaml", "--out", "limits", "--on", farm.socket];
  const made = await croft(...args);
  expect([made.status, made.stderr]).toEqual([
    0,
    expect.stringMatching(
      /^croft: .* limit of 3 jobs.*: the runs are sent in smaller parts, as there is room$/m,
    ),
  ]);
  await expectAsLocal("limits");
  rmSync(join(folder, "limits/units"), { recursive: true });
  const refused = await croft(...args, "--pool", "nowhere");
  expect([refused.status, refused.stderr]).toEqual([expect.any(Number), expect.stringContaining("nowhere")]);
  expect(refused.status).not.toBe(0);
  expect(existsSync(join(folder, "limits/on-farm"))).toBe(false);
});

it("makes nothing of another log than was sent, and says so", async () => {
  const farm = farmOf();
  await farm.serve();
  writeFileSync(join(folder, "moving.csv"), busyLog(20));
  writeFileSync(
    join(folder, "moving.yaml"),
    "logs: [{ file: moving.csv, machines: 2x8c32g }]\npolicies: [easy]\n",
  );
  const args = ["sweep", "moving.yaml", "--out", "moving", "--on", farm.socket];
  const changes = `echo 900,1,1,1,1,/p >>"${join(folder, "moving.csv")}"`;
  const { status, stderr } = await croft(...args, "--croft", croftAfter("changes", changes));
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining("moving: the log, or what it runs on, is not"),
  ]);
  expect((await croft(...args)).status).toBe(0);
});

it("refuses what belongs to a farm where there is none, and a farm that is not there", async () => {
  const bare = await croft("sweep", "study.yaml", "--out", "none", "--memory", "4G");
  expect([bare.status, bare.stderr]).toEqual([2, expect.stringContaining("--memory is for runs on a farm")]);
  const sent = await croft("sweep", "study.yaml", "--out", "none", "--send");
  expect([sent.status, sent.stderr]).toEqual([2, expect.stringContaining("--send is for runs on a farm")]);
  const gone = await croft("sweep", "study.yaml", "--out", "none", "--on", join(folder, "nobody"));
  expect([gone.status, gone.stderr]).toEqual([110, expect.stringContaining("no farm answers at ")]);
});
