import { expect, it } from "vitest";

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
} from "../../src/core/index.ts";
import { anyFarm, Draws } from "./any-farm.fixture.ts";
import { plus, type Farm, type Job } from "./farm.fixture.ts";

/** Machines that fail now and then; all are repaired in the end. */
interface Outage {
  readonly machine: number;
  readonly down: number;
  readonly up: number;
}

function anyOutages(farm: Farm, seed: number): Outage[] {
  const draw = new Draws(seed);
  const span = Math.max(...farm.jobs.map(({ submit, runtime }) => submit + 2 * runtime));
  return farm.machines.flatMap((_, machine) => {
    const outages: Outage[] = [];
    for (let down = draw.from(0, span); outages.length < 3;) {
      const up = down + draw.from(1, Math.ceil(span / 3));
      outages.push({ machine, down, up });
      down = up + draw.from(1, span);
    }
    return outages;
  });
}

function settingsOf(farm: Farm, policy: string): EngineSettings {
  const { kind, heuristic } = findPolicy(policy)!;
  const hasGpus = farm.machines.some(({ gpus }) => gpus > 0);
  return {
    pools: [
      {
        capacities: {
          coresMilli: Int32Array.from(farm.machines, ({ cores }) => 1000 * cores),
          memoryMiB: farm.hasMemory ? Int32Array.from(farm.machines, ({ memory }) => memory) : null,
          gpuMilli: hasGpus ? Int32Array.from(farm.machines, ({ gpus }) => 1000 * gpus) : null,
        },
        policy: kind,
        heuristic,
        groups: {
          count: 1,
          meets: () => true,
          ownerOf: Int32Array.of(0),
          speedOf: Float64Array.of(1),
        },
        site: 0,
        intervalSeconds: 0,
        suspend: "full",
      },
    ],
    virtualPools: [{ site: 0, pools: [0], routing: routings[0], viewAgeSeconds: 0, hasQueue: false }],
    transferSeconds: [[0]],
    candidateLists: [{ pools: null, restartPools: null }],
    priorities: 1,
    victimRule: victimRules[0],
    strategy: strategies.find(({ name }) => name === "NoRes")!,
    waitThresholdSeconds: 3600,
    rebalanceSeconds: 3600,
    maxRestarts: 0,
    random: () => 0,
  };
}

const submission = (job: Job): EngineEvent => ({
  type: "submitted",
  at: job.submit,
  job: job.number,
  request: {
    cores: 1000 * job.task.cores,
    memory: job.task.memory,
    gpu: 1000 * job.task.gpus,
    tasks: job.tasks,
    project: 0,
    heuristic: NONE,
    estimateSeconds: job.estimate,
    owner: 0,
    virtualPool: 0,
    candidates: 0,
    priority: 0,
    retries: 1000,
  },
});

/** Runs a farm whose machines fail through the engine, and says what is wrong and how many attempts were lost. */
function run(farm: Farm, outages: readonly Outage[], policy: string): { found: string[]; lost: number } {
  const port = new Port(settingsOf(farm, policy));
  const found: string[] = [];
  const waiting = new Set<number>();
  const done = new Set<number>();
  const running = new Map<number, { start: Extract<PlainDecision, { type: "START" }>; end: number }>();
  const down = new Set<number>();
  let lost = 0;

  const apply = (event: EngineEvent) => {
    const answer = port.apply(event);
    if (answer.answer === "ignored") found.push(`${event.type} at ${event.at} is ignored: ${answer.text}`);
    for (const decision of answer.decisions) {
      if (decision.type === "LOST") {
        lost++;
        running.delete(decision.job);
        waiting.add(decision.job);
      } else if (decision.type === "START") {
        if (!waiting.delete(decision.job)) found.push(`job ${decision.job} starts and does not wait`);
        running.set(decision.job, {
          start: decision,
          end: event.at + farm.jobs[decision.job - 1].runtime,
        });
        const { job, attempt, number } = decision;
        apply({ type: "started", at: event.at, job, attempt, decision: number });
      } else found.push(`an unexpected ${decision.type}`);
    }
  };

  for (let now = -1; ;) {
    const times = [
      ...farm.jobs.map(({ submit }) => submit).filter((time) => time > now),
      ...outages.flatMap(({ down, up }) => [down, up]).filter((time) => time > now),
      ...[...running.values()].map(({ end }) => end),
      ...(port.nextTime > now ? [port.nextTime] : []),
    ];
    now = Math.min(...times);
    if (now === Infinity) break;
    for (const [job, { start, end }] of running)
      if (end === now) {
        running.delete(job);
        done.add(job);
        apply({ type: "exited", at: now, job, attempt: start.attempt });
      }
    for (const { machine, ...outage } of outages) {
      if (outage.up === now) {
        down.delete(machine);
        apply({ type: "machineUp", at: now, pool: 0, machine });
      }
      if (outage.down === now) {
        down.add(machine);
        apply({ type: "machineDown", at: now, pool: 0, machine });
      }
    }
    for (const job of farm.jobs)
      if (job.submit === now) {
        waiting.add(job.number);
        apply(submission(job));
      }
    apply({ type: "tick", at: now });

    for (const [machine, size] of farm.machines.entries()) {
      let free = size;
      for (const [job, { start }] of running)
        for (const placed of start.placement)
          if (placed.machine === machine) {
            free = plus(free, farm.jobs[job - 1].task, -placed.tasks);
            if (down.has(machine)) found.push(`job ${job} runs at ${now} on m${machine + 1}, which is down`);
          }
      if (free.cores < 0 || free.memory < 0 || free.gpus < 0)
        found.push(`m${machine + 1} is overfull at ${now}`);
    }
    for (const [job, { start }] of running) {
      const tasks = start.placement.reduce((sum, placed) => sum + placed.tasks, 0);
      if (tasks !== farm.jobs[job - 1].tasks) found.push(`job ${job} runs ${tasks} tasks`);
    }
  }
  for (const { number } of farm.jobs) if (!done.has(number)) found.push(`job ${number} is never done`);
  return { found, lost };
}

it.each([
  "best-fit-cores",
  "fcfs",
  "easy",
  "easy-sjbf/worse-fit-cores",
  "conservative/best-fit-cores",
  "backfill:2",
])(
  "where machines fail under %s, none is overfull, nothing runs on one that is down, every job is done",
  (policy) => {
    let total = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const farm = anyFarm(seed);
      const { found, lost } = run(farm, anyOutages(farm, seed), policy);
      if (found.length > 0) expect.fail(`seed ${seed}: ${found.slice(0, 5).join("; ")}`);
      total += lost;
    }
    expect(total).toBeGreaterThan(50);
  },
);
