/**
 * Runs one engine with far more jobs than the tests do, and prints how long a cycle takes and how much memory is used:
 *
 * - `node scripts/try-scale.ts stream [--jobs N] [--requests N]`: jobs with this many different requests pass through.
 * - `node --max-old-space-size=8192 scripts/try-scale.ts queue [--machines N] [--waiting N] [--seconds N]`: so many
 *   jobs wait while 1,000 more come each second, and machines fail, are repaired, join and leave.
 *
 * `--policy` is `first-fit` unless given.
 */
import { parseArgs } from "node:util";

import {
  findPolicy,
  NONE,
  Port,
  REJECTED,
  routings,
  START,
  strategies,
  TimeHeap,
  victimRules,
  type EngineJobRequest,
} from "../src/core/index.ts";
import { Random } from "../src/workload/random.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: "string", default: "10000000" },
    requests: { type: "string", default: "1000000" },
    machines: { type: "string", default: "10000" },
    waiting: { type: "string", default: "1000000" },
    seconds: { type: "string", default: "600" },
    policy: { type: "string", default: "first-fit" },
  },
});
const random = new Random(1);
const { kind, heuristic } = findPolicy(values.policy)!;

function makePort(machines: number, priorities: number): Port {
  const column = (of: () => number): Int32Array => Int32Array.from({ length: machines }, of);
  return new Port(
    {
      pools: [
        {
          capacities: {
            coresMilli: column(() => [8000, 16_000, 32_000][random.index(3)]),
            memoryMiB: column(() => 65_536),
            gpuMilli: null,
          },
          policy: kind,
          heuristic,
          site: 0,
          groups: {
            count: 1,
            meets: () => true,
            ownerOf: new Int32Array(1),
            speedOf: new Float64Array(1).fill(1),
          },
          intervalSeconds: 1,
          suspend: "full",
        },
      ],
      virtualPools: [
        {
          site: 0,
          pools: [0],
          routing: routings.find(({ name }) => name === "round-robin")!,
          viewAgeSeconds: 0,
          hasQueue: false,
        },
      ],
      transferSeconds: [[0]],
      candidateLists: [{ pools: null, restartPools: null }],
      priorities,
      victimRule: victimRules.find(({ name }) => name === "last-submitted")!,
      strategy: strategies.find(({ name }) => name === "NoRes")!,
      waitThresholdSeconds: Infinity,
      rebalanceSeconds: Infinity,
      maxRestarts: 0,
      random: (below) => random.index(below),
    },
    true,
  );
}

/** Drives the engine second by second; what starts runs for a while. */
class Run {
  readonly port: Port;
  now = 0;
  started = 0;
  readonly cycleSeconds: number[] = [];
  private readonly ends = new TimeHeap();
  private readonly endOf = new Map<number, number>();
  private readonly meanSeconds: number;

  constructor(port: Port, meanSeconds: number) {
    this.port = port;
    this.meanSeconds = meanSeconds;
  }

  submit(cores: number, memory: number, priority: number): void {
    const request: EngineJobRequest = {
      cores,
      memory,
      gpu: 0,
      tasks: 1,
      project: 0,
      heuristic: NONE,
      estimateSeconds: this.meanSeconds,
      virtualPool: 0,
      candidates: 0,
      priority,
      retries: 1000,
    };
    if (this.port.tell({ type: "submitted", at: this.now, job: 0, request }) === REJECTED)
      throw new Error("a job was rejected");
    this.read(false);
  }

  /** A second passes: jobs end, and the pool has its cycle. */
  second(): void {
    this.now++;
    while (this.ends.firstTime <= this.now) {
      const time = this.ends.firstTime;
      const job = this.ends.take();
      if (this.endOf.get(job) !== time) continue;
      this.endOf.delete(job);
      this.port.tell({ type: "exited", at: this.now, job });
      this.read(false);
    }
    const before = performance.now();
    this.read(true);
    this.cycleSeconds.push((performance.now() - before) / 1000);
  }

  read(runsDue: boolean): void {
    const { port, now } = this;
    const { decision } = port;
    while (runsDue ? port.next(now) : port.take(now)) {
      const { kind: what, job } = decision;
      if (what === START) {
        port.tell({ type: "started", at: now, job });
        this.started++;
        const end = now + 1 + Math.floor(-Math.log(1 - random.unit()) * this.meanSeconds);
        this.endOf.set(job, end);
        this.ends.add(job, end);
      } else this.endOf.delete(job);
    }
  }
}

