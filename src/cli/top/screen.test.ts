import { describe, expect, it } from "vitest";

import type { PoolView } from "../../live/service/farm-views.ts";
import type { ListedJob } from "../../live/store/reader/tasks.ts";
import { filtered, screen, wrongsOf, type Choice, type Picture } from "./screen.ts";

const north: PoolView = {
  name: "north",
  engine: "local",
  policy: "easy",
  machines: 4,
  machinesClosed: 0,
  cores: 40,
  coresFree: 10,
  memoryMiB: 4096,
  memoryFreeMiB: 4096,
  waiting: 2,
  running: 3,
  suspended: 1,
  suspends: "full",
  unreachable: null,
  paused: null,
};

function aJob(number: number, more: Partial<ListedJob> = {}): ListedJob {
  return {
    id: "",
    forecast: null,
    number,
    name: "synth",
    user: "ann",
    state: "waiting",
    reason: "",
    waitsFor: null,
    pool: "north",
    machines: [],
    submittedAt: "2026-03-02T12:00:00.000Z",
    startedAt: null,
    endedAt: null,
    exitStatus: null,
    exitSignal: null,
    attempt: 0,
    cores: 4,
    memoryMiB: 1024,
    gpus: 0,
    timeSeconds: null,
    priority: 50,
    project: "",
    group: "",
    requires: "",
    licences: "",
    comment: "",
    tags: {},
    command: ["x"],
    directory: "/",
    retries: 0,
    after: [],
    output: null,
    errorOutput: null,
    array: null,
    ...more,
  };
}

const picture: Picture = {
  name: "chips",
  now: Date.parse("2026-03-02T12:10:00.000Z"),
  jobCount: 6,
  pools: [north],
  closed: [],
  writeError: null,
  jobs: [aJob(3), aJob(2, { user: "eve" }), aJob(1, { state: "running" })],
};
const list: Choice = { filter: "", isTyping: false, chosen: 0, why: null };

describe("the screen of a farm", () => {
  it("says what is in use, by pool, and which job is chosen", () => {
    const lines = screen(picture, { ...list, chosen: 1 }, { columns: 120, rows: 20 });
    expect(lines[0]).toMatch(/^chips {2}2026-03-02 .* 6 jobs$/);
    expect(lines[1]).toBe("nothing is wrong");
    expect(lines.find((line) => line.startsWith("north"))).toMatch(
      /^north +2 +3 +1 +\[#{15}\.{5}\] +30 of 40 +\[\.{20}\] +0 GiB of 4 GiB$/,
    );
    const poolOf = (columns: number): string =>
      screen(picture, list, { columns, rows: 20 }).find((line) => line.startsWith("north"))!;
    expect(poolOf(80)).toMatch(/^north +2 +3 +1 +30 of 40 +0 GiB of 4 GiB$/);
    expect(poolOf(40)).toMatch(/^north +2 +3 +30 of 40/);
    expect(lines.filter((line) => line.startsWith(">"))).toEqual([expect.stringMatching(/^> +2 +synth/)]);
    expect(lines.at(-1)).toMatch(/^q: quit/);
  });

  it("says what is wrong, where and since when, the worst first", () => {
    const machine = { pool: "north", state: "drained", reason: "disk (ann)" } as const;
    const closed = [
      { ...machine, name: "n2", since: "2026-03-02T11:00:00.000Z" },
      { ...machine, name: "n1", since: "2026-03-02T10:00:00.000Z" },
    ] as unknown as Picture["closed"];
    const unreachable = { reason: "slurmctld does not answer", since: "2026-03-02T09:00:00.000Z" };
    const pools = [
      { ...north, machinesClosed: 2 },
      { ...north, name: "south", unreachable },
    ];
    const wrongs = wrongsOf({ ...picture, pools, closed, writeError: "the disk is full" });
    expect(wrongs.map((wrong) => wrong.replaceAll(/\d{4}-.{14}/g, "TIME"))).toEqual([
      "nothing can be written, so nothing starts: the disk is full",
      "pool south cannot be reached, since TIME: slurmctld does not answer",
      "2 of 4 machines of pool north take nothing new: first n1, since TIME, disk (ann)",
    ]);
    expect(screen({ ...picture, pools, closed }, list, { columns: 200, rows: 30 })[1]).toMatch(
      /^WRONG {2}pool south/,
    );
  });

  it("fits any terminal, and keeps the chosen job on it", () => {
    const jobs = Array.from({ length: 300 }, (_, at) => aJob(300 - at));
    for (const [columns, rows] of [
      [1, 1],
      [20, 5],
      [80, 24],
      [300, 100],
    ] as const)
      for (const chosen of [0, 150, 299]) {
        const lines = screen({ ...picture, jobs }, { ...list, chosen }, { columns, rows });
        expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(columns);
        if (rows < 20) continue;
        expect(lines.length).toBeLessThanOrEqual(rows);
        expect(lines.filter((line) => line.startsWith(">"))).toHaveLength(1);
      }
  });

  it("shows no control characters of users", () => {
    const jobs = [aJob(1, { name: "\u001b[2Jx", user: "a\u0007b" })];
    const lines = screen({ ...picture, name: "\u001b]0;x", jobs }, list, { columns: 120, rows: 30 });
    expect(lines.join("")).not.toMatch(/\p{Cc}/u);
  });

  it("leaves the jobs with all words of the filter", () => {
    const numbers = (filter: string): number[] => filtered(picture.jobs, filter).map(({ number }) => number);
    expect(numbers("")).toEqual([3, 2, 1]);
    expect(numbers("EVE north")).toEqual([2]);
    expect(numbers("running")).toEqual([1]);
    expect(numbers("eve running")).toEqual([]);
  });
});
