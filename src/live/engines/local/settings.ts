import { availableParallelism, hostname, totalmem } from "node:os";

import { InputError } from "../../../workload/errors.ts";
import type { PhysicalPool } from "../../../workload/index.ts";
import type { Machine } from "../engine.ts";
import type { EngineSettings } from "../engine-kind.ts";
import { Settings } from "../settings.ts";

export interface LocalSettings {
  readonly machine: Machine;
  readonly allowRoot: boolean;
  /** `auto`: use cgroups if possible; `none`; or the path of a cgroup of our own. */
  readonly cgroup: string;
}

/** The memory kept for the machine itself: this part, and at least `KEPT_LEAST_MIB`. */
const KEPT_PART = 0.05;
const KEPT_LEAST_MIB = 256;

/** @throws {InputError} where one cannot be used */
export function readSettings(values: EngineSettings): LocalSettings {
  const settings = new Settings("local", values);
  const constrained = process.constrainedMemory();
  const wholeMiB = Math.min(totalmem(), constrained > 0 ? constrained : Infinity) / 1024 / 1024;
  const ours = Math.max(1, Math.floor(wholeMiB - Math.max(KEPT_LEAST_MIB, wholeMiB * KEPT_PART)));
  const read: LocalSettings = {
    machine: {
      name: settings.text("name") ?? hostname(),
      coresMilli: 1000 * settings.number("cores", { from: 0.1, to: 1e5, otherwise: availableParallelism() }),
      memoryMiB: settings.number("memoryMiB", { from: 1, to: 1e9, otherwise: ours }),
      gpuMilli: 0,
      attributes: { os: process.platform, arch: process.arch },
      state: "up",
      reason: "",
    },
    allowRoot: settings.flag("allowRoot", false),
    cgroup: settings.text("cgroup") ?? "auto",
  };
  if (read.cgroup !== "auto" && read.cgroup !== "none" && !read.cgroup.startsWith("/"))
    throw settings.wrong("cgroup", "give auto, none, or the path of a cgroup that is the farm's own");
  settings.done();
  return read;
}

/** @throws {InputError} where they cannot be this machine */
export function machineSettings({ groups }: PhysicalPool): EngineSettings {
  const [group, ...others] = groups;
  if (group === undefined) return {};
  if (others.length > 0 || group.count > 1)
    throw new InputError("the engine local runs jobs on this machine: give one machine, or none");
  if ((group.gpuMilli ?? 0) > 0)
    throw new InputError(
      "the engine local does not know of GPUs, so no job would get one: leave gpus out of its machine",
    );
  return {
    cores: group.coresMilli / 1000,
    ...(group.memoryMiB === null ? {} : { memoryMiB: group.memoryMiB }),
  };
}
