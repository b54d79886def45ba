import type { EngineKind } from "../engine-kind.ts";
import { SlurmEngine } from "./engine.ts";
import { examine } from "./examine.ts";
import { readSettings } from "./settings.ts";

/** A Slurm cluster, or a partition of one. */
export const slurm: EngineKind = {
  name: "slurm",
  summary: "a Slurm cluster by its command line, to which jobs go already placed",
  create: (settings, system) => new SlurmEngine(readSettings(settings), system),
  examine,
};
