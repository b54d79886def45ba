import type { Run } from "./farm.fixture.ts";
import { placeNow } from "./matching.fixture.ts";
import type { Heuristic } from "./place.fixture.ts";
import { freeBeside, type MakeReference } from "./replay.fixture.ts";

/** First come, first served: jobs start in the queue's order while they fit now. */
export function fcfs(heuristic: Heuristic): MakeReference {
  return ({ machines }) => ({
    pass({ now, waiting, running }) {
      const started: Run[] = [];
      for (const job of waiting) {
        const placed = placeNow(job, freeBeside(machines, [...running, ...started]), heuristic);
        if (placed === null) break;
        started.push({ job, start: now, machines: placed, promised: null });
      }
      return started;
    },
  });
}
