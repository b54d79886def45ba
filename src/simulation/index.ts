export * from "./result.ts";
export { simulate, type Simulation, type SimulationExtras } from "./simulate.ts";
export { defaultSettings, type Estimates, type SimulationSettings } from "./settings.ts";
export { type Schedule, PlacementLog } from "./schedule.ts";
export { nearest, resolvePolicy } from "./policy-names.ts";
export { offeredLoad } from "./offered-load.ts";
export { quantiles } from "./quantiles.ts";
