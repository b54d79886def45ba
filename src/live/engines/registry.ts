import type { EngineKind } from "./engine-kind.ts";
import { local } from "./local/local.ts";
import { simulated } from "./simulated/simulated.ts";
import { slurm } from "./slurm/slurm.ts";

/** Every engine. To add one: a folder beside the others, and a line here. */
export const engines: readonly EngineKind[] = [local, simulated, slurm];

export function findEngine(name: string): EngineKind | undefined {
  return engines.find((engine) => engine.name === name);
}
