import { describe, expect, it } from "vitest";

import { inputErrorOf, textSource } from "../../input/text.fixture.ts";
import { jobsOf, notesOf, readLinesAs, without } from "../jobs.fixture.ts";
import type { Job } from "../jobs.fixture.ts";
import { readWorkload } from "../registry.ts";
import { slurm } from "./sacct.ts";

/** 1 March 2026, 08:00 UTC. */
const EIGHT = Date.UTC(2026, 2, 1, 8) / 1000;

const names = [
  "JobID",
  "User",
  "Account",
  "Partition",
  "Submit",
  "Eligible",
  "Start",
  "End",
  "Elapsed",
  "State",
];
const header = [...names, "NNodes", "NCPUS", "ReqMem", "ReqTRES", "AllocTRES", "Timelimit", "NodeList"].join(
  "|",
);

/** A line under `header`: a job of an hour on a node, but for what is told. */
function line(fields: Partial<Record<string, string>> = {}): string {
  const usual: Record<string, string> = {
    JobID: "100",
    User: "ann",
    Account: "physics",
    Partition: "batch",
    Submit: "2026-03-01T08:00:00",
    Eligible: "2026-03-01T08:00:00",
    Start: "2026-03-01T08:10:00",
    End: "2026-03-01T09:10:00",
    Elapsed: "01:00:00",
    State: "COMPLETED",
    NNodes: "1",
    NCPUS: "8",
    ReqMem: "16G",
    ReqTRES: "cpu=8,mem=16G,node=1",
    AllocTRES: "cpu=8,mem=16G,node=1",
    Timelimit: "02:00:00",
    NodeList: "n1",
  };
  return header
    .split("|")
    .map((name) => fields[name] ?? usual[name])
    .join("|");
}

const usualJob: Job = {
  submitSeconds: EIGHT,
  recordedWaitSeconds: 600,
  runtimeSeconds: 3600,
  coresMilli: 8000,
  memoryMiB: 16_384,
  estimateSeconds: 7200,
  jobNumber: 100,
  user: "ann",
  project: "physics",
  queue: "batch",
  state: "COMPLETED",
  nodes: "n1",
};

const recognised = "recognised: Slurm's sacct, with a header: 1";

async function jobs(...lines: readonly string[]): Promise<Job[]> {
  return jobsOf(await readLinesAs(slurm, [header, ...lines]));
}

async function notes(...lines: readonly string[]): Promise<string[]> {
  return notesOf(await readLinesAs(slurm, [header, ...lines]));
}

