import { createHash } from "node:crypto";

import type { EngineKind } from "../engine-kind.ts";
import { recordsDisk } from "../system/records-disk.ts";
import { Cgroups, cgroupPlace } from "./cgroups.ts";
import { LocalEngine } from "./engine.ts";
import { systemProcesses } from "./processes.ts";
import { machineSettings, readSettings } from "./settings.ts";

/** Processes of this machine. */
export const local: EngineKind = {
  name: "local",
  summary: "processes on this machine, which outlive the service",
  create(values, system) {
    const settings = readSettings(values);
    const place = settings.cgroup === "auto" ? cgroupPlace(placeName(system.folder)) : settings.cgroup;
    const cgroups = place === null || place === "none" ? null : new Cgroups(place);
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

/** Engines with other folders have other cgroups. */
function placeName(folder: string): string {
  return `croft-${createHash("sha256").update(folder).digest("hex").slice(0, 12)}`;
}
