import type { Draws } from "./any-engine.fixture.ts";
import type { Answer, EngineEvent } from "./events.ts";

/** An event, what the engine answered, and the state of the generator that the engine draws from, before it. */
export interface Recorded {
  readonly event: EngineEvent;
  readonly answer: Answer;
  readonly randomState: number;
}

/** Of every event that has them. */
const ALWAYS_OPTIONAL: readonly string[] = ["priority", "estimateSeconds"];

const outcomes = ["started", "suspended", "suspendFailed", "resumed", "resumeFailed", "killed"] as const;

/** An event that cannot be right and must be ignored. Null if none was found. */
export function nonsense(draws: Draws, at: number, journal: readonly Recorded[]): EngineEvent | null {
  const job = draws.of([1, 2, 5, 1_000_000, -1, -1_000_000, 0, 1.5, NaN, Infinity]);
  const type = draws.of(outcomes);
  switch (draws.below(12)) {
    case 0:
      // No decision has this number.
      return { type, at, job, attempt: draws.below(3), decision: draws.of([0, -1, NaN, 1_000_000_000]) };
    case 1:
      return { type: draws.of(["exited", "lost"]), at, job, attempt: draws.of([0, 1_000_000, NaN, 0.5, -1]) };
    case 2:
      return {
        type: draws.of(["machineDown", "machineUp", "machineDrained", "machineUndrained"]),
        at,
        pool: draws.of([0, 99, NaN, -1]),
        machine: draws.of([NaN, -1, 0.5, 1_000_000, Infinity]),
      };
    case 3:
      return { type: "tick", at: draws.of([NaN, Infinity, -Infinity]) };
    case 4:
      return {
        type: "startFailed",
        at,
        job,
        attempt: 1,
        decision: 1_000_000_000,
        machine: NaN,
        fault: "machine",
      };
    case 5: {
      const first = journal.find(({ event }) => event.type === "submitted")?.event;
      if (first?.type !== "submitted") return null;
      // The number was used before, or the request is not valid.
      if (draws.chance(0.5)) return { ...first, at };
      const { request } = first;
      const wrong = draws.of([
        { cores: 0 },
        { cores: NaN },
        { tasks: 0.5 },
        { priority: 99 },
        { virtualPool: -1 },
        { candidates: 7 },
        { estimateSeconds: NaN },
        { estimateSeconds: -1 },
        { memory: -1 },
        { heuristic: 77 },
        { family: 9 },
      ]);
      return { ...first, at, job: 10_000_000, request: { ...request, ...wrong } };
    }
    case 6:
      return {
        type: draws.of(["held", "released", "cancelled", "asked"]),
        at,
        job: draws.of([1_000_000, NaN, 0, 1.5]),
      };
    case 8:
      return {
        type: draws.of(["machineAdded", "machineChanged"]),
        at,
        pool: 0,
        machine: draws.of([0, -1, 0.5, 1_000_000]),
        group: draws.of([NaN, -1, 99]),
        coresMilli: draws.of([-1, 1000, NaN]),
        memoryMiB: 0,
        gpuMilli: 0,
      };
    case 7:
      return { type: "changed", at, job: 1, priority: draws.of([NaN, -1, 99, 0.5]) };
    case 9: {
      // A field that its type needs is missing, or it is not an event at all.
      const whole = journal.filter(({ answer, event }) => answer.answer === "taken" && event.type !== "tick");
      const event: EngineEvent = whole.length === 0 ? { type: "tick", at } : draws.of(whole).event;
      const optional =
        event.type === "changed"
          ? [...ALWAYS_OPTIONAL, "cores", "memory", "gpu", "requirement"]
          : ALWAYS_OPTIONAL;
      const needed = Object.keys(event).filter((name) => !optional.includes(name));
      const lacking = { ...event, at, [draws.of(needed)]: undefined };
      return draws.of<object>([lacking, lacking, { at }, { type: "no", at }]) as EngineEvent;
    }
    case 10: {
      // No machine is drained or down that never existed, and a time in the far future is not taken over.
      const pool = draws.below(2);
      const machine = draws.below(3);
      const about = journal.filter(({ event, answer }) => answer.answer === "taken" && "machine" in event);
      const isKnown = about.some(({ event }) => "machine" in event && event.machine === machine);
      if (isKnown) return null;
      return { type: draws.of(["machineUp", "machineUndrained"]), at: at + 1e6, pool, machine };
    }
    default: {
      // The answer to a decision that was answered before: it is ignored now, or was then.
      const before = journal.filter(({ event, answer }) => "decision" in event && answer.answer === "taken");
      return before.length === 0 ? null : { ...draws.of(before).event, at };
    }
  }
}