describe("sacct's listing", () => {
  it("gives a job for each line", async () => {
    const workload = await readLinesAs(slurm, [header, line()]);
    expect(jobsOf(workload)).toEqual([usualJob]);
    expect(notesOf(workload)).toEqual([recognised, "read: times that name no zone, as of UTC: 1"]);
    expect(workload.farm).toEqual({ unixStartSeconds: 0 });
  });

  it("may have its columns in any order with others among them, and end its lines with a bar", async () => {
    const reversed = (text: string): string => `${["x", ...text.split("|").toReversed()].join("|")}|`;
    const workload = await readLinesAs(slurm, [reversed(header).replace("x", "AveCPU"), reversed(line())]);
    expect(jobsOf(workload)).toEqual([usualJob]);
  });

  it("may have another delimiter", async () => {
    const lines = [header, line()].map((text) => text.replaceAll(",", "+").replaceAll("|", ";"));
    expect(jobsOf(await readWorkload(textSource("a.txt", ...lines)))).toEqual([{ ...usualJob }]);
  });

  it("may have been made a CSV, with quotes", async () => {
    const quoted = (text: string) =>
      text
        .split("|")
        .map((field) => `"${field}"`)
        .join(",");
    const wide = line({ NNodes: "2", NodeList: "n[1,3]" });
    const workload = await readWorkload(
      textSource("a.csv", quoted(header), quoted(wide), quoted(line({ JobID: "7.0" })), ""),
    );
    expect(jobsOf(workload)).toEqual([
      { ...usualJob, tasks: 2, coresMilli: 4000, memoryMiB: 8192, nodes: "n[1,3]" },
    ]);
    expect(notesOf(workload)).toContain("left out: steps of jobs: 1");
  });

  it("without a list of nodes keeps a job that took no time, unless it was cancelled then", async () => {
    const short = "JobID|Submit|Start|End|NCPUS|State";
    const at = "2026-03-01T08:00:00|2026-03-01T08:10:00|2026-03-01T08:10:00|1";
    const workload = await readLinesAs(slurm, [short, `1|${at}|COMPLETED`, `2|${at}|CANCELLED by 7`]);
    expect(jobsOf(workload).map(({ jobNumber }) => jobNumber)).toEqual([undefined]);
    expect(notesOf(workload)).toContain("dropped: it never started: 1");
  });

  it("may tell how long a job ran instead of its end", async () => {
    const short = "JobID|Submit|Start|Elapsed|NCPUS|State";
    const at = "2026-03-01T08:00:00|2026-03-01T08:10:00|01:00:00|1";
    const workload = await readLinesAs(slurm, [short, `1|${at}|COMPLETED`, `2|${at}|RUNNING`]);
    expect(jobsOf(workload).map((job) => job["runtimeSeconds"])).toEqual([3600]);
    expect(notesOf(workload)).toContain("dropped: it had not ended when the log was made: 1");
  });

  it("is read without a header in the order of Open XDMoD's guide, the old one too", async () => {
    const now =
      "100|100|bison|batch|normal|physics|phys|900|ann|1000|2026-03-01T08:00:00|2026-03-01T08:00:00|2026-03-01T08:10:00|" +
      "2026-03-01T09:10:00|01:00:00|0:0|COMPLETED|2|16|16|2000Mc|cpu=16,node=2|billing=16,cpu=16,gres/gpu:a100=4,mem=32000M,node=2|" +
      "1-00:00:00|n[1-2]|a|b";
    const old =
      "101|101|bison|batch|physics|phys|900|ann|1000|2026-03-01T08:00:00|2026-03-01T08:00:00|2026-03-01T08:10:00|" +
      "2026-03-01T09:10:00|01:00:00|0:0|COMPLETED|2|16|16|2000Mc|gpu:2||UNLIMITED|n[1-2]|job";
    const job = { ...usualJob, tasks: 2, gpuMilli: 2000, memoryMiB: 16_000, group: "phys", nodes: "n[1-2]" };
    const workload = await readWorkload(textSource("month.txt", now, ""));
    expect(jobsOf(workload)).toEqual([{ ...job, estimateSeconds: 86_400 }]);
    expect(workload.farm).toEqual({ computer: "bison", unixStartSeconds: 0 });
    const unlimited: Job = { ...job, jobNumber: 101 };
    expect(jobsOf(await readWorkload(textSource("month.txt", old, "")))).toEqual([
      without(unlimited, "estimateSeconds"),
    ]);
  });

  it("is not read if another record runs into one", async () => {
    const record = (number: number): string =>
      `${number}|${number}|bison|batch|normal|physics|phys|900|ann|1000|2026-03-01T08:00:00|2026-03-01T08:00:00|2026-03-01T08:10:00|` +
      "2026-03-01T09:10:00|01:00:00|0:0|COMPLETED|2|16|16|2000Mc|cpu=16,node=2|cpu=16,node=2|1-00:00:00|n[1-2]|job";
    const [first, second] = [record(100), record(101)];
    // Before the first bar a part of a number is one too; after the last is a job's name, whatever it is.
    for (let cut = first.indexOf("|") + 1; cut <= first.indexOf("|job"); cut++) {
      const { jobNumber, count, notes } = await readLinesAs(slurm, [
        record(1),
        first.slice(0, cut) + second,
        first.slice(cut),
        record(102),
      ]);
      const dropped = notes.filter(({ what }) => what.startsWith("dropped: "));
      expect(dropped.reduce((sum, note) => sum + note.count, 0)).toBeGreaterThanOrEqual(1);
      expect([...(jobNumber ?? [])].filter((number) => number !== 1 && number !== 102)).toEqual([]);
      expect(count).toBe(2);
    }
  });

  it("may be several, one after the other, each with its header", async () => {
    const workload = await readLinesAs(slurm, [
      "JobID|Submit|Start|End|NCPUS",
      "1|2026-03-01T08:00:00|2026-03-01T08:00:00|2026-03-01T08:00:10|4",
      header,
      line(),
    ]);
    expect(jobsOf(workload).map(({ jobNumber, coresMilli }) => [jobNumber, coresMilli])).toEqual([
      [1, 4000],
      [100, 8000],
    ]);
    expect(notesOf(workload)[0]).toBe(recognised);
  });

  it("needs its header, unless the order is known", async () => {
    const error = await inputErrorOf(() => readWorkload(textSource("a.txt", line(), "")));
    expect(error.message).toContain("run sacct again without --noheader (-n)");
  });

  it("has steps, which are not jobs", async () => {
    const lines = [
      line(),
      line({ JobID: "100.batch" }),
      line({ JobID: "100.extern" }),
      line({ JobID: "7_3.0" }),
    ];
    expect(await jobs(...lines)).toEqual([usualJob]);
    expect(await notes(...lines)).toContain("left out: steps of jobs: 3");
  });

  it("has arrays, whose jobs have the array's number and their index, and parts of jobs", async () => {
    const lines = [
      line({ JobID: "7_4" }),
      line({ JobID: "7_[5-9%2]", Start: "Unknown", End: "Unknown", NodeList: "None assigned" }),
      line({ JobID: "8+1" }),
    ];
    expect((await jobs(...lines)).map(({ jobNumber, arrayIndex }) => [jobNumber, arrayIndex])).toEqual([
      [7, 4],
      [8, 1],
    ]);
    expect(await notes(...lines)).toEqual([
      recognised,
      "dropped: it never started: 1",
      "kept: a part of a heterogeneous job, as a job of its own: 1",
      "read: times that name no zone, as of UTC: 2",
    ]);
  });

  it("keeps a job that was requeued each time that it ran, and says that its number is there twice", async () => {
    const again = { Submit: "2026-03-01T09:00:00", Start: "2026-03-01T09:30:00", End: "2026-03-01T10:00:00" };
    const lines = [
      line({ State: "REQUEUED" }),
      line({ ...again, Eligible: again.Submit, Elapsed: "00:30:00" }),
    ];
    expect((await jobs(...lines)).map(({ state }) => state)).toEqual(["REQUEUED", "COMPLETED"]);
    expect(await notes(...lines)).toContain(
      "kept: a number that another job has, as after a requeue, such as 100: 1",
    );
  });

  it("drops a job that an overlapping listing repeats", async () => {
    const lines = [line(), line({ JobID: "101" }), line()];
    expect((await jobs(...lines)).map(({ jobNumber }) => jobNumber)).toEqual([100, 101]);
    expect(await notes(...lines)).toContain("dropped: the log has the same job at the same times already: 1");
  });

  it.each([
    ["a limit of days", { Timelimit: "1-06:00:00" }, { estimateSeconds: 108_000 }],
    ["a state with words after it", { State: "CANCELLED by 1000" }, { state: "CANCELLED" }],
    ["allocated memory", { AllocTRES: "cpu=8,mem=62.50G", ReqTRES: "mem=1G" }, { memoryMiB: 64_000 }],
    [
      "requested memory where none is allocated",
      { AllocTRES: "cpu=8", ReqTRES: "mem=1G" },
      { memoryMiB: 1024 },
    ],
    ["memory a CPU", { AllocTRES: "", ReqTRES: "", ReqMem: "4000Mc" }, { memoryMiB: 32_000 }],
    ["memory a node", { AllocTRES: "", ReqTRES: "", ReqMem: "62.50Gn" }, { memoryMiB: 64_000 }],
    ["memory of the job", { AllocTRES: "", ReqTRES: "", ReqMem: "4G" }, { memoryMiB: 4096 }],
    [
      "memory a CPU, as some versions print it",
      { AllocTRES: "", ReqTRES: "", ReqMem: "2147486648Mn" },
      { memoryMiB: 24_000 },
    ],
    ["CPUs of the TRES", { NCPUS: "", AllocTRES: "cpu=4" }, { coresMilli: 4000 }],
    ["GPUs of a type", { AllocTRES: "cpu=8,mem=16G,gres/gpu:a100=2" }, { gpuMilli: 2000 }],
    ["GPUs of two types", { AllocTRES: "cpu=8,mem=16G,gres/gpu:a=2,gres/gpu:b=1" }, { gpuMilli: 3000 }],
    [
      "GPUs and their type",
      { AllocTRES: "mem=16G,gres/gpu:a=2,gres/gpu=2,gres/gpu:b=0" },
      { gpuMilli: 2000 },
    ],
    [
      "licences, that were allocated or else asked for",
      { AllocTRES: "cpu=8,mem=16G,license/matlab=2,license/vcs@server=1" },
      { licences: "matlab=2;vcs@server=1" },
    ],
    [
      "licences that were asked for",
      { AllocTRES: "cpu=8", ReqTRES: "mem=16G,license/matlab=2,license/vcs=0" },
      { licences: "matlab=2" },
    ],
    ["a run of no time", { End: "2026-03-01T08:10:00", Elapsed: "00:00:00" }, { runtimeSeconds: 0 }],
    ["times as numbers", { Submit: String(EIGHT), Eligible: String(EIGHT) }, {}],
    ["times with a zone", { Submit: "2026-03-01T09:00:00+0100" }, {}],
    [
      "nodes that divide its CPUs",
      { NNodes: "4", NodeList: "n[1-4]" },
      { tasks: 4, coresMilli: 2000, memoryMiB: 4096, nodes: "n[1-4]" },
    ],
    [
      "nodes that do not",
      { NNodes: "3", NodeList: "n[1-3]" },
      { tasks: 8, coresMilli: 1000, memoryMiB: 2048, nodes: "n[1-3]" },
    ],
  ] as const)("reads %s", async (_what, fields, expected) => {
    expect(await jobs(line(fields))).toEqual([{ ...usualJob, ...expected }]);
  });

  it.each([
    ["a limit", { Timelimit: "UNLIMITED" }, "estimateSeconds"],
    ["a limit", { Timelimit: "Partition_Limit" }, "estimateSeconds"],
    ["memory", { AllocTRES: "", ReqTRES: "", ReqMem: "0n" }, "memoryMiB"],
    ["memory", { AllocTRES: "cpu=8", ReqTRES: "cpu=8", ReqMem: "" }, "memoryMiB"],
    ["a user", { User: "" }, "user"],
  ] as const)("does not make up %s: %j", async (_what, fields, column) => {
    expect(await jobs(line(fields))).toEqual([without(usualJob, column)]);
  });

  it("takes memory with a decimal comma for unknown, and says so", async () => {
    const lines = [line({ AllocTRES: "cpu=8,mem=2,5G,node=1", ReqTRES: "cpu=8", ReqMem: "" })];
    expect(await jobs(...lines)).toEqual([without(usualJob, "memoryMiB")]);
    expect(await notes(...lines)).toContain("counted as unknown: memory that cannot be read: 1");
  });

  it.each(["matlab=2.5", "matlab=-1", "matlab=many", "matlab=99999999999", "=2", "a:b=1", "vcs=2"])(
    "keeps a job without a licence that cannot be read, and says so: license/%s",
    async (licence) => {
      const lines = [line({ AllocTRES: `cpu=8,mem=16G,license/vcs=1,license/${licence}` })];
      expect(await jobs(...lines)).toEqual([{ ...usualJob, licences: "vcs=1" }]);
      expect(await notes(...lines)).toContain("counted as none: licences that cannot be read: 1");
    },
  );

  it.each([
    ["a limit", { Timelimit: "soon" }, "estimateSeconds", "a limit"],
    ["memory", { AllocTRES: "", ReqTRES: "", ReqMem: "4,5Gn" }, "memoryMiB", "memory"],
    [
      "memory that was allocated",
      { AllocTRES: "cpu=8,mem=2,5G,node=1", ReqTRES: "", ReqMem: "" },
      "memoryMiB",
      "memory",
    ],
    [
      "memory among what was asked for",
      { AllocTRES: "", ReqTRES: "cpu=8,node=1,mem=2,5G", ReqMem: "2,5G" },
      "memoryMiB",
      "memory",
    ],
  ] as const)("says that it cannot read %s", async (_what, fields, column, named) => {
    expect(await jobs(line(fields))).toEqual([without(usualJob, column)]);
    expect(await notes(line(fields))).toContain(`counted as unknown: ${named} that cannot be read: 1`);
  });

  it.each([{ Timelimit: "UNLIMITED" }, { Timelimit: "" }, { AllocTRES: "", ReqTRES: "", ReqMem: "0n" }])(
    "does not say so of what Slurm leaves open: %j",
    async (fields) => {
      expect((await notes(line(fields))).filter((note) => note.startsWith("counted"))).toEqual([]);
    },
  );

  it("drops what never ran or had not ended, and says so", async () => {
    const never = {
      Start: "2026-03-01T08:05:00",
      End: "2026-03-01T08:05:00",
      Elapsed: "00:00:00",
      NodeList: "None assigned",
    };
    const lines = [
      line(),
      line({ JobID: "101", State: "CANCELLED by 7", ...never }),
      line({ JobID: "102", State: "PENDING", Start: "Unknown", End: "Unknown", NodeList: "" }),
      line({ JobID: "103", State: "RUNNING", End: "Unknown" }),
      line({ JobID: "104", Start: "None", End: "None", NodeList: "" }),
    ];
    expect(await jobs(...lines)).toEqual([usualJob]);
    expect(await notes(...lines)).toEqual([
      recognised,
      "dropped: it never started: 3",
      "dropped: it had not ended when the log was made: 1",
      "read: times that name no zone, as of UTC: 1",
    ]);
  });

  it("counts a job from start to end although it was suspended, and from submission although it was held", async () => {
    const lines = [line({ Elapsed: "00:30:00", Eligible: "2026-03-01T08:05:00" })];
    expect(await jobs(...lines)).toEqual([usualJob]);
    expect((await notes(...lines)).slice(1, 3)).toEqual([
      "kept: from its start to its end, in which it was suspended for a time: 1",
      "kept: it waits from its submission, although a dependency, a hold or a start time kept it out at first: 1",
    ]);
  });

  it("is in another time zone if that is given", async () => {
    const read = (timeZone: string, ...lines: readonly string[]) =>
      readLinesAs(slurm, [header, ...lines], { timeZone });
    expect(jobsOf(await read("Europe/Berlin", line()))).toEqual([
      { ...usualJob, submitSeconds: EIGHT - 3600 },
    ]);
    // Clocks were put back between start and end: Elapsed knows, and so does the zone.
    const overnight = {
      Submit: "2026-10-25T02:40:00",
      Eligible: "2026-10-25T02:40:00",
      Start: "2026-10-25T02:50:00",
      End: "2026-10-25T02:20:00",
      Elapsed: "00:30:00",
    };
    const workload = await read("Europe/Berlin", line(overnight));
    const [job] = jobsOf(workload);
    expect([job["recordedWaitSeconds"], job["runtimeSeconds"]]).toEqual([600, 1800]);
    expect(notesOf(workload)).toEqual([recognised, "read: times that name no zone, as of Europe/Berlin: 1"]);
  });

  // Berlin's clocks showed 02:00 to 03:00 twice on 25 October 2026: from 00:00 UTC, and from 01:00 UTC.
  it.each([
    ["both in the first hour", "02:10", "02:40", "00:30:00", "00:10", "00:40"],
    ["from the first hour into the second", "02:10", "02:40", "01:30:00", "00:10", "01:40"],
    [
      "from the first hour into the second, by the clock alone",
      "02:40",
      "02:10",
      "00:30:00",
      "00:40",
      "01:10",
    ],
    ["from before into the first hour", "01:10", "02:40", "01:30:00", "23:10", "00:40"],
    ["from before into the second hour", "01:10", "02:40", "02:30:00", "23:10", "01:40"],
    ["out of the first hour", "02:10", "04:00", "02:50:00", "00:10", "03:00"],
    ["out of the second hour", "02:10", "04:00", "01:50:00", "01:10", "03:00"],
    ["across both hours", "01:10", "04:00", "03:50:00", "23:10", "03:00"],
    ["suspended for a time", "02:10", "04:00", "00:10:00", "00:10", "03:00"],
    ["a second off", "02:10", "02:40", "01:29:59", "00:10", "01:40"],
  ] as const)(
    "takes of the hour that clocks showed twice what agrees with Elapsed: %s",
    async (_what, start, end, elapsed, startUtc, endUtc) => {
      const on = (clock: string): string => `2026-10-25T${clock}:00`;
      const lines = [
        line({
          Submit: on("00:30"),
          Eligible: on("00:30"),
          Start: on(start),
          End: on(end),
          Elapsed: elapsed,
        }),
      ];
      const workload = await readLinesAs(slurm, [header, ...lines], { timeZone: "Europe/Berlin" });
      const utc = (clock: string): number =>
        Date.parse(`2026-10-${clock.startsWith("23") ? 24 : 25}T${clock}:00Z`) / 1000;
      expect(jobsOf(workload)[0]).toMatchObject({
        submitSeconds: Date.parse("2026-10-24T22:30:00Z") / 1000,
        recordedWaitSeconds: utc(startUtc) - Date.parse("2026-10-24T22:30:00Z") / 1000,
        runtimeSeconds: utc(endUtc) - utc(startUtc),
      });
      const isSuspended = notesOf(workload).some((note) => note.includes("suspended"));
      expect(isSuspended).toBe(elapsed === "00:10:00");
    },
  );

  it("may have bars in names that people write", async () => {
    const withNames = header.replace("User|", "User|JobName|");
    const named = (name: string) => line().replace("ann|", `ann|${name}|`);
    const workload = await readLinesAs(slurm, [
      withNames,
      named("plain"),
      named("a|b||c").replace("100|", "101|"),
    ]);
    expect(jobsOf(workload)).toEqual([usualJob, { ...usualJob, jobNumber: 101 }]);
  });

  it("tells of repaired names, and drops a record that another runs into before its times", async () => {
    const withNames = header.replace("User|", "User|JobName|");
    const named = (id: string, name: string) => line({ JobID: id }).replace("ann|", `ann|${name}|`);
    const read = (...lines: readonly string[]) =>
      readLinesAs(slurm, [withNames, named("99", "plain"), ...lines]);
    const repaired = "read: job names with the delimiter in them: 1";
    expect(notesOf(await read(named("100", "a|7")))).toContain(repaired);
    for (const cut of ["100|ann|name|", "100|ann|name|phys", "100|an", "100|ann|na", "100|"]) {
      const workload = await read(`${cut}${named("101", "second")}`);
      expect(
        jobsOf(workload).map(({ jobNumber }) => jobNumber),
        cut,
      ).toEqual([99]);
      expect(notesOf(workload), cut).toContain("dropped: not as many fields as there are columns: 1");
      expect(notesOf(workload), cut).not.toContain(repaired);
    }
  });

  it("does not take an array's other number for a second record", async () => {
    const withNames = header.replace("JobID|User|", "JobID|JobIDRaw|User|JobName|");
    const named = line({ JobID: "100_3" }).replace("|ann|", "|105|ann|a|b|");
    const [job] = jobsOf(await readLinesAs(slurm, [withNames, named]));
    expect(job).toEqual({ ...usualJob, arrayIndex: 3 });
  });

  it("keeps names apart that are not UTF-8", async () => {
    const text = [header, line({ User: "M\xfcller" }), line({ JobID: "101", User: "M\xe4ller" }), ""].join(
      "\n",
    );
    const workload = await slurm.read({ name: "log", bytes: Buffer.from(text, "latin1") });
    expect(workload.user!.names).toEqual(["Müller", "Mäller"]);
    expect(notesOf(workload)).toContain("read as ISO 8859-1: names that are not UTF-8: 2");
  });
});

