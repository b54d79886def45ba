import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { busyLog, croftIn, temporaryFolder } from "./croft.fixture.ts";

const folder = temporaryFolder();
const croft = croftIn(folder);
const page = readFileSync(fileURLToPath(new URL("../../docs/sweep.md", import.meta.url)), "utf8");
const [, example] = /^```yaml\n(.*?)^```$/ms.exec(page)!;
writeFileSync(join(folder, "cluster.csv"), busyLog(200));
writeFileSync(join(folder, "study.yaml"), example);

function filesIn(out: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(join(folder, out), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(join(folder, out).length), readFileSync(path, "utf8")]),
  );
}

describe("croft sweep", () => {
  it("makes the documentation's example, and takes up what was left to the same bytes", async () => {
    const first = await croft("sweep", "study.yaml", "--out", "whole", "--threads", "1");
    expect([first.status, first.stdout.split("\n").at(-2)]).toEqual([0, "report: whole/report.html"]);
    expect(first.stdout).toMatch(/^policy +cluster +netbatch-b +all logs$/m);
    expect(first.stderr).toContain("seeds have no effect on cluster: ");
    expect(first.stderr).toContain("estimates have no effect on fcfs, first-fit: ");
    const whole = filesIn("whole");
    // cluster: 2 loads × (easy with 2 estimates, 2 others); netbatch-b: the same for 3 seeds.
    const units = readdirSync(join(folder, "whole/units")).sort();
    expect(units).toHaveLength(8 + 24);
    expect(whole["/results.csv"].trimEnd().split("\n")).toHaveLength(1 + 2 * 2 * 3 * (1 + 3));

    // What an interrupted call leaves: some of the runs. One of them is damaged.
    mkdirSync(join(folder, "part/units"), { recursive: true });
    for (const name of units.slice(0, 12))
      writeFileSync(join(folder, "part/units", name), whole[`/units/${name}`]);
    writeFileSync(join(folder, "part/units", units[0]), "{");
    const second = await croft("sweep", "study.yaml", "--out", "part", "--json");
    expect(second.status).toBe(0);
    expect(second.stderr).toContain("part: 11 of 32 runs were made before\n");
    expect(second.stderr).toContain(`${units[0]}: this is no finished run: it is made again\n`);
    expect(filesIn("part")).toEqual(whole);
    expect(JSON.parse(second.stdout)).toEqual(JSON.parse(whole["/results.json"]));
  });

  it("makes a run again where the log's bytes are others", async () => {
    writeFileSync(join(folder, "l.csv"), busyLog(50));
    writeFileSync(
      join(folder, "one.yaml"),
      "logs: [{ file: l.csv, machines: 8x8c32g }]\npolicies: [fcfs, easy]\n",
    );
    expect((await croft("sweep", "one.yaml", "--out", "one")).status).toBe(0);
    writeFileSync(join(folder, "l.csv"), busyLog(51));
    expect((await croft("sweep", "one.yaml", "--out", "one")).stderr).not.toContain("made before");
    expect(readdirSync(join(folder, "one/units"))).toHaveLength(4);
  });

  it("takes paths of any folder: absolute ones, and those seen from the file's", async () => {
    mkdirSync(join(folder, "apart"), { recursive: true });
    const machines = join(folder, "machines.csv");
    writeFileSync(machines, "id,cores,memory\nm1,64,256\n");
    writeFileSync(join(folder, "here.csv"), busyLog(20));
    writeFileSync(
      join(folder, "apart/paths.yaml"),
      `logs: [{ file: ${join(folder, "here.csv")}, machines: ${machines} }, { name: up, file: ../here.csv, machines: ../machines.csv }]\npolicies: [fcfs]\n`,
    );
    const { status, stderr } = await croft("sweep", "apart/paths.yaml", "--out", "paths");
    expect([status, stderr]).toEqual([0, expect.not.stringContaining("no file")]);
    const [, ...rows] = readFileSync(join(folder, "paths/results.csv"), "utf8").trimEnd().split("\n");
    expect(rows.map((row) => row.split(",")[0])).toEqual(["here", "up"]);
  });

  it("says once a log what its runs cannot see: limits that nobody gave, machines that are missing", async () => {
    // Twenty jobs at a time, of which two say where they ran.
    const rows = Array.from(
      { length: 200 },
      (_, i) => `${Math.floor(i / 20) * 100},90,1,0,${i % 10 === 0 ? `n${i % 20}` : ""}`,
    );
    writeFileSync(join(folder, "placeless.csv"), `submit,runtime,cores,wait,nodes\n${rows.join("\n")}\n`);
    const study = (machines: string, policies: string, estimates: string): string =>
      `logs: [{ file: placeless.csv, machines: ${machines} }, { generate: netbatch-b, jobs: 50, machines: 8x8c32g }]\n` +
      `policies: ${policies}\nestimates: ${estimates}\nseeds: [1, 2]\n`;
    const told = async (...given: [string, string, string]): Promise<string[]> => {
      writeFileSync(join(folder, "unseen.yaml"), study(...given));
      const { status, stderr } = await croft("sweep", "unseen.yaml", "--out", `unseen-${given.join("-")}`);
      expect(status).toBe(0);
      return stderr.split("\n").filter((line) => /No job has|are inferred/.test(line));
    };

    expect(await told("inferred", "[fcfs, easy, easy++]", "[log, 2]")).toEqual([
      expect.stringMatching(
        /^placeless: No job has a limit of its run time in the log: simulated, easy plans with how long they really ran, .* let them hardly pass others\.$/,
      ),
      expect.stringMatching(
        /^placeless: the machines are inferred, and 90.% of the jobs do not say where they ran, so that machines are missing\. For 9\d.% of the time .* 1,?000.% at most\. Give a list of the machines \(machines: FILE\)\.$/,
      ),
      expect.stringMatching(/^netbatch-b: No job has a limit/),
    ]);
    expect(await told("20x1c", "[fcfs, easy++]", "[log]")).toEqual([]);
    expect(await told("20x1c", "[easy]", "[exact]")).toEqual([]);
  });

  it("has what the runs cannot see in table, page and results, also where all of them were made before", async () => {
    writeFileSync(join(folder, "unlimited.csv"), "submit,runtime,cores\n0,90,1\n10,90,1\n");
    const log = "{ file: unlimited.csv, machines: 1x1c }";
    const other = "{ generate: netbatch-b, jobs: 50, machines: 8x8c32g }";
    writeFileSync(
      join(folder, "known.yaml"),
      `logs: [${log}, ${other}]\npolicies: [fcfs, easy]\nseeds: [1, 2]\n`,
    );
    const files = ["results.json", "report.html", "results.csv"];
    const call = async (): Promise<string[]> => {
      const { status, stdout, stderr } = await croft("sweep", "known.yaml", "--out", "known");
      expect(status).toBe(0);
      expect(stderr.includes("No job has")).toBe(isFirst);
      return [stdout, ...files.map((name) => readFileSync(join(folder, "known", name), "utf8"))];
    };
    let isFirst = true;
    const [table, json, page] = await call().then((all) => all as [string, string, string]);
    expect(table).toMatch(
      /\nWhat the runs cannot see\nunlimited: No job has a limit of its run time [^:]*: simulated, easy plans/,
    );
    expect(table).toContain("\nnetbatch-b: No job has");
    expect(JSON.parse(json)).toMatchObject({
      logs: [{ unseen: [expect.stringMatching(/^No job has/)] }, { unseen: [expect.anything()] }],
    });
    expect(page).toMatch(/What the runs cannot see<\/b><\/p><ul><li>unlimited: No job has/);
    isFirst = false;
    expect(await call()).toEqual([table, json, page, expect.any(String)]);

    // Runs of the second seed alone are left: what is told is of the first, as before.
    for (const name of readdirSync(join(folder, "known/units"))) {
      const path = join(folder, "known/units", name);
      if ((JSON.parse(readFileSync(path, "utf8")) as { seed: number | null }).seed === 2) rmSync(path);
    }
    isFirst = true;
    expect(await call()).toEqual([table, json, page, expect.any(String)]);
  });

  it("makes runs with a plugin, and again once it or what it imports is another", async () => {
    const example = fileURLToPath(new URL("../../examples/backfilling.ts", import.meta.url));
    mkdirSync(join(folder, "own"), { recursive: true });
    writeFileSync(join(folder, "own/backfilling.ts"), readFileSync(example, "utf8"));
    const widest = (sign: string): string =>
      `export const order = (jobs) => (a, b) => ${sign}(jobs.coresOf(b) * jobs.tasksOf(b) - jobs.coresOf(a) * jobs.tasksOf(a));\n`;
    writeFileSync(join(folder, "own/order.ts"), widest(""));
    writeFileSync(
      join(folder, "own/plugin.ts"),
      'import { backfilling } from "./backfilling.ts";\nimport { order } from "./order.ts";\nexport default { policies: [backfilling("easy-wide", "the widest first", order)] };\n',
    );
    writeFileSync(join(folder, "own/l.csv"), busyLog(300));
    const study = (plugin: string): string =>
      `logs: [{ file: l.csv, machines: 1x8c32g }]\npolicies: [easy, easy-wide]\n${plugin}\n`;
    writeFileSync(join(folder, "own/study.yaml"), study("plugin: plugin.ts"));
    const sweep = () => croft("sweep", "own/study.yaml", "--out", "plugged");
    const waits = (): string[] =>
      readFileSync(join(folder, "plugged/results.csv"), "utf8").trimEnd().split("\n").slice(1);

    expect(await sweep()).toMatchObject({ status: 0, stdout: expect.stringContaining("easy-wide") });
    const widestFirst = waits();
    expect((await sweep()).stderr).toContain("plugged: 2 of 2 runs were made before\n");
    writeFileSync(join(folder, "own/order.ts"), widest("-"));
    expect((await sweep()).stderr).not.toContain("made before");
    expect([waits()[0] === widestFirst[0], waits()[1] === widestFirst[1]]).toEqual([true, false]);

    expect(await croft("sweep", "own/study.yaml", "--out", "plugged", "--on", "/tmp/none")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("study.yaml:3:9: plugin: runs with a plugin are made by this command"),
    });
    writeFileSync(join(folder, "own/study.yaml"), study("plugin: none.ts"));
    expect((await sweep()).stderr).toContain("own/none.ts: there is no such file");
    writeFileSync(join(folder, "own/study.yaml"), study(""));
    expect((await sweep()).stderr).toContain('unknown policy "easy-wide"');
  });

  it("refuses before the first run what does not go together, with its place", async () => {
    writeFileSync(join(folder, "bare.csv"), "submit,runtime,cores\n0,1,1\n");
    const bad = [
      [
        "logs: [{ file: none.csv, machines: 1x1c }]\npolicies: [easy]",
        "1:16: logs[0].file: there is no file",
      ],
      ["logs: [{ file: bare.csv }]\npolicies: [easy]", "1:8: logs[0]: machines is missing"],
      ["logs: [{ file: bare.csv, machines: 1x1c }]\npolicies: [eazy]", "2:12: policies[0]: "],
      [
        "logs: [{ file: l2.csv, machines: 1x1c8g }, { file: bare.csv, machines: 1x1c }]\npolicies: [fcfs, mix-fit]",
        "1:44: logs[1]: policy mix-fit decides by memory",
      ],
      [
        "logs: [{ file: bare.csv, machines: 1x1c }, { file: bare.csv, machines: 1x1c }]\npolicies: [fcfs]",
        "another log is called bare already",
      ],
      ["logs: [{ file: bare.csv, machines: 1x1c, from: 5 }]\npolicies: [fcfs]", "1:8: logs[0]: no job of "],
    ] as const;
    writeFileSync(join(folder, "l2.csv"), busyLog(20));
    for (const [text, problem] of bad) {
      writeFileSync(join(folder, "bad.yaml"), text);
      const { status, stderr } = await croft("sweep", "bad.yaml", "--out", "bad");
      expect([status, stderr]).toEqual([2, expect.stringContaining(problem)]);
      expect(stderr).toContain("bad.yaml:");
      rmSync(join(folder, "bad"), { recursive: true, force: true });
    }
  });
});
