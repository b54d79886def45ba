import { array, assert, constantFrom, property } from "fast-check";
import { describe, expect, it } from "vitest";

import { InputError } from "../../workload/index.ts";
import { exportScheduling } from "./files.ts";
import type { LogFacts } from "./log-facts.ts";
import { schedulingPolicy } from "./policy.ts";
import { propose, type SiteFile } from "./proposal.ts";
import { schedulingExporters } from "./registry.ts";

const DAY = 86_400;
const facts: LogFacts = {
  log: "june",
  longestSeconds: 7 * DAY,
  hasLimits: true,
  withoutLimitShare: 0,
  waiting: 730,
  longestWaitSeconds: 2 * DAY,
  spanSeconds: 30 * DAY,
};

function proposal(system: string, kind: string, texts: readonly string[], more: Partial<LogFacts> = {}) {
  const exporter = schedulingExporters.find(({ name }) => name === system)!;
  const against = texts.map((text, at): SiteFile => ({ file: `file-${at}`, text }));
  const policy = schedulingPolicy(kind, kind, "first-fit");
  return propose(exporter, policy, { facts: { ...facts, ...more }, against });
}

/** The lines of a file that are not comments. */
function loaded(system: string, kind: string, texts: readonly string[], more: Partial<LogFacts> = {}) {
  return proposal(system, kind, texts, more).files.flatMap(({ lines, back }) => ({
    now: lines.filter((line) => !line.startsWith("#")),
    back: back?.lines,
  }));
}

const SLURM = `ClusterName=a # ours
SelectType=select/linear
SchedulerParameters=defer,bf_window=2880,\\
  bf_max_job_test=5000
NodeName=n[1-9] CPUs=4
`;

