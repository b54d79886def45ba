import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { busyLog, croftIn, temporaryFolder } from "./croft.fixture.ts";

const folder = temporaryFolder();
const croft = croftIn(folder);
writeFileSync(join(folder, "busy.csv"), busyLog(300));
writeFileSync(join(folder, "odd.csv"), "queued_at,took,n\n0,10,1\n5,20,2\n");

/** The figures of a report: what measures the simulator, and how it was called, differ from run to run. */
function resultsIn(path: string): unknown {
  const {
    runs,
    command: _command,
    ...rest
  } = JSON.parse(readFileSync(join(folder, path, "results.json"), "utf8")) as {
    readonly runs: readonly Record<string, unknown>[];
    readonly command: string;
  };
  return {
    ...rest,
    runs: runs.map(({ simulationSeconds: _seconds, simulatedJobsPerSecond: _rate, ...run }) => run),
  };
}

function settings(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

describe("the settings of a run", () => {
  it("are saved beside its report, and make it again", async () => {
    const first = await croft(
      ["simulate", "busy.csv", "--machines", "8x8c32g", "--policy", "first-fit,easy", "--policy", "mix-fit"],
      ["--load=0.8", "--seed", "3", "--estimates", "1.5", "--warmup", "10m", "--quiet", "--out", "first"],
    );
    expect(first.status).toBe(0);
    expect(readFileSync(join(folder, "first/settings.yaml"), "utf8")).toMatch(
      /^# What a run of Croft \S+ was given\. In the same folder this makes it again:\n# croft simulate --config first\/settings\.yaml\nsimulate:\n {2}workload: busy\.csv\n {2}machines: 8x8c32g\n {2}policy:\n {4}- first-fit,easy\n {4}- mix-fit\n {2}load: 0\.8\n/,
    );
    const again = await croft("simulate", "--config", "first/settings.yaml", "--out", "again");
    expect([again.status, again.stdout]).toEqual([0, first.stdout.replace("first/", "again/")]);
    expect(again.stderr).toContain(
      "first/settings.yaml: workload, machines, policy, load, seed, estimates, warmup, quiet; the command line overrides: out\n",
    );
    expect(resultsIn("again")).toEqual(resultsIn("first"));
    const third = await croft("simulate", "--config", "again/settings.yaml", "--out", "first");
    expect(third.status).toBe(0);
    expect(resultsIn("first")).toEqual(resultsIn("again"));
  });

  it("of a run explain a job of it", async () => {
    const options = ["--machines", "8x8c32g", "--policy", "fcfs", "--load", "0.9"];
    await croft("simulate", "busy.csv", options, "--json", "--quiet", "--out", "explained");
    const named = await croft("explain", "250", "busy.csv", options);
    const saved = await croft("explain", "250", "--config", "explained/settings.yaml");
    expect([saved.status, saved.stdout]).toEqual([0, named.stdout]);
    expect(saved.stderr).toBe("explained/settings.yaml: workload, machines, policy, load\n");
    const other = ["--policy", "easy", "--longest", "1"];
    const longest = await croft("explain", "--config", "explained/settings.yaml", other);
    expect(longest.stdout).toBe(
      (await croft("explain", "busy.csv", "--machines", "8x8c32g", "--load", "0.9", other)).stdout,
    );
    const file = ["--config", "explained/settings.yaml"];
    const again = await croft("explain", "busy.csv", file, other);
    expect([again.status, again.stdout]).toEqual([0, longest.stdout]);
    const packed = ["--family", "cores=1", "--packing", "exclusive,relaxed", "--ttl", "1h"];
    await croft("simulate", "busy.csv", options, packed, "--quiet", "--out", "packed");
    const relaxed = await croft("explain", "250", "--config", "packed/settings.yaml", "--packing", "relaxed");
    expect(relaxed.status).toBe(0);
    expect(relaxed.stderr).toContain("the command line overrides: packing, ttl\n");
    const asked = await croft("explain", "250", "busy.csv", options, "--server", "http://localhost:1");
    expect([asked.status, asked.stdout]).toEqual([2, ""]);
    expect(asked.stderr).toContain("--server and --socket are for a farm that runs: leave out the log");
    const live = await croft("explain", "250", "--policy", "easy", "--socket", "none.sock");
    expect(live.stderr).toContain(
      "no effect, as a farm that runs is asked and no log is run again: --policy\n",
    );
    const nothing = await croft("explain", "--longest", "3", "--machines", "1x1c");
    expect([nothing.status, nothing.stderr]).toEqual([
      2,
      "croft: give the job's number and the log, or --longest 5 and the log\n",
    ]);
    // A project's own file says for each command what it is to take.
    writeFileSync(join(folder, "croft.yaml"), "simulate: { machines: 1x1c }\n");
    const project = await croft("explain", "250", "busy.csv", options);
    expect([project.stdout, project.stderr]).toEqual([named.stdout, ""]);
    rmSync(join(folder, "croft.yaml"));
  });

  it("may leave the rule of fair share out, and give way to another one with what is only for it", async () => {
    const run = ["simulate", "busy.csv", "--machines", "8x8c32g", "--policy", "fcfs", "--load", "0.9"];
    const waits = async (...args: string[]): Promise<string> => (await croft(run, args, "--quiet")).stdout;
    const plain = settings("plain.yaml", "simulate: { fair-share: true }\n");
    expect(await waits("--config", plain)).toBe(await waits("--fair-share", "running"));
    expect(await waits("--config", settings("off.yaml", "simulate: { fair-share: false }\n"))).toBe(
      await waits(),
    );
    const usage = settings("usage.yaml", "simulate: { fair-share: usage, half-life: 20m }\n");
    const used = await waits("--fair-share", "usage", "--half-life", "1200");
    expect(await waits("--config", usage)).toBe(used);
    expect(used).not.toBe(await waits("--fair-share"));
    const other = await croft(run, "--config", usage, "--fair-share", "--quiet");
    expect([other.status, other.stdout]).toEqual([0, await waits("--fair-share")]);
    expect(other.stderr).toContain("the command line overrides: fair-share, half-life\n");
    const saved = await croft(run, "--fair-share", "usage", "--quiet", "--out", "by-use");
    expect(readFileSync(join(folder, "by-use/settings.yaml"), "utf8")).toContain("\n  fair-share: usage\n");
    expect((await croft("simulate", "--config", "by-use/settings.yaml", "--out", "by-use-2")).stdout).toBe(
      saved.stdout.replace("by-use/", "by-use-2/"),
    );
  });

  it("of a study are saved too", async () => {
    const args = [
      "study",
      "load",
      "busy.csv",
      "--machines",
      "8x8c32g",
      "--policy",
      "first-fit",
      "--beta",
      "1",
    ];
    expect((await croft(args, "--quiet", "--out", "studied")).status).toBe(0);
    const again = await croft("study", "load", "--config", "studied/settings.yaml", "--out", "restudied");
    expect(again.status).toBe(0);
    expect(
      readFileSync(join(folder, "restudied/settings.yaml"), "utf8")
        .replaceAll("restudied", "studied")
        .split("\n")
        .sort(),
    ).toEqual(readFileSync(join(folder, "studied/settings.yaml"), "utf8").split("\n").sort());
  });

  it("have the names of the options; lists are options given again, and pairs mappings", async () => {
    const file = settings(
      "named.yaml",
      "simulate:\n  columns: { submit: queued_at, runtime: took, cores: n }\n  machines: 2x4c\n  policy: [easy, fcfs]\n  json: true\n  quiet: false\n",
    );
    const { status, stdout } = await croft("simulate", "odd.csv", "--config", file);
    expect(status).toBe(0);
    const { runs } = JSON.parse(stdout) as { readonly runs: readonly { readonly policy: string }[] };
    expect(runs.map(({ policy }) => policy)).toEqual(["easy", "fcfs"]);
  });

  it("give way to the command line, and to what excludes them there", async () => {
    const file = settings(
      "ways.yaml",
      "simulate:\n  machines: 2x4c\n  policy: [easy]\n  load: 0.5\n  workload: none.csv\n",
    );
    const { status, stdout, stderr } = await croft(
      ["simulate", "busy.csv", "--config", file, "--policy", "fcfs", "--beta", "1", "--machines", "8x8c32g"],
      ["--json"],
    );
    expect(stderr).toBe("ways.yaml: nothing; the command line overrides: machines, policy, load, workload\n");
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ runs: [{ policy: "fcfs", beta: 1 }] });
  });

  it("of a project are in croft.yaml, which is told when it is used", async () => {
    const project = join(folder, "project");
    mkdirSync(project);
    writeFileSync(join(project, "log.csv"), busyLog(50));
    writeFileSync(
      join(project, "croft.yaml"),
      "simulate:\n  workload: log.csv\n  machines: 8x8c32g\n  policy: easy\nexplain:\n  workload: log.csv\n  machines: 8x8c32g\n",
    );
    const inProject = croftIn(project);
    const run = await inProject("simulate", "--json");
    expect([run.status, run.stderr]).toEqual([0, "croft.yaml: workload, machines, policy\n"]);
    expect(JSON.parse(run.stdout)).toMatchObject({ runs: [{ policy: "easy" }] });
    const explained = await inProject("explain", "7", "--json");
    expect(explained.stderr).toBe("croft.yaml: workload, machines\n");
    expect(JSON.parse(explained.stdout)).toMatchObject({ job: 7 });
    const longest = await inProject("explain", "--longest", "1");
    expect([longest.status, longest.stdout.slice(0, 4)]).toEqual([0, "Job "]);
    const inspected = await inProject("workload", "inspect", "log.csv");
    expect([inspected.status, inspected.stderr]).toEqual([0, ""]);
    const other = await inProject("simulate", "log.csv", "--machines", "4x8c32g", "--policy", "fcfs");
    expect(other.stderr).toContain(
      "croft.yaml: nothing; the command line overrides: workload, machines, policy\n",
    );
  });

  it.each([
    [
      "simulate:\n  polcy: easy\n",
      /^croft: wrong\.yaml:2:10: simulate\.polcy: there is no such option; did you mean policy, /,
    ],
    ["simulate:\n  config: a.yaml\n", /wrong\.yaml:2:11: simulate\.config: there is no such option/],
    [
      "policy: easy\n",
      /wrong\.yaml:1:9: policy: an option stands below its command: \{ simulate: \{ policy: … \} \}/,
    ],
    [
      "simulat:\n  policy: easy\n",
      /wrong\.yaml:2:3: simulat: there is no such command; did you mean simulate, /,
    ],
    [
      "study lod:\n  json: true\nsimulate:\n  json: 3\n",
      /wrong\.yaml:4:9: simulate\.json: true or false should stand here, not 3/,
    ],
    [
      "simulate:\n  machines: [a, b]\n",
      /wrong\.yaml:2:13: simulate\.machines: one value should stand here, not a list/,
    ],
    [
      "simulate:\n  policy: [[easy]]\n",
      /wrong\.yaml:2:12: simulate\.policy\[0\]: text or a number should stand here, not a list/,
    ],
    ["simulate: easy\n", /wrong\.yaml:1:11: simulate: options by name should stand here, not "easy"/],
    ["- simulate\n", /wrong\.yaml:1:1: commands by name should stand here, not a list/],
    ["simulate: {\n", /wrong\.yaml:2:1: not YAML: /],
    ["simulate:\n  load: high\n", /option '--load <loads>' argument 'high' is invalid/],
    ["simulate:\n  load: 1\n  beta: 1\n", /cannot be used with/],
  ])("are refused where they are wrong: %j", async (text, message) => {
    const file = settings("wrong.yaml", text);
    const { status, stdout, stderr } = await croft(
      "simulate",
      "busy.csv",
      "--machines",
      "8x8c32g",
      "--config",
      file,
    );
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });

  it("of a subcommand stand under both words, and are looked at when it is run", async () => {
    const file = settings("nested.yaml", "study lod:\n  json: true\n");
    const nested = await croft("study", "load", "busy.csv", "--config", file);
    expect(nested.stderr).toMatch(
      /nested\.yaml:2:3: study lod: there is no such command; did you mean study load, /,
    );
    expect(nested.status).toBe(2);
  });

  it("that are not there are bad input", async () => {
    const { status, stderr } = await croft("simulate", "busy.csv", "--config", "none.yaml");
    expect([status, stderr]).toEqual([2, "croft: none.yaml: there is no such file\n"]);
    const unnamed = await croft("simulate", "busy.csv", "--config");
    expect([unnamed.status, unnamed.stderr]).toEqual([
      2,
      "error: option '--config <file>' argument missing\ncroft help simulate: how to call it, and its options\n",
    ]);
  });
});
