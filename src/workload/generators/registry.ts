import { InputError } from "../errors.ts";
import type { Machines } from "../machines/machines.ts";
import type { Workload } from "../workload.ts";
import { modelOf, type NetbatchModel } from "./netbatch-model.ts";
import { generateNetbatch, netbatchMachines, type NetbatchOptions, type PoolLetter } from "./netbatch.ts";
import { netbatchPools } from "./netbatch-pools.ts";

/** Makes a workload if there is no log, and the machines that it is for. */
export interface WorkloadGenerator {
  readonly name: string;
  readonly summary: string;
  /** The number of jobs by default. */
  readonly defaultJobs: number;
  /** What is guessed of it, and can be changed by `GeneratorOptions.model`; absent where nothing can. */
  readonly model?: NetbatchModel;
  machines(): Machines;
  /** @throws InputError if an option cannot be used, or the generator does not have it */
  generate(options?: GeneratorOptions): Workload;
}

export interface GeneratorOptions extends NetbatchOptions {
  /** The offered load to which the times between arrivals are stretched. */
  readonly load?: number;
}

const known: WorkloadGenerator[] = [
  netbatch("a", "like Shai's pool A: bursts of both cores and memory, the strongest of the four"),
  netbatch("b", "like Shai's pool B: sparse bursts of cores, intense ones of memory, mostly 4 GB jobs"),
  netbatch("c", "like Shai's pool C: moderate demand for cores throughout, steady memory"),
  netbatch("d", "like Shai's pool D: serial jobs; periods of high and of very low memory"),
];

/** Every generator, in the order in which the command line lists them: the pools', then those added. */
export const generators: readonly WorkloadGenerator[] = known;

/** Adds generators in this thread, each once. */
export function addGenerators(more: readonly WorkloadGenerator[]): void {
  known.push(...more.filter((generator) => !known.includes(generator)));
}

function netbatch(letter: PoolLetter, summary: string): WorkloadGenerator {
  return {
    name: `netbatch-${letter}`,
    summary,
    defaultJobs: netbatchPools[letter].jobsPerMonth,
    model: modelOf(netbatchPools[letter]),
    machines: () => netbatchMachines(letter),
    generate: ({ load, ...options } = {}) => {
      if (load !== undefined)
        throw new InputError(`netbatch-${letter} has the load of its log: leave --load out`);
      return generateNetbatch(letter, options);
    },
  };
}