describe("what a site has stays", () => {
  it("on Slurm: other parameters, and more of what is to be enough", () => {
    expect(loaded("slurm", "easy", [SLURM])).toEqual([
      {
        now: [
          "SchedulerParameters=defer,bf_window=10080,bf_max_job_test=5000,bf_job_part_count_reserve=1,bf_continue",
        ],
        back: ["SchedulerParameters=defer,bf_window=2880,bf_max_job_test=5000"],
      },
    ]);
    const [{ lines }] = proposal("slurm", "easy", [SLURM]).files;
    expect(lines.join("\n")).toMatch(
      /^# bf_window 10080, was 2880\. .*june: 7 days.*scontrol reconfigure\.$/m,
    );
  });

  it.each([
    ["quotes", 'SchedulerParameters="defer,bf_window=20000"'],
    ["blanks", "  schedulerparameters =  defer,bf_window=20000   # ours"],
    ["the last line counts", "SchedulerParameters=max_rpc_cnt=9\nSchedulerParameters=defer,bf_window=20000"],
    ["lines that go on", "SchedulerPara\\\nmeters=defer,\\\r\n   bf_window=20000"],
    ["scontrol show config", "SchedulerParameters     = defer,bf_window=20000\nKillWait = 30 sec"],
    ["a node of that name", "SchedulerParameters=defer,bf_window=20000\nNodeName=a SchedulerParameters=no"],
  ])("on Slurm: parameters however they are written: %s", (_, lines) => {
    const [{ now, back }] = loaded("slurm", "easy", [`ClusterName=a\n${lines}\n`]);
    expect(now.at(-1)).toMatch(/^SchedulerParameters=defer,bf_window=20000,bf_job_part_count_reserve=1,/);
    expect(back).toEqual(["SchedulerParameters=defer,bf_window=20000"]);
  });

  it("on Slurm: nothing is written against a file that is not whole", () => {
    for (const include of ["Include /etc/slurm/sched.conf", "  include nodes.conf # ours"])
      expect(() => proposal("slurm", "easy", [`ClusterName=a\n${include}\n`])).toThrow(
        /Include lines, which are not followed: give what scontrol show config prints/,
      );
    expect(proposal("slurm", "easy", ["ClusterName=a\n#Include old.conf\n"]).files).toHaveLength(1);
  });

  it("on Slurm: what was not written is told to be taken out again", () => {
    expect(loaded("slurm", "fcfs", ["SlurmctldHost=c"])).toEqual([
      { now: ["SchedulerType=sched/builtin"], back: ["# Take the line out: SchedulerType="] },
    ]);
    const backfilling = "SlurmctldHost=c\nSchedulerType=sched/backfill\nSchedulerParameters=defer\n";
    expect(loaded("slurm", "fcfs", [backfilling])).toEqual([
      { now: ["SchedulerType=sched/builtin"], back: ["SchedulerType=sched/backfill"] },
    ]);
  });

  it("on PBS: values for prime time come back as they were, and nothing is written twice", () => {
    const config = "strict_ordering: false\tprime\nstrict_ordering: true\tnon_prime\nby_queue: true\tALL\n";
    expect(
      loaded("pbs", "easy", [config, "set server scheduling = True\nset server backfill_depth = 8\n"]),
    ).toEqual([
      {
        now: ["strict_ordering: true\tALL"],
        back: ["strict_ordering: false\tprime", "strict_ordering: true\tnon_prime"],
      },
      { now: ["set server backfill_depth = 1"], back: ["set server backfill_depth = 8"] },
    ]);
    expect(loaded("pbs", "conservative", [config, "set server backfill_depth = 900\n"])).toHaveLength(1);
  });

  it("on PBS: a queue's own depth counts in place of the server's, and is changed with it", () => {
    const server = `create queue workq
set queue workq queue_type = Execution
set queue workq backfill_depth = 3
create queue night
set queue night backfill_depth = 900
set server backfill_depth = 200
`;
    expect(loaded("pbs", "conservative", [server]).at(-1)).toEqual({
      now: ["set server backfill_depth = 730", "set queue workq backfill_depth = 730"],
      back: ["set server backfill_depth = 200", "set queue workq backfill_depth = 3"],
    });
    const { lines } = proposal("pbs", "conservative", [server]).files.at(-1)!;
    expect(lines[2]).toMatch(/^# In queue workq, in place of the server's: backfill_depth 730, was 3\. /);
    expect(loaded("pbs", "easy", ["set queue workq backfill_depth = 3\n"]).at(-1)).toEqual({
      now: ["set queue workq backfill_depth = 1"],
      back: ["set queue workq backfill_depth = 3"],
    });
  });

  it.each([
    [
      "pbs",
      "strict_ordering: true\tALL\nfair_share: false\tALL\nround_robin: False\tALL\n",
      /fair_share|round_robin/,
    ],
    ["slurm", "ClusterName=a\nPriorityType=priority/basic\nSchedulerParameters=defer\n", /PriorityType/],
  ])("on %s: what it has already is no decision", (system, text, line) => {
    const lines = (texts: readonly string[]): string =>
      proposal(system, "easy", texts)
        .decisions.flatMap((decision) => decision.lines)
        .join("\n");
    expect(lines([])).toMatch(line);
    expect(lines([text])).not.toMatch(line);
    if (system === "pbs") expect(lines([text])).toMatch(/by_queue: false\tALL\nhelp_starving/);
    // Of prime time alone it is one.
    expect(lines([text.replace(/ALL\n(?=round)|basic/, "prime\n")])).toMatch(line);
  });

  it("on LSF: what all queues have is no decision", () => {
    const queue = (name: string, limit: string): string =>
      `Begin Queue\nQUEUE_NAME = ${name}\nRUNLIMIT = ${limit}\nEnd Queue\n`;
    const isOne = (...limits: readonly string[]): boolean =>
      proposal("lsf", "conservative", [
        limits.map((limit, at) => queue(`q${at}`, limit)).join(""),
      ]).decisions.some(({ lines }) => lines[0].startsWith("RUNLIMIT"));
    expect(isOne("168:00", "168:00")).toBe(false);
    expect(isOne("168:00", "8:00")).toBe(true);
  });

  it("on LSF: queue by queue", () => {
    const queues = `Begin Queue
QUEUE_NAME = long
BACKFILL = y
RUNLIMIT = 8:00
End Queue
Begin Queue
QUEUE_NAME=night   # at night
SLOT_RESERVE = MAX_RESERVE_TIME[60480]
End Queue`;
    const [{ lines, back }] = proposal("lsf", "conservative", [queues]).files;
    expect(lines.filter((line) => /^# Queue|^[^#]/.test(line))).toEqual([
      "# Queue long:",
      "SLOT_RESERVE = MAX_RESERVE_TIME[60480]",
      "# Queue night:",
      "BACKFILL = Y",
    ]);
    expect(back!.lines).toEqual([
      "# Queue long:",
      "# Take the line out: SLOT_RESERVE",
      "# Queue night:",
      "# Take the line out: BACKFILL",
    ]);
  });

  it("on LSF: a longer time stays, and so does a queue that reserves otherwise", () => {
    const queues = `Begin Queue
QUEUE_NAME = big
RESOURCE_RESERVE = MAX_RESERVE_TIME[20]
End Queue
Begin Queue
QUEUE_NAME = patient
SLOT_RESERVE = MAX_RESERVE_TIME[99999]
End Queue`;
    const [{ lines }] = proposal("lsf", "conservative", [queues]).files;
    expect(lines.filter((line) => /^# Queue|^[^#]/.test(line))).toEqual([
      "# Queue big:",
      "BACKFILL = Y",
      "# Queue patient:",
      "BACKFILL = Y",
    ]);
  });

  it("on LSF: where queues preempt others' jobs, backfilling is a decision, since it would stop that", () => {
    const urgent = "Begin Queue\nQUEUE_NAME = urgent\nPREEMPTION = PREEMPTIVE[long]\nEnd Queue\n";
    const long = "Begin Queue\nQUEUE_NAME = long\nEnd Queue\n";
    const { files, decisions } = proposal("lsf", "conservative", [urgent + long]);
    expect(files).toEqual([]);
    expect(decisions[0].lines).toEqual(["SLOT_RESERVE = MAX_RESERVE_TIME[60480]", "BACKFILL = Y"]);
    expect(decisions[0].does).toMatch(
      /are preempted no more: urgent jobs would wait for them\. PREEMPT_JOBTYPE/,
    );
    const done = long.replace("End", "BACKFILL = Y\nSLOT_RESERVE = MAX_RESERVE_TIME[60480]\nEnd");
    expect(proposal("lsf", "conservative", [done]).decisions).not.toContainEqual(decisions[0]);
    expect(proposal("lsf", "conservative", [long]).files).toHaveLength(1);
    // What only waits for slots hinders no preemption.
    expect(proposal("lsf", "first-fit", [urgent + long]).files).toHaveLength(1);
  });

  it("on Grid Engine: the file of requests is another one", () => {
    const config =
      "algorithm  default\nschedule_interval  0:0:15\nmax_reservation  0\ndefault_duration  INFINITY\n";
    expect(loaded("grid-engine", "easy", [config, "# cell\n-w e\n-R n\n"])).toEqual([
      {
        now: ["max_reservation                   1", "default_duration                  168:00:00"],
        back: ["max_reservation                   0", "default_duration                  INFINITY"],
      },
      { now: ["-R y"], back: ["-R n"] },
    ]);
  });

  it("in Kubernetes: other profiles, and a strategy that is the default", () => {
    const scheduler = "kind: KubeSchedulerConfiguration\nprofiles:\n  - schedulerName: batch\n";
    const [file, ...others] = proposal("kubernetes", "easy", [
      scheduler,
      "kind: ClusterQueue\nspec:\n  cohort: a\n",
    ]).files;
    expect(others).toEqual([]);
    expect(file.lines.filter((line) => line.includes("schedulerName"))).toEqual(["  - schedulerName: croft"]);
  });
});

it("nothing is written where nothing differs", () => {
  const site =
    "ClusterName=a\nSchedulerParameters=bf_job_part_count_reserve=1,bf_window=43200,bf_resolution=300,bf_continue,bf_max_job_test=1000";
  const exporter = schedulingExporters.find(({ name }) => name === "slurm")!;
  const files = exportScheduling(exporter, schedulingPolicy("easy", "easy", "first-fit"), {
    facts,
    against: [{ file: "slurm.conf", text: site }],
  });
  expect(files.map(({ name }) => name)).toEqual(["README.md"]);
  expect(files[0].text).toContain("Nothing is to be changed");
});

it.each([
  [20, /^- After 28 days: write/m],
  [28, /^- After 28 days: write/m],
  [30, /^- After 30 days, as long as the log is: write/m],
  [1264, /^- After 28 days, and again after 1264 days, as long as the log is: write/m],
])(
  "a log of %d days is measured after as many days, and after four weeks if these are far fewer",
  (days, when) => {
    const exporter = schedulingExporters.find(({ name }) => name === "slurm")!;
    const [readme] = exportScheduling(exporter, schedulingPolicy("easy", "easy", "first-fit"), {
      facts: { ...facts, spanSeconds: days * DAY },
      against: [],
    });
    expect(readme.text).toMatch(when);
  },
);

describe("values of the log", () => {
  it.each([
    [3600, undefined, undefined],
    [2 * DAY, "2880", undefined],
    [29 * DAY, "41760", "300"],
    // slurmctld takes a day for more than 30.
    [125 * DAY, "43200", "300"],
  ])("a longest limit of %d s: bf_window %s, bf_resolution %s", (longestSeconds, window, resolution) => {
    const [{ now }] = loaded("slurm", "easy", ["ClusterName=a"], { longestSeconds });
    const parameters = new Map(
      now
        .at(-1)!
        .replace("SchedulerParameters=", "")
        .split(",")
        .map((each) => each.split("=") as [string, string]),
    );
    expect([parameters.get("bf_window"), parameters.get("bf_resolution")]).toEqual([window, resolution]);
    expect(parameters.get("bf_max_job_test")).toBe("800");
  });

  it("how long slots are kept and what a job is expected to take", () => {
    const text = (system: string): string =>
      proposal(system, "easy", [])
        .files.flatMap(({ lines }) => lines)
        .join("\n");
    expect(text("lsf")).toContain("SLOT_RESERVE = MAX_RESERVE_TIME[60480]");
    expect(text("grid-engine")).toMatch(/^default_duration +168:00:00$/m);
    expect(proposal("lsf", "easy", []).decisions[0]).toMatchObject({ lines: ["RUNLIMIT = 168:00"] });
  });
});

it.each(schedulingExporters.map(({ name }) => name))("a foreign file is refused: %s", (system) => {
  expect(() => proposal(system, "easy", ["<html>"])).toThrow(InputError);
});

it("any text is read or refused", () => {
  const words = constantFrom(
    "ClusterName=",
    "SchedulerParameters=",
    "a",
    " ",
    ",",
    "=",
    "\n",
    "\r\n",
    "\\\n",
    "# ",
    "\0",
    "-R",
    "strict_ordering: true",
    "by_queue:",
    "set server a = 1",
    "set server backfill_depth = ",
    "Begin Queue\n",
    "QUEUE_NAME = q\n",
    "End Queue\n",
    "schedule_interval 1\n",
    "max_reservation x",
    "kind: ClusterQueue\n",
    "kind: KubeSchedulerConfiguration\n",
    "  queueingStrategy: ",
    "schedulerName: croft",
  );
  const texts = array(words, { maxLength: 40 }).map((each) => each.join(""));
  assert(
    property(texts, constantFrom(...schedulingExporters), (text, exporter) => {
      const policy = schedulingPolicy("easy", "easy", "first-fit");
      try {
        for (const { changes, lines } of propose(exporter, policy, { facts, against: [{ file: "f", text }] })
          .files) {
          expect(changes.length).toBeGreaterThan(0);
          expect(lines.join("\n")).not.toMatch(/undefined|null|NaN/);
        }
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
      }
    }),
  );
});
