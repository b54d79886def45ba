import type { MachinesOptions, ReadOptions } from "../../workload/index.ts";
import type { SimulationSettings } from "./settings.ts";

/** Settings that belong together, under a name: those of another simulator, to compare with it. */
export interface Preset {
  readonly name: string;
  readonly summary: string;
  readonly settings: Partial<SimulationSettings>;
  readonly workload: ReadOptions;
  readonly machines: MachinesOptions;
}

/** The thesis's own simulator (Shai 2014): its knobs, and how it reads its files. */
const simba: Preset = {
  name: "simba",
  summary: "the settings of the thesis's own simulator (Shai 2014)",
  settings: {
    intervalSeconds: 10,
    examined: 1000,
    reserving: 1,
    leastFree: { cores: 1000, memory: 1024 },
  },
  workload: { minimumRuntimeSeconds: 1, minimumMemoryMiB: 1024 },
  machines: { memoryUnitWithoutHeader: "GiB" },
};

/** The simulator behind the published EASY schedules of Gaussier and others, SC'15. */
const pyss: Preset = {
  name: "pyss",
  summary:
    "the event order of the published EASY schedules (Gaussier et al., SC'15); run times end at the estimate",
  settings: { eventOrder: "single", intervalSeconds: 0 },
  workload: { overrun: "cap" },
  machines: {},
};

export const presets: readonly Preset[] = [simba, pyss];
