import { describe, expect, it } from "vitest";

import type { PoolView } from "../../live/service/farm-views.ts";
import type { ListedJob } from "../../live/reader/tasks.ts";
import { filtered, screen, withinText, wrongsOf, type Choice, type Picture } from "./screen.ts";

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
  gpus: 0,
  gpusFree: 0,
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
    beginAt: null,
    deadlineAt: null,
    submittedAt: "2026-03-02T12:00:00.000Z",
    startedAt: null,
    suspendedSeconds: 0,
    suspendedAt: null,
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
    rerunOf: null,
    comment: "",
    tags: {},
    command: ["x"],
    directory: "/",
    signal: null,
    retries: 0,
    notify: [],
    retryOn: null,
    retryDelaySeconds: 0,
    input: null,
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
const list: Choice = { filter: "", isTyping: false, chosen: 0, why: null, whyFrom: 0 };

describe("the screen of a farm", () => {
  it("says what is in use, by pool, and which job is chosen", () => {
    const lines = screen(picture, { ...list, chosen: 1 }, { columns: 120, rows: 20 });
    expect(lines[0]).toMatch(/^chips {2}2026-03-02 .* 6 jobs$/);
    expect(lines[1]).toBe("nothing is wrong");
    expect(lines.find((line) => line.startsWith("north"))).toMatch(
      /^north +2 +3 +1 +\[#{15}\.{5}\] +30 of 40 +\[\.{20}\] +0 MiB of 4.00 GiB$/,
    );
    const poolOf = (columns: number): string =>
      screen(picture, list, { columns, rows: 20 }).find((line) => line.startsWith("north"))!;
    expect(poolOf(80)).toMatch(/^north +2 +3 +1 +30 of 40 +0 MiB of 4.00 GiB$/);
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

  it("shows when jobs start, and why they wait, in a window of 80 columns", () => {
    const at = (time: string): string => `2026-03-02T${time}.000Z`;
    const between = { from: at("12:30:00"), to: at("13:50:00") };
    const forecast = {
      never: null,
      isNow: false,
      isRough: true,
      startsAt: at("12:40:00"),
      within80: between,
    } as unknown as ListedJob["forecast"];
    const name = "train-a-model-of-a-long-name";
    const jobs = [
      aJob(1003, { name, forecast, waitsFor: "licence", user: "annabelle", memoryMiB: 131_072 }),
      aJob(1002, { name, array: { id: "", index: 17 } as unknown as ListedJob["array"] }),
      aJob(1001, { state: "running", startedAt: at("12:05:00"), machines: ["rack-12-node-7"] }),
    ];
    const rows = (columns: number): string[] => {
      const lines = screen({ ...picture, jobs }, list, { columns, rows: 24 });
      return lines.slice(lines.findIndex((line) => line.includes("  job  name")));
    };
    const [titles = "", first = "", second = ""] = rows(80);
    expect(titles).toContain("starts");
    expect(first).toMatch(/~\d\d:\d\d - \d\d:\d\d +licence$/);
    expect(second).toContain("train-a…[17]");
    expect(rows(160)[0]).toMatch(/where +cores +memory +waited +starts +ran$/);
  });

  it("wraps why a job waits, and moves it where it is longer than the window", () => {
    const words = Array.from({ length: 60 }, (_, at) => `word${at}`).join(" ");
    const why = ["Job 1 is waiting.", `- ${words}`, "last"];
    const shown = (whyFrom: number): string[] => {
      const size = { columns: 40, rows: 14 };
      const lines = screen(picture, withinText(picture, { ...list, why, whyFrom }, size), size);
      return lines.slice(lines.findIndex((line) => line.startsWith("north")) + 2, -1);
    };
    expect(shown(0)[0]).toBe("Job 1 is waiting.");
    expect(shown(0)[1]).toBe("- word0 word1 word2 word3 word4 word5");
    expect(shown(0)[2]).toBe("  word6 word7 word8 word9 word10 word11");
    expect(shown(1)[0]).toBe(shown(0)[1]);
    expect(shown(1000).at(-1)).toBe("last");
    expect(shown(1000)).toHaveLength(shown(0).length);
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
