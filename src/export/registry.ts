import type { Exporter } from "./exporter.ts";
import { slurm } from "./slurm/slurm.ts";

/** Every batch system that a packing policy can be written for. To add one: a folder beside the others, and a line here. */
export const exporters: readonly Exporter[] = [slurm];
