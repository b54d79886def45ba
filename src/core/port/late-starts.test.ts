import { expect, it } from "vitest";

import { onePool, request } from "./one-pool.fixture.ts";
import { Port } from "./port.ts";
import type { PlainRequest } from "./events.ts";

/** An image is fetched, a prolog runs: the first job's limit of 100 s counts from the second 60 on. */
it.each(["easy", "conservative", "backfill:2"])(
  "plans under %s with the time at which a job has begun, not that of the decision",
  (policy) => {
    const port = new Port(onePool(policy, [1000, 1000]));
    const submit = (at: number, job: number, more: Partial<PlainRequest> = {}): number[] => {
      port.apply({ type: "submitted", at, job, request: request(more) });
      const { decisions } = port.apply({ type: "tick", at });
      return decisions.flatMap((each) => (each.type === "START" ? [each.job] : []));
    };
    expect(submit(0, 1)).toEqual([1]);
    // Both machines: expected at 100, then at 160.
    expect(submit(10, 2, { tasks: 2 })).toEqual([]);
    expect(submit(20, 3, { estimateSeconds: 130 })).toEqual([]);
    port.apply({ type: "started", at: 60, job: 1, attempt: 1, decision: 1 });
    const { decisions } = port.apply({ type: "tick", at: 60 });
    expect(decisions).toEqual([]);
    expect(submit(61, 4, { estimateSeconds: 98 })).toEqual([4]);
  },
);
