import { describe, expect, it } from "vitest";

import { InputError, type CodedColumn, type Workload } from "../../workload/index.ts";
import { aPoolOf, farmOf, runFarm } from "../farm.fixture.ts";
import { aWorkload, type JobSpec } from "../workload.fixture.ts";
import { explainJob, explainRows } from "./explain-job.ts";
import { longestWaits, parseJobName, rowsOfJob } from "./find-jobs.ts";

function coded(...values: string[]): CodedColumn {
  const names = [...new Set(values)];
  return { names, codes: Int32Array.from(values, (value) => names.indexOf(value)) };
}

const machines = [
  { coresMilli: 4000, attributes: { os: "old" } },
  { coresMilli: 1000, attributes: { os: "new" } },
  { coresMilli: 2000, attributes: { os: "new" } },
];

describe("an explanation", () => {
  it("ends an attempt with its machine where another attempt at the job goes on", () => {
    const workload = aWorkload([
      { run: 100, priority: 0, pools: "a;b" },
      { submit: 40, run: 50, priority: 1, pools: "a" },
    ]);
    const { steps } = explainJob(1, workload, farmOf([aPoolOf("a", [{}]), aPoolOf("b", [{}])]), {
      strategy: "DupSusUtil",
      failures: { kind: "listed", outages: [{ machine: 0, downSeconds: 100, upSeconds: 500 }] },
    });
    expect(steps.filter(({ attempt }) => attempt === 1).at(-1)).toMatchObject({
      doing: "running",
      fromSeconds: 90,
      toSeconds: 100,
    });
    expect(steps.at(-1)!.toSeconds).toBeLessThanOrEqual(140);
  });

  it.each(["first-fit", "conservative"])(
    "names the reservation that its limit reaches into, under %s",
    (policy) => {
      const workload = aWorkload([
        { run: 20, estimate: 30, user: "ann" },
        { submit: 5, run: 60, estimate: 100, user: "bob" },
        { submit: 60, run: 10, estimate: 10, user: "bob" },
      ]);
      const farm = {
        ...farmOf([aPoolOf("p", [{ coresMilli: 4000 }], { policy })]),
        reservations: [
          {
            name: "disks",
            pool: 0,
            machines: null,
            from: { since: "log" as const, seconds: 50 },
            seconds: 150,
            users: ["ann"],
            groups: [],
            projects: [],
            reason: null,
          },
        ],
      };
      const long = explainJob(2, workload, farm);
      expect(long.startSeconds).toBe(200);
      expect(long.steps[0].reasons).toMatchObject([
        { kind: "reserved", machines: 1, reservation: "disks", fromSeconds: 50, hasBegun: false },
        ...(policy === "conservative" ? [{ kind: "promised", startSeconds: 200 }] : []),
      ]);
      expect(long.waits.map(({ token, sentence }) => ({ token, sentence }))).toEqual([
        { token: "reserved", sentence: "its limit reaches into the reservation disks of 1 machine" },
      ]);
      expect(explainJob(3, workload, farm).waits).toMatchObject([
        { token: "reserved", sentence: "1 machine is kept for others by the reservation disks" },
      ]);
    },
  );

  it("says which machines were ineligible and by which requirement, too small, and too full by how much", () => {
    const jobs: JobSpec[] = [{ run: 100 }, { run: 50 }, { submit: 10, run: 5, cores: 2000 }];
    const workload: Workload = {
      ...aWorkload(jobs),
      requires: coded("cores == 2", "cores == 1", "cores >= 1 and os == 'new'"),
    };
    const farm = farmOf([aPoolOf("p", machines)]);
    const { steps, startSeconds } = explainJob(3, workload, farm);
    expect(startSeconds).toBe(100);
    expect(steps).toEqual([
      {
        doing: "waiting",
        fromSeconds: 10,
        toSeconds: 100,
        pool: "p",
        attempt: 1,
        because: { kind: "submitted" },
        cycles: 2,
        reasons: [
          { kind: "requirement", machines: 1, part: "os == 'new'", has: "os is old" },
          { kind: "too small", machines: 1 },
          {
            kind: "too full",
            machines: 1,
            nearest: {
              machine: "p-3",
              coresShort: 1,
              memoryShortMiB: 0,
              gpusShort: 0,
              gpuKind: null,
              running: [1],
              suspended: [],
            },
          },
        ],
      },
      {
        doing: "running",
        fromSeconds: 100,
        toSeconds: 105,
        pool: "p",
        attempt: 1,
        because: { kind: "started" },
        machines: ["p-3"],
      },
    ]);
  });

  it("says for whom a job was suspended, and where and why it was moved", () => {
    const workload: Workload = {
      ...aWorkload([{ run: 100 }, { run: 30 }, { submit: 40, run: 20 }]),
      pools: coded("", "b", "a"),
      priority: Int32Array.of(0, 0, 1),
    };
    const farm = farmOf([aPoolOf("a", [{}]), aPoolOf("b", [{}])], {
      sites: ["here", "there"],
      transferSeconds: [
        [0, 7],
        [7, 0],
      ],
    });
    const away = { ...farm, pools: [farm.pools[0], { ...farm.pools[1], site: 1 }] };
    const { steps, completedSeconds } = explainJob(1, workload, away, { strategy: "ResSusUtil" });
    expect(steps.map(({ doing, pool, fromSeconds, because }) => [doing, pool, fromSeconds, because])).toEqual(
      [
        ["waiting", "a", 0, { kind: "submitted", routing: "round-robin" }],
        ["running", "a", 0, { kind: "started" }],
        [
          "suspended",
          "a",
          40,
          { kind: "suspended", by: [3], rank: { kind: "priority", priority: 1, ownPriority: 0 } },
        ],
        ["in transfer", "b", 40, { kind: "moved", from: "a", strategy: "ResSusUtil", when: "suspended" }],
        ["waiting", "b", 47, { kind: "arrived" }],
        ["running", "b", 47, { kind: "started" }],
      ],
    );
    expect(completedSeconds).toBe(147);
  });

  it("says that machines with room were kept free, and for whom; and what other heuristics would have done", () => {
    // The second job reserves the only machine that could hold it, which the third would fit on.
    const workload = aWorkload([
      { run: 60, cores: 2000 },
      { submit: 1, run: 10, cores: 3000 },
      { submit: 2, run: 10, cores: 2000 },
    ]);
    const { steps, alternatives } = explainJob(3, workload, farmOf([aPoolOf("p", [{ coresMilli: 4000 }])]));
    expect(steps[0].reasons).toEqual([
      {
        kind: "kept free",
        machines: 1,
        tasksWithRoom: 1,
        tasks: 1,
        before: [2],
        beforeCount: 1,
        rank: { kind: "earlier" },
      },
    ]);
    expect(alternatives.map(({ policy }) => policy)).toEqual([
      "best-fit-cores",
      "worse-fit-cores",
      "dot-product",
    ]);
    for (const { startSeconds } of alternatives) expect(startSeconds).toBe(70);
  });

  it("says what its project has used, where later jobs of others came first for it", () => {
    const jobs: JobSpec[] = [
      { run: 3600, project: "/a/x" },
      { run: 10, project: "/a/x" },
      { run: 10, project: "/a/y" },
      { run: 10, project: "/b" },
    ];
    const settings = {
      fairShare: [{ path: "/a", share: 3 }],
      usage: { halfLifeSeconds: 1e12, of: "cores" },
    } as const;
    const used = (job: number): unknown[] =>
      explainJob(job, aWorkload(jobs), farmOf([aPoolOf("p", [{}])]), settings).steps.flatMap(
        ({ reasons = [] }) => reasons.filter(({ kind }) => kind === "share used"),
      );
    const one = { kind: "share used", of: "cores", usedHours: expect.closeTo(1, 6) as number };
    // One core for an hour. Of it /a is due three quarters against /b, and /a/x half of that against /a/y.
    expect(used(2)).toEqual([
      { ...one, project: "/a", dueHours: expect.closeTo(0.75, 6) as number, before: [4, 3] },
    ]);
    expect(used(3)).toEqual([
      { ...one, project: "/a", dueHours: expect.closeTo(0.75, 6) as number, before: [4] },
    ]);
    expect(used(4)).toEqual([]);
  });

  it("does not blame fair share for a later job that just fits where this one does not", () => {
    const jobs: JobSpec[] = [
      { run: 100, project: "/b", cores: 2000 },
      { submit: 10, run: 10, project: "/a", cores: 4000 },
      { submit: 20, run: 10, project: "/b", cores: 1000 },
    ];
    const { steps } = explainJob(2, aWorkload(jobs), farmOf([aPoolOf("p", [{ coresMilli: 4000 }])]), {
      fairShare: [],
      usage: { halfLifeSeconds: 3600, of: "cores" },
      reserving: 0,
    });
    expect(steps[0].reasons).toMatchObject([{ kind: "too full", nearest: { running: [1] } }]);
    expect(steps.flatMap(({ reasons = [] }) => reasons.map(({ kind }) => kind))).not.toContain("share used");
  });

  it("tells every attempt at a job, without gaps, and the run as it is without anybody asking", () => {
    const workload: Workload = {
      ...aWorkload([{ run: 100 }, { submit: 10, run: 200 }, { submit: 20, run: 300 }]),
      pools: coded("", "a", "b"),
      priority: Int32Array.of(0, 1, 0),
    };
    const farm = farmOf([aPoolOf("a", [{}]), aPoolOf("b", [{}])]);
    const settings = { strategy: "DupSusUtil" };
    const { steps, completedSeconds } = explainJob(1, workload, farm, settings);
    const { completedSeconds: plain } = runFarm(workload, farm, settings);
    expect(completedSeconds).toBe(plain[0]);
    for (const attempt of [1, 2]) {
      const own = steps.filter((step) => step.attempt === attempt);
      expect(own.length).toBeGreaterThan(0);
      for (let i = 1; i < own.length; i++) expect(own[i].fromSeconds).toBe(own[i - 1].toSeconds);
      expect(own.at(-1)!.toSeconds).toBe(completedSeconds);
    }
  });

  it("says that a job was suspended for one of the group that owns the machine", () => {
    const workload: Workload = {
      ...aWorkload([{ run: 100 }, { submit: 40, run: 20 }]),
      priority: Int32Array.of(9, 0),
      group: coded("", "cpu"),
    };
    const { steps } = explainJob(1, workload, farmOf([aPoolOf("p", [{ owner: "cpu" }])]));
    expect(steps.find(({ doing }) => doing === "suspended")?.because).toEqual({
      kind: "suspended",
      by: [2],
      rank: { kind: "owner", group: "cpu" },
    });
  });

  it("tells of several jobs in one run what it tells of each alone", () => {
    const workload = aWorkload(
      Array.from({ length: 40 }, (_, i) => ({ submit: 7 * i, run: 30 + ((i * 13) % 50), cores: 1000 })),
    );
    const farm = farmOf([aPoolOf("p", machines)]);
    const rows = [3, 17, 39];
    const together = explainRows(rows, workload, farm);
    expect(together).toEqual(rows.map((row) => explainJob(row + 1, workload, farm)));
  });

  it("calls machines by the names that it is given, pool after pool", () => {
    const workload: Workload = {
      ...aWorkload([{ run: 10 }, { run: 10 }]),
      pools: coded("b", "a"),
    };
    const farm = farmOf([aPoolOf("a", [{}, {}]), aPoolOf("b", [{}])]);
    const ids = ["one", "two", "three"];
    const where = explainRows([0, 1], workload, farm, {}, ids).map(({ steps }) => steps.at(-1)!.machines);
    expect(where).toEqual([["three"], ["one"]]);
  });

  it("finds jobs by number and place in an array, and those that waited longest", () => {
    const workload: Workload = {
      ...aWorkload([{ run: 100 }, { submit: 1, run: 10 }, { submit: 2, run: 10 }, { submit: 200, run: 1 }]),
      jobNumber: Float64Array.of(7, 8, 8, 7),
      arrayIndex: Int32Array.of(-1, 3, 4, -1),
    };
    const rows = (name: string): number[] => rowsOfJob(parseJobName(name), workload);
    expect(rows("7")).toEqual([0, 3]);
    expect(rows("8")).toEqual([1, 2]);
    for (const name of ["8_4", "8[4]", "8.4"]) expect(rows(name)).toEqual([2]);
    expect(() => rows("8_5")).toThrow(/job 8 is there, but not that one of its array/);
    expect(() => rows("9")).toThrow(/no job 9; its first is 7, its last 7$/);
    const notes = [{ what: "dropped: it never started", count: 3, firstLine: 2 }];
    expect(() => rowsOfJob(parseJobName("9"), { ...workload, notes })).toThrow(
      /its last 7; rows of the log that were dropped, as they are no jobs that ran: 3$/,
    );
    for (const name of ["x", "8_", "-1", "8.batch"]) expect(() => parseJobName(name)).toThrow(InputError);
    expect(longestWaits(2, workload, farmOf([aPoolOf("p", [{}])]))).toEqual([2, 1]);
  });

  it("says why a job was rejected, and which jobs there are", () => {
    const workload = aWorkload([{ cores: 5000 }]);
    const farm = farmOf([aPoolOf("p", machines)]);
    expect(explainJob(1, workload, farm)).toMatchObject({
      rejected: "asks for 5 cores on one machine; the largest has 4",
      startSeconds: null,
      steps: [],
    });
    expect(() => explainJob(2, workload, farm)).toThrow(InputError);
    expect(() => explainJob(2, workload, farm)).toThrow(/its jobs are 1 to 1/);
  });

  it("says what the policy has to say: whom it would delay, whom it comes after, what it was promised", () => {
    // Two of four cores are busy until 100; the second job needs all four, the third would take one beyond that.
    const workload = {
      ...aWorkload([
        { run: 100, cores: 2000 },
        { submit: 1, run: 50, cores: 4000 },
        { submit: 2, run: 500, cores: 1000 },
      ]),
    };
    const farm = farmOf([aPoolOf("p", [{ coresMilli: 4000 }])]);
    const reasonsUnder = (policy: string, settings = {}) =>
      explainJob(3, workload, farm, { policy, ...settings }).steps[0].reasons;
    expect(reasonsUnder("easy")).toEqual([{ kind: "would delay", machines: 1, job: 2, startSeconds: 100 }]);
    expect(reasonsUnder("fcfs")).toEqual([{ kind: "behind", job: 2 }]);
    // The second job's promise ends at 150.
    const promise = { kind: "promised", on: ["p-1"], delay: null, awaits: null };
    expect(reasonsUnder("conservative")).toEqual([
      { ...promise, policy: "conservative", machines: 1, startSeconds: 150, firstSeconds: 150 },
    ]);
    expect(reasonsUnder("backfill:2")).toEqual([
      { ...promise, policy: "backfill:2", machines: 1, startSeconds: 150, firstSeconds: 150 },
    ]);
    expect(reasonsUnder("backfill:1")).toEqual([
      { kind: "would delay promises", machines: 1, jobs: [2], count: 1, startSeconds: 100 },
    ]);
    expect(reasonsUnder("first-fit", { examined: 1, reserving: 0 })).toEqual([
      { kind: "not examined", examined: 1 },
    ]);
  });

  it("says what moved a promise, each time that it was moved", () => {
    // The first job outlives its estimate of 10 by 6: its end is then expected at 11, 12, 14 and 18.
    const workload = {
      ...aWorkload([
        { run: 16, cores: 4000 },
        { submit: 1, run: 5, cores: 4000 },
      ]),
      estimateSeconds: Float64Array.of(10, 5),
    };
    const farm = farmOf([aPoolOf("p", [{ coresMilli: 4000 }])]);
    const { steps } = explainJob(2, workload, farm, { policy: "conservative", estimates: "log" });
    const promises = steps.flatMap(({ reasons }) => reasons?.filter(({ kind }) => kind === "promised") ?? []);
    expect(promises).toEqual(
      [10, 11, 12, 14, 18].map((startSeconds) => ({
        kind: "promised",
        policy: "conservative",
        machines: 0,
        startSeconds,
        awaits: null,
        firstSeconds: 10,
        on: ["p-1"],
        ...(startSeconds === 10 ? { delay: null } : { delay: "overrun", by: [1] }),
      })),
    );
  });

  it("says that machines are reserved to a family", () => {
    const workload = {
      ...aWorkload([
        { run: 100, cores: 1000 },
        { submit: 10, run: 10, cores: 1000 },
      ]),
      queue: coded("ams", "other"),
    };
    const farm = farmOf([aPoolOf("p", [{ coresMilli: 4000 }])]);
    const packing = {
      policy: "exclusive" as const,
      families: [{ field: "queue" as const, values: ["ams"] }],
      ttlSeconds: Infinity,
    };
    const { steps } = explainJob(2, workload, farm, { packing });
    expect(steps[0].reasons).toEqual([{ kind: "other families", machines: 1 }]);
  });

  it("says that a machine failed under the job", () => {
    const workload = aWorkload([{ run: 100 }]);
    const farm = farmOf([aPoolOf("p", [{}])]);
    const failures = { kind: "listed", outages: [{ machine: 0, downSeconds: 40, upSeconds: 60 }] } as const;
    const { steps, completedSeconds } = explainJob(1, workload, farm, { failures });
    expect(steps.map(({ doing, because }) => [doing, because?.kind])).toEqual([
      ["waiting", "submitted"],
      ["running", "started"],
      ["waiting", "lost"],
      ["running", "started"],
    ]);
    expect(steps[2].reasons).toEqual([{ kind: "drained", machines: 1 }]);
    expect(completedSeconds).toBe(160);
  });
});
