import { expect, it } from "vitest";

import { ineligibleText } from "./eligibility.ts";
import { aJob, aPool, someMachines } from "../pool/pool.fixture.ts";

it.each([
  [1000, 1000, null],
  [1000, 2000, null],
  [1000, 500, "asks for 0.5 GPUs; the pool gives whole ones"],
  [1000, 1500, "asks for 1.5 GPUs; the pool gives whole ones"],
  [1000, 3000, "asks for 3 GPUs on one machine; the largest has 2"],
  [250, 250, null],
  [250, 0, null],
  [250, 500, "asks for 0.5 GPUs; a job of the pool gets 0.25 of one"],
  [250, 1000, "asks for 1 GPU; a job of the pool gets 0.25 of one"],
  [undefined, 1500, null],
])("a pool that gives GPUs by %s thousandths to a job that asks for %s", (gpuPart, gpu, why) => {
  const machines = someMachines({ cores: 4000, gpu: 2000 });
  const pool = aPool("first-fit", machines, gpuPart === undefined ? {} : { gpuPart });
  const reason = pool.ineligible(aJob({ gpu }));
  expect(reason === null ? null : ineligibleText(reason)).toBe(why);
});
