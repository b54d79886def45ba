import type { Machines } from "../machines/machines.ts";
import type { Workload } from "../workload.ts";
import { accountingFarm, generateAccounting } from "./accounting.ts";
import { generateNetbatch, netbatchMachines, type NetbatchOptions, type PoolLetter } from "./netbatch.ts";
import { netbatchPools } from "./netbatch-pools.ts";

/** Makes a workload where no log is to be had, and the machines that it is for. */
export interface WorkloadGenerator {
  readonly name: string;
  readonly summary: string;
  /** How many jobs it makes unless told otherwise. */
  readonly defaultJobs: number;
  machines(): Machines;
  generate(options?: NetbatchOptions): Workload;
}

/** Every generator, in the order that the command line lists them. */
export const generators: readonly WorkloadGenerator[] = [
  netbatch("a", "like Shai's pool A: bursts of both cores and memory, the strongest of the four"),
  netbatch("b", "like Shai's pool B: sparse bursts of cores, intense ones of memory, mostly 4 GB jobs"),
  netbatch("c", "like Shai's pool C: moderate demand for cores throughout, steady memory"),
  netbatch("d", "like Shai's pool D: serial jobs; periods of high and of very low memory"),
  {
    name: "accounting",
    summary:
      "an accounting log of several queues that saturates 800 nodes of 8 slots, for `croft study packing`",
    defaultJobs: 5_000_000,
    machines: accountingFarm,
    generate: generateAccounting,
  },
];

function netbatch(letter: PoolLetter, summary: string): WorkloadGenerator {
  return {
    name: `netbatch-${letter}`,
    summary,
    defaultJobs: netbatchPools[letter].jobsPerMonth,
    machines: () => netbatchMachines(letter),
    generate: (options) => generateNetbatch(letter, options),
  };
}
