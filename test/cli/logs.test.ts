import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { describe, expect, it } from "vitest";

import { croftIn, finished, start, temporaryFolder, type Finished } from "./croft.fixture.ts";

const folder = temporaryFolder();
const croft = croftIn(folder);

/** Two nodes of four cores, full from 08:00; the third job waits an hour for its core. */
const sacct = `JobID|User|Account|Partition|Submit|Start|End|State|NNodes|NCPUS|AllocTRES|Timelimit|NodeList
1|ann|physics|batch|2026-03-01T08:00:00|2026-03-01T08:00:00|2026-03-01T09:00:00|COMPLETED|2|8|cpu=8,mem=16G,node=2|02:00:00|n[1-2]
1.batch||physics||2026-03-01T08:00:00|2026-03-01T08:00:00|2026-03-01T09:00:00|COMPLETED|1|4|||n1
2|bob|physics|batch|2026-03-01T08:00:00|2026-03-01T09:00:00|2026-03-01T10:00:00|FAILED|1|1|cpu=1,mem=1G,node=1|UNLIMITED|n1
3|bob|physics|batch|2026-03-01T08:10:00|Unknown|Unknown|PENDING|1|1|||None assigned
`;
writeFileSync(join(folder, "month.sacct"), sacct);
writeFileSync(join(folder, "odd.sacct"), `${sacct}4|damaged\n`);
writeFileSync(join(folder, "notes.txt"), "# Minutes\n\nWe met.\n");

function reading(input: string | Uint8Array, ...args: readonly string[]): Promise<Finished> {
  const child = start(args, folder, "pipe");
  child.stdin!.end(input);
  return finished(child);
}

const understood = (name: string): string[] => [
  `${name}: recognised: Slurm's sacct, with a header: 1 (first in line 1)`,
  `${name}: left out: steps of jobs: 1 (first in line 3)`,
  `${name}: dropped: it never started: 1 (first in line 5)`,
  `${name}: read: times that name no zone, as of UTC: 2 (first in line 2)`,
];
const leftOut = (name: string): string =>
  `${name}: left out in all: 2, beside 2 jobs that are kept: steps of jobs (1); it never started (1)`;
const inferred = (name: string): string =>
  `${name}: machines inferred from where jobs ran: 2 with 8 cores, each with the most that jobs held on it at once; the real ones have at least that`;

