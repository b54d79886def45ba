import { describe, expect, it } from "vitest";

import { NONE, type EngineEvent, type PlainRequest, type Port } from "../../src/core/index.ts";
import { whatHelps, type HelpingChange } from "../../src/simulation/index.ts";
import { ExplainedFarm } from "./explained-farm.fixture.ts";

/** CROFT_ANSWERS=1000 tries so many, from CROFT_FIRST_FARM on. */
const answers = Number(process.env["CROFT_ANSWERS"] ?? 100);
const first = Number(process.env["CROFT_FIRST_FARM"] ?? 1);
const places = [{ pool: 0, virtualPool: 0, candidates: 1 }];

/** A farm whose machines do at once what is decided, and in which nothing else happens. Told plainly. */
class Standing {
  readonly port: Port;
  readonly starts = new Map<number, number>();
  private readonly answers: { readonly at: number; readonly event: EngineEvent }[] = [];
  private now: number;

  constructor(farm: ExplainedFarm) {
    this.port = farm.copy();
    this.now = farm.now;
  }

  tell(event: EngineEvent): string {
    const { answer, decisions } = this.port.apply(event);
    for (const decision of decisions) {
      if (decision.type === "CANCEL" || decision.type === "LOST" || decision.type === "DRAIN") continue;
      const { job, number } = decision;
      if (decision.type === "START" && !this.starts.has(job)) this.starts.set(job, this.now);
      if (decision.type === "MOVE" || decision.type === "DUPLICATE") {
        const at = this.now + decision.seconds;
        this.answers.push({ at, event: { type: "arrived", at, job, decision: number } });
        continue;
      }
      const types = { START: "started", SUSPEND: "suspended", RESUME: "resumed", KILL: "killed" } as const;
      const { attempt } = decision;
      const event = { type: types[decision.type], at: this.now, job, attempt, decision: number } as const;
      this.answers.push({ at: this.now, event });
    }
    return answer;
  }

  /** Lets time pass. */
  until(end: number): void {
    for (let instant = 0; instant < 1000; instant++) {
      this.answers.sort((a, b) => a.at - b.at);
      const next = this.answers[0];
      if (next !== undefined && next.at <= this.now) {
        this.answers.shift();
        this.tell(next.event);
        continue;
      }
      this.tell({ type: "tick", at: this.now });
      if (this.answers.some(({ at }) => at <= this.now)) continue;
      const time = Math.min(this.port.nextTime, ...this.answers.map(({ at }) => at));
      if (!(time <= end)) return;
      this.now = Math.max(this.now, time);
    }
  }
}

/** Acts upon what was said as a user would. Returns when the job starts. */
function startsAfter(farm: ExplainedFarm, job: number, change: HelpingChange): number | null {
  const at = farm.now;
  const standing = new Standing(farm);
  const { port } = standing;
  const { jobs } = port.view;
  const handle = port.handleOf(job);
  let number = job;
  if (Object.keys(change).length === 0) standing.tell({ type: "asked", at, job });
  else if (change.withoutRequirement === true) {
    const { cores, memory, gpu, tasks, owner = 0, family = 0, licences = 0 } = jobs.requestOf(handle);
    const estimate = jobs.estimateSecondsOf(handle);
    const request: PlainRequest = {
      cores,
      memory,
      gpu,
      tasks,
      owner,
      family,
      licences,
      project: jobs.projectOf(handle),
      heuristic: NONE,
      estimateSeconds: estimate === Infinity ? null : estimate,
      virtualPool: jobs.virtualPoolOf(handle),
      candidates: jobs.candidatesOf(handle),
      priority: jobs.priorityOf(handle),
    };
    number = farm.nextNumber;
    standing.tell({ type: "cancelled", at, job });
    expect(standing.tell({ type: "submitted", at, job: number, request })).toBe("taken");
  } else {
    const { pool, ...amounts } = change;
    const where = pool === undefined ? {} : { virtualPool: 0, candidates: 1 };
    expect(standing.tell({ type: "changed", at, job, ...amounts, ...where })).toBe("taken");
  }
  const pool = port.poolOf(number);
  standing.until(at + (pool === NONE ? 0 : port.view.pools[pool].intervalSeconds));
  return standing.starts.get(number) ?? null;
}

describe("what would help", () => {
  it(`helped as said, in ${answers} answers that were acted upon`, () => {
    const kinds = new Map<string, number>();
    let [told, silent] = [0, 0];
    for (let seed = first; told < answers; seed++) {
      const farm = new ExplainedFarm(seed);
      for (const job of farm.waiting.slice(0, 3)) {
        const { helps, startsAsItIs } = whatHelps({
          copy: () => farm.copy(),
          job,
          at: farm.now,
          places,
          priorities: farm.settings.priorities,
          mostTrials: 40,
          isLate: () => false,
        });
        if (!startsAsItIs && helps.length === 0) silent++;
        for (const { change } of helps) {
          const why = `${farm.describe}; job ${job} at ${farm.now} with ${JSON.stringify(change)}`;
          expect(startsAfter(farm, job, change), why).not.toBeNull();
          told++;
          for (const kind of Object.keys(change)) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        }
        // As it is, the job does not start in the next cycle: otherwise nothing would have to help.
        if (helps.length > 0) expect(startsAfter(farm, job, {}), `${farm.describe}; job ${job}`).toBeNull();
      }
    }
    // Each kind of answer was given, and jobs that nothing helps are there too.
    expect([...kinds.keys()].sort()).toEqual(
      expect.arrayContaining([
        "cores",
        "estimateSeconds",
        "memory",
        "pool",
        "priority",
        "withoutRequirement",
      ]),
    );
    expect(silent).toBeGreaterThan(0);
  });
});
