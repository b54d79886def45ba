import type { SchedulingExporter } from "./advice.ts";
import { gridEngineScheduling } from "./grid-engine.ts";
import { kubernetesScheduling } from "./kubernetes.ts";
import { lsfScheduling } from "./lsf.ts";
import { pbsScheduling } from "./pbs.ts";
import { slurmScheduling } from "./slurm.ts";

/** Every batch system that a scheduling policy can be written for. To add one: a file beside the others, and a line here. */
export const schedulingExporters: readonly SchedulingExporter[] = [
  slurmScheduling,
  lsfScheduling,
  pbsScheduling,
  gridEngineScheduling,
  kubernetesScheduling,
];