describe("a batch system's own log", () => {
  it("is simulated on the machines that it shows, and what was understood is said", async () => {
    const args = ["simulate", "month.sacct", "--machines", "inferred", "--policy", "first-fit", "--json"];
    const { status, stdout, stderr } = await croft(args);
    expect(JSON.parse(stdout)).toMatchObject({
      workload: { name: "month", jobs: 2 },
      runs: [{ policy: "first-fit", jobs: 2, rejected: 0, waitMeanSeconds: 1800 }],
    });
    expect(stderr.split("\n")).toEqual([...understood("month"), inferred("month"), ""]);
    expect(status).toBe(0);
  });

  it("is studied on them", async () => {
    const { status, stdout, stderr } = await croft(
      ["study", "load", "month.sacct", "--machines", "inferred", "--policy", "first-fit", "--beta", "1"],
      ["--json", "--quiet"],
    );
    expect(stderr).toContain(inferred("month"));
    expect(JSON.parse(stdout)).toMatchObject({ machines: { count: 2, coresMilli: 8000 } });
    expect(status).toBe(0);
  });

  it("takes no options for a list of machines then", async () => {
    for (const command of [["simulate"], ["explain", "2"], ["study", "load"]]) {
      const { status, stderr } = await croft(
        command,
        "month.sacct",
        "--machines",
        "inferred",
        "--leave-out-down",
      );
      expect(stderr).toBe(
        "croft: the machines are inferred from the log, and no list of them is read: leave out --leave-out-down\n",
      );
      expect(status).toBe(2);
    }
  });

  it("tells how jobs ended", async () => {
    const { stdout } = await croft("workload", "inspect", "month.sacct");
    expect(stdout).toMatch(/^states +2; COMPLETED has 50% of the jobs$/m);
  });

  it("is explained on them", async () => {
    const { stdout, stderr } = await croft("explain", "2", "month.sacct", "--machines", "inferred");
    expect(stdout).toMatch(/It first started after 1\.00 h and was done after 2\.00 h/);
    expect(stderr).toContain(inferred("month"));
  });

  it("may come from standard input, packed or not, with its format guessed there too", async () => {
    for (const input of [sacct, gzipSync(sacct)]) {
      const { status, stdout, stderr } = await reading(input, "workload", "inspect", "-", "--json");
      expect(stderr.split("\n")).toEqual([...understood("standard input"), leftOut("standard input"), ""]);
      expect(JSON.parse(stdout)).toMatchObject({ name: "standard input", jobs: 2 });
      expect(status).toBe(0);
    }
    const piped = await reading(sacct, "workload", "convert", "-", "month.parquet");
    expect(piped.status).toBe(0);
    const back = await croft("workload", "inspect", "month.parquet", "--json");
    expect(JSON.parse(back.stdout)).toMatchObject({ name: "standard input", jobs: 2 });
  });

  it("has its times in a zone, and a bad row refused, where that is asked for", async () => {
    const zoned = await croft("workload", "convert", "odd.sacct", "odd.csv", "--time-zone", "Europe/Berlin");
    expect(zoned.stderr).toContain(
      "odd: dropped: not as many fields as there are columns: 1 (first in line 6)",
    );
    expect(zoned.stderr).toContain("odd: read: times that name no zone, as of Europe/Berlin: 2");
    const [header, first] = readFileSync(join(folder, "odd.csv"), "utf8").split("\n");
    const seconds = Date.UTC(2026, 2, 1, 7) / 1000;
    expect(header).toBe(
      "job,submit,runtime,cores,memory,tasks,estimate,wait,project,user,queue,state,node_list",
    );
    expect(first).toBe(`1,${seconds},3600,4,8192,2,7200,0,physics,ann,batch,COMPLETED,n[1-2]`);

    const strict = await croft("workload", "inspect", "odd.sacct", "--strict");
    expect(strict).toMatchObject({ status: 2, stdout: "" });
    expect(strict.stderr).toBe("croft: odd.sacct:6: the line has 2 fields where there are 13 columns\n");
    const nowhere = await croft("workload", "inspect", "odd.sacct", "--time-zone", "Mars");
    expect(nowhere.status).toBe(2);
    expect(nowhere.stderr).toMatch(/^croft: no time zone "Mars": give its name/);
  });

  it("of anybody's CSV is read by the columns that are told, and asks for one by name", async () => {
    writeFileSync(
      join(folder, "export.csv"),
      "who,came_in,took,n\nann,2026-03-01T08:00:00Z,90m,2\nbob,x,1,1\n",
    );
    const columns = ["--columns", "submit=came_in,user=who", "--columns", "runtime=took,cores=n"];
    const told = await croft("workload", "inspect", "export.csv", "--json", ...columns);
    expect(JSON.parse(told.stdout)).toMatchObject({ jobs: 1, runtime: { coreSeconds: 10_800 } });
    expect(told.stderr).toBe(
      'export: read: submit from "came_in", runtime from "took", cores from "n", user from "who": 1 (first in line 1)\n' +
        'export: dropped: column came_in: not a time: write 2026-12-31T08:05:00, 31.12.2026 8:05 or seconds: 1 (first in line 3: "x")\n',
    );
    const asked = await croft("workload", "inspect", "export.csv", "--columns", "submit=came_in");
    expect(asked.status).toBe(2);
    expect(asked.stderr).toMatch(
      /^croft: export\.csv:1: there is no column "runtime" .* there are who, came_in, took, n: /,
    );
    const odd = await croft("workload", "inspect", "export.csv", "--columns", "submit");
    expect(odd.stderr).toMatch(/Give pairs such as submit=queued_at/);
  });

  it("of no format known is shown with its first line, and what may be done", async () => {
    const { status, stderr } = await croft("workload", "inspect", "notes.txt");
    expect(status).toBe(2);
    expect(stderr).toMatch(/^croft: notes\.txt: the format cannot be told .* begins "# Minutes": .*--format/);
    expect(stderr).toMatch(/--columns.*docs\/workloads\.md$/m);
  });
});
