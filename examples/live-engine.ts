/**
 * The engine that places real jobs, driven by hand: events in, decisions out, a journal, a snapshot.
 *
 * A farm's own service would be the driver here: it starts processes where the engine says START, and reports what has
 * become of them. The engine has no clock and does no I/O, so the same events lead to the same decisions, and a journal
 * of them is a backup.
 */
import { deserialize, serialize } from "node:v8";

import {
  Port,
  findPolicy,
  NONE,
  routings,
  strategies,
  victimRules,
  type EngineEvent,
  type EngineSettings,
  type PlainDecision,
  type PlainRequest,
  type PortSnapshot,
} from "croft/core";

/** One pool of two machines with 4 cores and 8 GiB each. Jobs of priority 1 may suspend those of priority 0. */
const { kind, heuristic } = findPolicy("best-fit-cores")!;
const settings: EngineSettings = {
  pools: [
    {
      capacities: {
        coresMilli: Int32Array.of(4000, 4000),
        memoryMiB: Int32Array.of(8192, 8192),
        gpuMilli: null,
      },
      policy: kind,
      heuristic,
      // Machines that are alike form a group; here all are, and no group of users owns them.
      groups: { count: 1, meets: () => true, ownerOf: Int32Array.of(0), speedOf: Float64Array.of(1) },
      site: 0,
      // A cycle after every event, not every 30 seconds or so.
      intervalSeconds: 0,
      suspend: "full",
    },
  ],
  virtualPools: [{ site: 0, pools: [0], routing: routings[0], viewAgeSeconds: 0, hasQueue: false }],
  transferSeconds: [[0]],
  candidateLists: [{ pools: null, restartPools: null }],
  priorities: 2,
  victimRule: victimRules[0],
  // Suspended jobs stay where they are, so that there is nothing to draw at random and the times below are not used.
  strategy: strategies.find(({ name }) => name === "NoRes")!,
  waitThresholdSeconds: 3600,
  rebalanceSeconds: 3600,
  maxRestarts: 0,
  random: () => 0,
};

function submission(job: number, at: number, asked: Partial<PlainRequest>): EngineEvent {
  const request: PlainRequest = {
    cores: 1000,
    memory: 1024,
    gpu: 0,
    tasks: 1,
    project: 0,
    heuristic: NONE,
    estimateSeconds: null,
    owner: 0,
    virtualPool: 0,
    candidates: 0,
    priority: 0,
    ...asked,
  };
  return { type: "submitted", at, job, request };
}

function textOf(decision: PlainDecision): string {
  if (decision.type !== "START")
    return "job" in decision ? `${decision.type} job ${decision.job}` : decision.type;
  return `START job ${decision.job} on ${decision.placement.map(({ machine }) => `machine ${machine}`).join(", ")}`;
}

/** Applies an event, and the tick after it that runs what is due. */
function apply(port: Port, event: EngineEvent): { ignored: string | null; decisions: PlainDecision[] } {
  const answer = port.apply(event);
  const { decisions } = port.apply({ type: "tick", at: event.at });
  return {
    ignored: answer.answer === "ignored" ? answer.text : null,
    decisions: [...answer.decisions, ...decisions],
  };
}

const day: readonly EngineEvent[] = [
  submission(1, 0, { cores: 3000 }),
  { type: "started", at: 1, job: 1, attempt: 1, decision: 1 },
  submission(2, 2, { cores: 4000 }),
  { type: "started", at: 3, job: 2, attempt: 1, decision: 2 },
  // More urgent: one of the two has to stop for it.
  submission(3, 4, { cores: 4000, priority: 1 }),
  { type: "suspended", at: 5, job: 2, attempt: 1, decision: 3 },
  { type: "started", at: 6, job: 3, attempt: 1, decision: 4 },
  // The same report twice, as it happens after a lost connection.
  { type: "started", at: 7, job: 3, attempt: 1, decision: 4 },
  { type: "exited", at: 8, job: 3, attempt: 1 },
  { type: "resumed", at: 9, job: 2, attempt: 1, decision: 5 },
];

// The day as it happens. The journal has a line an event; a real one is on disk before anybody acts on a decision.
const port = new Port(settings);
const journal: string[] = [];
let morning: Buffer | null = null;
for (const event of day) {
  const { ignored, decisions } = apply(port, event);
  if (ignored !== null) console.log(`${event.at} s: ${event.type} is ignored: ${ignored}`);
  journal.push(JSON.stringify({ event, decisions }));
  for (const each of decisions) console.log(`${event.at} s: ${textOf(each)}`);
  if (event.at === 4) morning = serialize(port.save());
}

// After a crash: the whole journal leads a new engine to the same decisions.
const replayed = new Port(settings);
const same = journal.every((line) => {
  const { event, decisions } = JSON.parse(line) as { event: EngineEvent; decisions: PlainDecision[] };
  return JSON.stringify(apply(replayed, event).decisions) === JSON.stringify(decisions);
});
console.log(`replayed from the journal: ${same ? "the same decisions" : "other decisions"}`);

// Or the last snapshot, and only what came after it.
const restored = Port.load(settings, deserialize(morning!) as PortSnapshot);
for (const event of day.filter(({ at }) => at > 4)) apply(restored, event);
const equal = Buffer.compare(serialize(restored.save()), serialize(port.save())) === 0;
console.log(`restored from the snapshot: ${equal ? "the same state" : "another state"}`);