function quantile(numbers: readonly number[], part: number): string {
  const sorted = numbers.toSorted((a, b) => a - b);
  return `${((sorted[Math.ceil(sorted.length * part) - 1] ?? 0) * 1000).toFixed(1)} ms`;
}

function memory(): string {
  const { rss } = process.memoryUsage();
  return `${Math.round(rss / 2 ** 20).toLocaleString("en")} MiB`;
}

function stream(): void {
  const [jobs, requests] = [Number(values.jobs), Number(values.requests)];
  const run = new Run(makePort(1000, 1), 20);
  // Four fifths of the cores.
  const perSecond = 500;
  let submitted = 0;
  console.log("jobs          cycle mean      p99      memory");
  for (let tenth = 1; tenth <= 10; tenth++) {
    run.cycleSeconds.length = 0;
    while (submitted < (jobs * tenth) / 10) {
      for (let i = 0; i < perSecond && submitted < jobs; i++, submitted++) {
        const request = random.index(requests);
        run.submit(1000 + (request % 1000), 1024 + Math.floor(request / 1000), 0);
      }
      run.second();
    }
    const mean = run.cycleSeconds.reduce((sum, each) => sum + each, 0) / run.cycleSeconds.length;
    console.log(
      `${submitted.toLocaleString("en").padEnd(12)} ${(mean * 1000).toFixed(2).padStart(8)} ms ${quantile(run.cycleSeconds, 0.99).padStart(9)} ${memory().padStart(10)}`,
    );
  }
}

function queue(): void {
  const [machines, waiting, seconds] = [
    Number(values.machines),
    Number(values.waiting),
    Number(values.seconds),
  ];
  const port = makePort(machines, 3);
  const [pool] = port.view.pools;
  const run = new Run(port, 150);
  const submit = (): void =>
    run.submit(1000 * (1 + random.index(4)), 1024 * (1 + random.index(8)), random.index(3));
  let from = performance.now();
  for (let i = 0; i < waiting; i++) submit();
  console.log(
    `${waiting.toLocaleString("en")} submitted in ${((performance.now() - from) / 1000).toFixed(1)} s, ${memory()}`,
  );
  run.second();
  console.log(`first cycle ${quantile(run.cycleSeconds, 1)}: ${run.started.toLocaleString("en")} started`);
  run.cycleSeconds.length = 0;
  let events = 0;
  let submitting = 0;
  for (let second = 1; second <= seconds; second++) {
    from = performance.now();
    for (let i = 0; i < 1000; i++) submit();
    submitting += performance.now() - from;
    // Each second a machine fails, one is repaired; now and then one joins, and one leaves.
    const machine = random.index(pool.machines.count);
    port.tell({ type: "machineDown", at: run.now, pool: 0, machine });
    run.read(false);
    port.tell({ type: "machineUp", at: run.now, pool: 0, machine: random.index(pool.machines.count) });
    events += 2;
    if (second % 5 === 0) {
      port.tell({
        type: "machineRemoved",
        at: run.now,
        pool: 0,
        machine: random.index(pool.machines.count),
      });
      run.read(false);
      port.tell({
        type: "machineAdded",
        at: run.now,
        pool: 0,
        machine: pool.machines.nextNumber,
        group: 0,
        coresMilli: 16_000,
        memoryMiB: 65_536,
        gpuMilli: 0,
      });
      events += 2;
    }
    run.second();
    if (second % Math.ceil(seconds / 10) === 0)
      console.log(
        `${second} s: ${pool.waiting.toLocaleString("en")} wait, ${run.started.toLocaleString("en")} started, ${events} events of machines; cycles so far: median ${quantile(run.cycleSeconds, 0.5)}, p99 ${quantile(run.cycleSeconds, 0.99)}, longest ${quantile(run.cycleSeconds, 1)}; ${memory()}`,
      );
  }
  console.log(`a submission takes ${((submitting * 1000) / (seconds * 1000)).toFixed(1)} µs`);
}

if (positionals[0] === "queue") queue();
else stream();
