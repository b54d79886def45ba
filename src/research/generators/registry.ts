import { InputError, type GeneratorOptions, type WorkloadGenerator } from "../../workload/index.ts";
import { accountingFarm, generateAccounting } from "./accounting.ts";
import { generateLublin, lublinMachines, type LublinMix } from "./lublin.ts";

/** The generators of the studies, in the order in which the command line lists them. */
export const researchGenerators: readonly WorkloadGenerator[] = [
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

function refuseModel(name: string, model: GeneratorOptions["model"]): void {
  if (model !== undefined && Object.keys(model).length > 0)
    throw new InputError(`--model is for netbatch-a to -d: ${name} has no such parameters`);
}
