import type { Exporter } from "./exporter.ts";
import { gridEngine } from "./grid-engine/grid-engine.ts";
import { htcondor } from "./htcondor/htcondor.ts";
import { kubernetes } from "./kubernetes/kubernetes.ts";
import { lsf } from "./lsf/lsf.ts";
import { slurm } from "./slurm/slurm.ts";

/** Every batch system that a packing policy can be written for. To add one: a folder beside the others, and a line here. */
export const exporters: readonly Exporter[] = [lsf, slurm, htcondor, gridEngine, kubernetes];
