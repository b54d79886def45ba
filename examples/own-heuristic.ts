/**
 * A heuristic of one's own, compared with one of Croft's.
 *
 * `score` is all that a heuristic needs: the open machine with the lowest score on which the task fits is taken, the
 * first of equals. The workload is Figure 3.1 of Shai 2014: eight jobs, and best-fit places only six of them.
 */
import { readMachines, simulate, workloadOf, type Heuristic } from "croft";

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

const machines = await readMachines("2x4c32g");
/** MiB that jobs of one core ask for. */
const memoryMiB = Int32Array.of(16_384, 16_384, 4096, 4096, 4096, 4096, 4096, 4096);
const workload = workloadOf({
  name: "Figure 3.1",
  submitSeconds: Float64Array.from(memoryMiB, () => 0),
  runtimeSeconds: Float64Array.from(memoryMiB, () => 600),
  coresMilli: memoryMiB.map(() => 1000),
  memoryMiB,
});

for (const policy of ["best-fit-cores", mostHeadroom]) {
  // The figure has no reservations; with them best-fit's first job without a machine would close the other.
  const { result, schedule } = simulate(workload, machines, { policy, reserving: 0 });
  const started = schedule.startSeconds.filter((start) => start === 0).length;
  console.log(`${result.policy}: ${started} of ${workload.count} jobs start`);
}
