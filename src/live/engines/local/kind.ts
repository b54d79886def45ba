import type { EngineKind } from "../engine-kind.ts";
import { recordsDisk } from "../system/records-disk.ts";
import { Cgroups, cgroupPlace } from "./cgroups.ts";
import { LocalEngine } from "./engine.ts";
import { placeName } from "./place-name.ts";
import { systemProcesses } from "./processes.ts";
import { machineSettings, readSettings } from "./settings.ts";

/** Processes of this machine. */
export const local: EngineKind = {
  name: "local",
  summary: "processes on this machine, which outlive the service",
  create(values, system) {
    const settings = readSettings(values);
    const isOurs = settings.cgroup === "auto";
    const place = isOurs ? cgroupPlace(placeName(system.folder)) : settings.cgroup;
    const cgroups = place === null || place === "none" ? null : new Cgroups(place, isOurs);
    return new LocalEngine(settings, {
      ...system,
      records: recordsDisk,
      processes: systemProcesses,
      cgroups,
    });
  },
  machineSettings,
  givesGpus: true,
  runsHooks: true,
  rootSettings: { allowRoot: true },
};