describe("odd lines of sacct", () => {
  const odd = [
    line().slice(0, 60),
    line({ JobID: "" }),
    line({ Submit: "Mär 1 08:00" }),
    line({ Start: "2026-02-30T08:10:00" }),
    line({ End: "2026-03-01T08:00:00" }),
    line({ NCPUS: "0", AllocTRES: "", ReqTRES: "" }),
    line({ NCPUS: "99999999" }),
    line({ Submit: "" }),
    "\0\0\0\0",
    "garbage",
  ];

  it("are dropped and counted, with the first line", async () => {
    const workload = await readLinesAs(slurm, [header, ...odd, line()]);
    expect(jobsOf(workload)).toEqual([usualJob]);
    expect(workload.notes.slice(1, -1)).toEqual([
      {
        what: "dropped: not as many fields as there are columns",
        count: 2,
        firstLine: 2,
        isUnreadable: true,
      },
      { what: "dropped: no job number", count: 1, firstLine: 3, isUnreadable: true },
      {
        what: "dropped: the time of submission is not a time",
        count: 1,
        firstLine: 4,
        example: "Mär 1 08:00",
        isUnreadable: true,
      },
      {
        what: "dropped: the start is not a time",
        count: 1,
        firstLine: 5,
        example: "2026-02-30T08:10:00",
        isUnreadable: true,
      },
      { what: "dropped: it ended before it started", count: 1, firstLine: 6, isUnreadable: true },
      { what: "dropped: no CPUs", count: 1, firstLine: 7, isUnreadable: true },
      { what: "dropped: the cores are out of range", count: 1, firstLine: 8, isUnreadable: true },
      { what: "dropped: no time of submission", count: 1, firstLine: 9, isUnreadable: true },
      { what: "dropped: a line with NUL bytes", count: 1, firstLine: 10, isUnreadable: true },
    ]);
  });

  it.each(odd)("are refused when asked to: %j", async (text) => {
    const error = await inputErrorOf(() => readLinesAs(slurm, [header, line(), text], { strict: true }));
    expect(error.message).toMatch(/^log:3: /);
    expect(error.line).toBe(3);
  });

  it("may be a hundred thousand, and are counted by kind", async () => {
    const lines = Array.from({ length: 100_000 }, (_, at) =>
      at % 2 === 0 ? `x${at}|y` : line({ End: `${at}:x` }),
    );
    const workload = await readLinesAs(slurm, [header, line(), ...lines]);
    expect(workload.count).toBe(1);
    expect(workload.notes).toHaveLength(4);
    expect(workload.notes.slice(1, 3).map(({ count }) => count)).toEqual([50_000, 50_000]);
  });

  it("at the end are noted if they have no line break", async () => {
    const workload = await slurm.read(textSource("log", header, line(), line({ JobID: "101" })));
    expect(notesOf(workload)).toContain(
      "kept: a last line that no line break ends: is the log cut short?: 1",
    );
    expect(workload.count).toBe(2);
  });

  it("if there are no others, the error says what became of them", async () => {
    const error = await inputErrorOf(() => readLinesAs(slurm, [header, odd[0], odd[4]]));
    expect(error.message).toMatch(
      /^log: there is no job in it; recognised: .* \(1\); dropped: not as many fields as there are columns \(1, first in line 2\); dropped: it ended before it started \(1, first in line 3\)$/,
    );
  });
});

describe("sacct that cannot be read", () => {
  it("lacks columns, which the error names", async () => {
    const error = await inputErrorOf(() =>
      readWorkload(textSource("a.txt", "JobID|JobName|AllocCPUS|State|ExitCode")),
    );
    expect(error.message).toBe(
      "a.txt:1: sacct was not asked for Submit, Start, End: add them to its --format; there are jobid, jobname, alloccpus, state, exitcode",
    );
  });

  it("is the table for people", async () => {
    const table = [
      "JobID           JobName  Partition    Account  AllocCPUS      State ExitCode",
      "------------ ---------- ---------- ---------- ---------- ---------- --------",
    ];
    const error = await inputErrorOf(() => readWorkload(textSource("a.txt", ...table)));
    expect(error.message).toMatch(
      /^a.txt:1: this is sacct's table for people.* run it again with --parsable2/,
    );
  });
});
