import { expect, test } from "vitest";

import { inventCheck, inventRecord } from "./report.fixture.ts";
import { AS_BELIEVED } from "./trials.ts";
import { followsText, isAlike, unseenOf } from "./unseen.ts";

const plain = (texts: readonly string[]): string => texts.join("\n").replaceAll("\u00a0", " ");

test("inferred machines prove little, and one that has nearly all jobs stands out", () => {
  const busiest = { name: "n07", jobsShare: 0.988 };
  expect(plain(unseenOf(undefined, undefined, { isInferred: true, machines: 46, used: 46, busiest }))).toBe(
    "The machines are inferred, each only as large as what ran on it: that the simulation comes near the record then proves little.\n" +
      "99 % of the jobs ran on 1 of 46 machines (n07): a partition or constraint that the log does not tell? Simulated, all machines are open to all jobs.",
  );
  const even = { name: "n07", jobsShare: 0.3 };
  expect(
    unseenOf(undefined, undefined, { isInferred: false, machines: 46, used: 40, busiest: even }),
  ).toEqual([]);
  expect(
    plain(unseenOf(undefined, undefined, { isInferred: false, machines: 46, used: 12, busiest: even })),
  ).toMatch(/^Jobs ran on 12 of 46 machines: a partition/);
  const alone = { name: "n07", jobsShare: 1 };
  expect(unseenOf(undefined, undefined, { isInferred: false, machines: 1, used: 1, busiest: alone })).toEqual(
    [],
  );
});

test("where jobs go to the machines of their queues, none is said to be open to all", () => {
  const busiest = { name: "black-1", jobsShare: 0.99 };
  const use = { isInferred: false, machines: 46, isByQueue: true } as const;
  expect(unseenOf(undefined, undefined, use)).toEqual([]);
  const alone = { ...use, queue: { name: "black", machines: 1, jobsShare: 0.99 }, used: 1, busiest };
  expect(unseenOf(undefined, undefined, alone)).toEqual([]);
  expect(plain(unseenOf(undefined, undefined, { ...alone, isInferred: true }))).toMatch(
    /\n99 % of the jobs are of queue black, and all of these ran on 1 of 46 machines: if the queue has more than the log/,
  );
  const half = { ...alone, isInferred: true, queue: { ...alone.queue, jobsShare: 0.5 } };
  expect(unseenOf(undefined, undefined, half)).toHaveLength(1);
  const several = { ...use, queue: { name: "red", machines: 40, jobsShare: 0.99 }, used: 30, busiest };
  expect(plain(unseenOf(undefined, undefined, several))).toBe(
    "99 % of the jobs of queue red ran on 1 of its 40 machines (black-1): a constraint that the log does not tell? Simulated, all of these are open to them.",
  );
  const few = { ...several, used: 19, busiest: { ...busiest, jobsShare: 0.3 } };
  expect(plain(unseenOf(undefined, undefined, few))).toBe(
    "Jobs of queue red ran on 19 of its 40 machines: a constraint that the log does not tell? Simulated, all of these are open to them.",
  );
  expect(unseenOf(undefined, undefined, { ...few, used: 20 })).toEqual([]);
});

test("why the simulation is far from the record is guessed by which of them waits longer", () => {
  const why = (recordedSeconds: number, factor: number): string => {
    const recorded = inventRecord(recordedSeconds);
    return plain(unseenOf(recorded, inventCheck(recorded, factor), undefined));
  };
  expect(why(8000, 0.5)).toMatch(/leaves out much of what jobs waited for, such as limits of users/);
  expect(why(8000, 2)).toMatch(/the farm may have had more, or larger, machines than were given: simulated/);
  expect(why(130, 0)).toMatch(/jobs waited for no machine, only for the farm to start them/);
  expect(why(8000, 0)).toMatch(/leaves out much/);
});

test("the simulation is held against the record by queue, user and size", () => {
  const recorded = inventRecord(8000);
  const fidelity = { ...inventCheck(recorded, 1), waitsBy: recorded.waitsBy };
  const [queue, ...others] = recorded.waitsBy.queues!;
  const longer = { ...queue, waitMeanSeconds: queue.waitMeanSeconds * 3 };
  const waitsBy = { ...recorded.waitsBy, queues: [longer, ...others] };
  expect(plain(unseenOf(recorded, { ...fidelity, waitsBy }, undefined))).toMatch(
    /within a factor of 2 are 1 of 2 queues, 4 of 4 users and 3 of 3 job sizes\.$/,
  );
});

test("a policy that follows the record where the site's does not is named, as a question", () => {
  const recorded = inventRecord(8000);
  const fidelity = { ...inventCheck(recorded, 0.3), nearer: "fcfs" };
  expect(plain(unseenOf(recorded, fidelity, undefined))).toContain(
    "fcfs follows the record: if that is what ran, say so (--baseline fcfs).",
  );
});

test.each([
  [0.8, "closely"],
  [0.79, "roughly"],
  [0.5, "roughly"],
  [0.49, "weakly"],
  [0.19, "does not follow"],
])("a correlation of %d in words", (correlation, words) => {
  expect(followsText(correlation)).toContain(words);
});

test("waits are alike within a factor of 2, or a minute", () => {
  expect(isAlike(100, 200)).toBe(true);
  expect(isAlike(100, 201)).toBe(false);
  expect(isAlike(1, 60)).toBe(true);
  expect(isAlike(0, 61)).toBe(false);
});

test("policies that plan with the run times that nobody knew are named", () => {
  const told = (jobsShare: number, policies: string[]): string =>
    unseenOf(undefined, undefined, undefined, { jobsShare, policies }).join().replaceAll("\u00a0", " ");
  expect(told(0.61, ["easy", "conservative"])).toMatch(
    /^61 % of the jobs have no limit of their run time in the log: simulated, easy and conservative plan with/,
  );
  expect(told(1, ["easy"])).toMatch(
    /^No job has a limit of its run time in the log: simulated, easy plans with .* hardly pass others\.$/,
  );
  const waits = [
    { policy: "fcfs", waitMeanSeconds: 7200 },
    { policy: "easy", waitMeanSeconds: 3600 },
  ];
  const trials = { beta: 1, units: 0, draws: [], sensitivity: [{ what: AS_BELIEVED, waits }] };
  expect(
    plain(unseenOf(undefined, undefined, undefined, { jobsShare: 1, policies: ["easy"] }, trials)),
  ).toMatch(/run for years: so planned, the mean wait is 1\.00 h under easy\.$/);
});
