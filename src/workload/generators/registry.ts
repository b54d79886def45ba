import { InputError } from "../errors.ts";
import type { Machines } from "../machines/machines.ts";
import type { Workload } from "../workload.ts";
import { accountingFarm, generateAccounting } from "./accounting.ts";
import { generateLublin, lublinMachines, type LublinMix } from "./lublin.ts";
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

/** Every generator, in the order in which the command line lists them. */
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
    generate: ({ load, model, ...options } = {}) => {
      if (load !== undefined) throw new InputError("accounting has a load of its own: leave --load out");
      refuseModel("accounting", model);
      return generateAccounting(options);
    },
  },
  lublin(
    "both",
    "Lublin and Feitelson's model of a parallel cluster, batch and interactive jobs, needs as parts of a node",
  ),
  lublin("batch", "the same, batch jobs only"),
  lublin("interactive", "the same, interactive jobs only"),
  lublin("typeless", "the same, one class of jobs"),
];

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

function refuseModel(name: string, model: GeneratorOptions["model"]): void {
  if (model !== undefined && Object.keys(model).length > 0)
    throw new InputError(`--model is for netbatch-a to -d: ${name} has no such parameters`);
}

function lublin(mix: LublinMix, summary: string): WorkloadGenerator {
  const name = mix === "both" ? "lublin" : `lublin-${mix}`;
  return {
    name,
    summary,
    defaultJobs: 1000,
    machines: lublinMachines,
    generate: ({ model, ...options } = {}) => {
      refuseModel(name, model);
      return generateLublin(mix, options);
    },
  };
}
