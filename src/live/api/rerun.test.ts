import { expect, it } from "vitest";

import { STEP_BYTES } from "../limits.ts";
import { Refusal } from "../refusal.ts";
import { jobRequest, requestText } from "../store/job-request.ts";
import type { Asked } from "./api.ts";
import { rerunEach } from "./rerun.ts";
import type { ServiceHandle } from "./service-handle.ts";

const asked = { identity: { user: "ann", role: "operator" }, key: "k" } as unknown as Asked;

/** A farm that takes all jobs, but those whose name is `bad`. */
function farmOf(taken: { jobs: number; bytes: number; content: unknown }[]): ServiceHandle {
  return {
    service: {
      unixSeconds: () => 0,
      submitting: {
        names: { groups: [] },
        checks: {
          check({ name }: { name: string }) {
            if (name === "bad") throw new Refusal(422, "it is bad");
          },
        },
        inSteps: ({ jobs, content }: { jobs: unknown[]; content: unknown }) => ({ jobs, content }),
      },
      loop: {
        actInSteps: async (
          { jobs, content }: { jobs: unknown[]; content: unknown },
          { bytes }: { bytes: number },
        ) => {
          taken.push({ jobs: jobs.length, bytes, content });
          return jobs.map((_, at) => ({ number: 100 + at }));
        },
      },
    },
  } as unknown as ServiceHandle;
}

function groupOf(commands: readonly string[], names: readonly string[] = []) {
  const requests = commands.map((word, at) =>
    new TextEncoder().encode(requestText(jobRequest(["echo", word], { name: names[at] ?? "" }))),
  );
  return { numbers: commands.map((_, at) => at + 1), requests, environment: '{"A":"1"}' };
}

it("long requests are read a few at a time, so that others are served in between", async () => {
  const word = "x".repeat(STEP_BYTES / 2);
  const taken: { jobs: number; bytes: number; content: unknown }[] = [];
  let served = 0;
  let isOver = false;
  const serve = (): void => {
    served++;
    if (!isOver) setImmediate(serve);
  };
  setImmediate(serve);
  const group = groupOf(Array.from({ length: 8 }, () => word));
  // Longer than any system starts: refused, each by itself, and read all the same.
  const refused: number[] = [];
  await rerunEach(asked, farmOf(taken), group.numbers, [group], (job) => refused.push(job));
  isOver = true;
  expect([refused.length, taken]).toEqual([8, []]);
  // Two a step.
  expect(served).toBeGreaterThanOrEqual(3);
});

it("what is refused of one leaves the others, which are told apart by their numbers", async () => {
  const taken: { jobs: number; bytes: number; content: unknown }[] = [];
  const group = groupOf(["a", "b", "c"], ["", "bad", ""]);
  const refused: number[] = [];
  const { jobs } = await rerunEach(asked, farmOf(taken), [1, 2, 3, 4], [group], (job) => refused.push(job));
  expect(refused).toEqual([4, 2]);
  expect([...jobs.keys()]).toEqual([1, 3]);
  expect(taken).toEqual([{ jobs: 2, bytes: expect.any(Number) as number, content: "again 1 3" }]);
  expect(taken[0].bytes).toBeGreaterThan(1000);
});
