import {
  findHeuristic,
  Indexes,
  MachineState,
  NONE,
  scanFinder,
  type Finder,
  type Heuristic,
} from "../../src/core/index.ts";
import { simulate, type Simulation } from "../../src/simulation/index.ts";
import type { Machines, Workload } from "../../src/workload/index.ts";
import type { Benchmark, Row } from "../benchmark.ts";
import { onFullPool } from "../full-pool.ts";
import { atLeast, median, peakMiB, speedOf, timed, type Took } from "../measure.ts";
import { measuredHeuristics, poolMachines, somePoolJobs } from "../workloads.ts";

const LOAD = 0.9;
const JOBS = 250_000;
/** Jobs placed and released while the clock runs. */
const INDEXED_JOBS = 100_000;
const SCANNED_JOBS = 10_000;
const ROUNDS = 5;
const TARGET = 5;

export const placement: Benchmark = {
  name: "placement",
  summary:
    "finding a machine, taking it and giving it back, on a full pool of 3,115 machines; medians of five",
  cases: () => measuredHeuristics,
  async measure(name): Promise<readonly Row[]> {
    const heuristic = findHeuristic(name)!;
    const machines = poolMachines();
    const { workload } = onFullPool(somePoolJobs(JOBS), machines, LOAD);
    const history = historyOf(
      workload,
      simulate(workload, machines, { policy: name }, { keepMachines: true }),
    );

    const indexed: Replay[] = [];
    const scanned: Replay[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      indexed.push(await replay(history, workload, machines, INDEXED_JOBS, indexFinder(heuristic)));
      scanned.push(
        await replay(history, workload, machines, SCANNED_JOBS, (state) => scanFinder(heuristic, state)),
      );
    }
    for (let job = 0; job < SCANNED_JOBS; job++) {
      if (indexed[0].found[job] !== scanned[0].found[job])
        throw new Error(`${name}: index and scan differ at job ${job}`);
    }
    const perJob = (rounds: readonly Replay[], jobs: number): Took => ({
      seconds: median(rounds.map((round) => round.seconds)) / jobs,
      processorSeconds: median(rounds.map((round) => round.processorSeconds)) / jobs,
    });
    const index = perJob(indexed, INDEXED_JOBS);
    const times = perJob(scanned, SCANNED_JOBS).processorSeconds / index.processorSeconds;
    return [
      {
        what: name,
        speed: speedOf(1, index),
        timesPlainScan: times,
        figure: `${Math.round(history.utilization * 100)} % full, ${Math.round(indexed[0].unplaced / (INDEXED_JOBS / 100))} % found none`,
        peakMiB: peakMiB(),
        target: atLeast(TARGET, "× plain scan", times),
      },
    ];
  },
};

/** A pool in the middle of a run, and the starts and ends from then on. */
interface History {
  /** Of the cores in use. */
  readonly utilization: number;
  /** The rows that run, and the machine of each. */
  readonly running: readonly { readonly row: number; readonly machine: number }[];
  /** In order of time: a row that starts, or `-1 - row` for one that ends. */
  readonly events: Int32Array;
}

/** The pool when it was about as full as its load says, and the starts and ends after that. */
function historyOf(workload: Workload, { result, schedule }: Simulation): History {
  const { timeSeconds, coreUtilization } = result.series;
  const span = schedule.submitSeconds[workload.count - 1];
  let sample = 0;
  for (const [i, time] of timeSeconds.entries()) {
    const isNearer = Math.abs(coreUtilization[i] - LOAD) < Math.abs(coreUtilization[sample] - LOAD);
    if (time > span * 0.2 && time < span * 0.6 && isNearer) sample = i;
  }
  const then = timeSeconds[sample];
  const running: { row: number; machine: number }[] = [];
  const events: { time: number; event: number }[] = [];
  for (let row = 0; row < workload.count; row++) {
    const start = schedule.startSeconds[row];
    const end = start + workload.runtimeSeconds[row];
    if (start > then) events.push({ time: start, event: row });
    else if (end > then) running.push({ row, machine: schedule.machines!.of(row)[0] });
    if (end > then) events.push({ time: end, event: -1 - row });
  }
  // Ends before starts; a job of no length ends after it started.
  events.sort((a, b) => a.time - b.time || Number(a.event >= 0) - Number(b.event >= 0));
  return {
    utilization: coreUtilization[sample],
    running,
    events: Int32Array.from(events, ({ event }) => event),
  };
}

function indexFinder(heuristic: Heuristic): (machines: MachineState) => Finder {
  return (machines) => heuristic.index!(new Indexes(machines));
}

interface Replay extends Took {
  /** The machine of each job, in order. */
  readonly found: Int32Array;
  readonly unplaced: number;
}

/** Places the next jobs of a history with a finder, and releases those that end meanwhile. */
async function replay(
  { running, events }: History,
  workload: Workload,
  machines: Machines,
  jobs: number,
  finderOf: (state: MachineState) => Finder,
): Promise<Replay> {
  const { coresMilli, memoryMiB } = workload as Workload & { memoryMiB: Int32Array };
  const state = new MachineState(machines);
  const find = finderOf(state);
  const machineOf = new Int32Array(workload.count).fill(NONE);
  for (const { row, machine } of running) {
    machineOf[row] = machine;
    state.take(machine, coresMilli[row], memoryMiB[row], 0, 1);
  }
  // The first search brings an index up to date.
  find(1000, 0, 0);
  const found = new Int32Array(jobs);
  let unplaced = 0;
  const took = await timed(() => {
    let placed = 0;
    for (let i = 0; i < events.length && placed < jobs; i++) {
      const event = events[i];
      const row = event < 0 ? -1 - event : event;
      if (event < 0) {
        if (machineOf[row] !== NONE) state.give(machineOf[row], coresMilli[row], memoryMiB[row], 0, 1);
        continue;
      }
      const machine = find(coresMilli[row], memoryMiB[row], 0);
      machineOf[row] = found[placed++] = machine;
      if (machine === NONE) unplaced++;
      else state.take(machine, coresMilli[row], memoryMiB[row], 0, 1);
    }
  });
  return { ...took, found, unplaced };
}
