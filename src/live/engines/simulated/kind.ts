import type { EngineKind } from "../engine-kind.ts";
import { SimulatedEngine } from "./engine.ts";
import { machineSettings, readSettings } from "./settings.ts";

/** Pretends: any machines, any speed, nothing runs. */
export const simulated: EngineKind = {
  name: "simulated",
  summary: "pretended machines and jobs, at any speed, with failures on demand",
  create: (settings, system) => new SimulatedEngine(readSettings(settings), system),
  machineSettings,
};
