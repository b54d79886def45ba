import { expect, it } from "vitest";

import { aWorkload } from "../simulation/workload.fixture.ts";
import { characterise } from "../workload/index.ts";
import { describeWorkload } from "./describe-workload.ts";

/** Where jobs ran: 95 on n1, and one on each of nine others; by the names of the queues of the two. */
function ranOn(many: string, few: string): string | undefined {
  const names = Array.from({ length: 10 }, (_, machine) => `n${machine + 1}`);
  const codes = [...Array<number>(95).fill(0), 1, 2, 3, 4, 5, 6, 7, 8, 9];
  const jobs = codes.map((code) => ({ queue: code === 0 ? many : few }));
  const workload = { ...aWorkload(jobs), nodes: { names, codes: Int32Array.from(codes) } };
  const text = describeWorkload(characterise(workload), null);
  return text.split("\n").find((line) => line.startsWith("ran on"));
}

it("few machines with most of the jobs are a queue's where the log tells that", () => {
  expect(ranOn("black", "red")).toMatch(
    /91% of the jobs ran on 1 of 10 machines: the machines of queue black$/,
  );
  expect(ranOn("all", "all")).toMatch(
    /91% of the jobs ran on 1 of 10 machines: a partition or constraint\?$/,
  );
});
