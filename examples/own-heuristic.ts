/**
 * A heuristic of one's own, and the decision core without a simulator.
 *
 * `score` is all that a heuristic needs: the open machine with the lowest score on
 * which the task fits is taken, the first of equals. The workload is Figure 3.1 of
 * Shai 2014: eight jobs, and best-fit places only six of them.
 */
import { findHeuristic, matching, NONE, Pool, type Heuristic } from "croft";

/** The machine whose scarcer resource, as a part of its capacity, is left the most plentiful. */
const mostHeadroom: Heuristic = {
  name: "most-headroom",
  summary: "the machine with the most left of whatever it has least of",
  needsMemory: true,
  keepsChoice: false,
  score: (machines, machine, cores, memory) =>
    -Math.min(
      (machines.freeCores[machine] - cores) / machines.capacityCores[machine],
      (machines.freeMemory[machine] - memory) / machines.capacityMemory[machine],
    ),
};

/** Two machines of 4 cores and 32 GiB. */
const capacities = {
  coresMilli: Int32Array.of(4000, 4000),
  memoryMiB: Int32Array.of(32_768, 32_768),
  gpuMilli: null,
};
/** MiB that jobs of one core ask for. */
const requests = [16_384, 16_384, 4096, 4096, 4096, 4096, 4096, 4096];

for (const heuristic of [findHeuristic("best-fit-cores")!, mostHeadroom]) {
  const pool = new Pool({
    capacities,
    policy: matching(heuristic),
    heuristic,
    // What divides every capacity and request; { cores: 1, memory: 1 } where requests are not known.
    // The figure has no reservations; with them best-fit's first job without a machine would close the other.
    reserving: 0,
  });
  for (const memory of requests) {
    pool.submit({
      cores: 1000,
      memory,
      gpu: 0,
      tasks: 1,
      project: 0,
      heuristic: NONE,
      estimateSeconds: 0,
    });
  }
  pool.cycle(0);
  console.log(`${heuristic.name}: ${pool.startedCount} of ${requests.length} jobs start`);
}
