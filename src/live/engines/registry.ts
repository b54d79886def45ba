import type { EngineKind } from "./engine-kind.ts";
import { kubernetes } from "./kubernetes/kind.ts";
import { local } from "./local/kind.ts";
import { simulated } from "./simulated/kind.ts";
import { slurm } from "./slurm/kind.ts";

/** Every engine. To add one: a folder beside the others, and a line here. */
export const engines: readonly EngineKind[] = [local, simulated, slurm, kubernetes];

export function findEngine(name: string): EngineKind | undefined {
  return engines.find((engine) => engine.name === name);
}
