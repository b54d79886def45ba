import type { PolicyState } from "../../pool/policy.ts";
import type { MachinePlans } from "./machine-plans.ts";
import { isAmount, isBelow, isSeconds, savedColumn } from "./saved-columns.ts";

/** What a job that has ended gives back: its machines are taken in the plans until the next pass. */
export interface GivenBack {
  /** What a task held. */
  readonly cores: number;
  readonly memory: number;
  readonly gpu: number;
  /** The number of its request for licences. */
  readonly licences: number;
  /** The time for which the plans count it. */
  readonly from: number;
  readonly until: number;
  readonly machine: readonly number[];
  readonly tasks: readonly number[];
}

/** Takes what a job held out of the plans, or with `sign` -1 gives it back. */
export function takeGivenBack(plans: MachinePlans, given: GivenBack, sign: number): void {
  const { cores, memory, gpu, licences, from, until, machine, tasks } = given;
  machine.forEach((number, i) => {
    const n = sign * tasks[i];
    plans.take(number, from, until, cores * n, memory * n, gpu * n);
  });
  plans.takeLicences(licences, from, until, sign);
}

/** For a snapshot. */
export function savedGivenBack(all: readonly GivenBack[]): Float64Array {
  const saved: number[] = [];
  for (const { cores, memory, gpu, licences, from, until, machine, tasks } of all) {
    saved.push(cores, memory, gpu, licences, from, until, machine.length);
    machine.forEach((number, i) => saved.push(number, tasks[i]));
  }
  return Float64Array.from(saved);
}

/** @throws RangeError where the state is damaged */
export function loadedGivenBack(state: PolicyState, machines: number): GivenBack[] {
  const saved = savedColumn(state, "given", [isSeconds]);
  const isMachine = isBelow(machines);
  const all: GivenBack[] = [];
  for (let i = 0; i < saved.length;) {
    const [cores, memory, gpu, licences, from, until, count] = saved.subarray(i, i + 7);
    i += 7;
    const end = i + 2 * count;
    let isWhole = [cores, memory, gpu, licences, count].every(isAmount) && end <= saved.length;
    const machine: number[] = [];
    const tasks: number[] = [];
    for (; isWhole && i < end; i += 2) {
      isWhole = isMachine(saved[i]) && isAmount(saved[i + 1]);
      machine.push(saved[i]);
      tasks.push(saved[i + 1]);
    }
    if (!isWhole) throw new RangeError("the snapshot is damaged: what jobs gave back is not whole");
    all.push({ cores, memory, gpu, licences, from, until, machine, tasks });
  }
  return all;
}
