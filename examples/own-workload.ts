/** A workload made by a program: two jobs that fit at once, and one that has to wait for both. */
import { readMachines, simulate, workloadOf } from "croft";

const workload = workloadOf({
  name: "three jobs",
  submitSeconds: Float64Array.of(0, 10, 20),
  runtimeSeconds: Float64Array.of(600, 300, 60),
  coresMilli: Int32Array.of(2000, 2000, 4000),
  memoryMiB: Int32Array.of(4096, 4096, 8192),
});
const machines = await readMachines("1x4c16g");

// An interval of 0: a scheduling cycle after every event, so that nobody waits for the clock.
const { result, schedule } = simulate(
  workload,
  machines,
  { policy: "mix-fit", intervalSeconds: 0 },
  { keepMachines: true },
);

for (let row = 0; row < workload.count; row++) {
  const names = schedule.machines!.of(row).map((machine) => machines.ids[machine]);
  console.log(`job ${row + 1} starts at ${schedule.startSeconds[row]} s on ${names.join(", ")}`);
}
console.log(`mean wait ${result.waitMeanSeconds.toFixed(0)} s`);
