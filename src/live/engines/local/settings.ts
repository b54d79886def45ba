import { availableParallelism, hostname, totalmem } from "node:os";

import { InputError } from "../../../workload/errors.ts";
import {
  GPU_KIND,
  gpuPartOf,
  type PhysicalPool,
  type PoolGpus,
  type PoolHooks,
} from "../../../workload/index.ts";
import type { Machine } from "../engine.ts";
import type { EngineSettings } from "../engine-kind.ts";
import { Settings } from "../settings.ts";
import { findGpus } from "./find-gpus.ts";
import type { Gpus } from "./gpus.ts";
import type { HookSettings } from "./hooks.ts";

export interface LocalSettings {
  readonly machine: Machine;
  /** The devices that attempts get; null: the farm file says nothing of them. */
  readonly gpus: Gpus | null;
  /** What is done before and after each attempt; null: nothing. */
  readonly hooks: HookSettings | null;
  readonly allowRoot: boolean;
  /** `auto`: use cgroups if possible; `none`; or the path of a cgroup of our own. */
  readonly cgroup: string;
}

/** The memory kept for the machine itself: this part, and at least `KEPT_LEAST_MIB`. */
const KEPT_PART = 0.05;
const KEPT_LEAST_MIB = 256;
/** How long a prolog or an epilog may take. */
const HOOK_SECONDS = 60;

/** @throws {InputError} where one cannot be used */
export function readSettings(values: EngineSettings): LocalSettings {
  const settings = new Settings("local", values);
  const constrained = process.constrainedMemory();
  const wholeMiB = Math.min(totalmem(), constrained > 0 ? constrained : Infinity) / 1024 / 1024;
  const ours = Math.max(1, Math.floor(wholeMiB - Math.max(KEPT_LEAST_MIB, wholeMiB * KEPT_PART)));
  const gpus = gpusOf(settings);
  const read: LocalSettings = {
    gpus,
    hooks: hooksOf(settings),
    machine: {
      name: settings.text("name") ?? hostname(),
      coresMilli: 1000 * settings.number("cores", { from: 0.1, to: 1e5, otherwise: availableParallelism() }),
      memoryMiB: settings.number("memoryMiB", { from: 1, to: 1e9, otherwise: ours }),
      gpuMilli: gpus === null ? 0 : gpus.devices.length * gpus.parts * gpuPartOf(gpus),
      attributes: {
        os: process.platform,
        arch: process.arch,
        ...(gpus === null || gpus.kind === null ? {} : { [GPU_KIND]: gpus.kind }),
      },
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

/** @throws {InputError} where they are to be found, and cannot be */
function gpusOf(settings: Settings): (PoolGpus & Gpus) | null {
  const group = settings.group("gpus");
  if (group === null) return null;
  const parts = group.number("parts", { from: 1, to: 1000, otherwise: 1 });
  const kind = group.text("kind");
  const devices = group.texts("devices");
  group.done();
  if (devices !== null) return { devices, kind, parts };
  const found = findGpus();
  return { devices: found.devices, kind: kind ?? found.kind, parts };
}

/** @throws {InputError} where one is not there */
function hooksOf(settings: Settings): HookSettings | null {
  const group = settings.group("hooks");
  if (group === null) return null;
  const path = (name: string): string | null => {
    const text = group.text(name);
    if (text !== null && !text.startsWith("/")) throw group.wrong(name, "give an absolute path");
    return text;
  };
  const read = {
    prolog: path("prolog"),
    epilog: path("epilog"),
    limitSeconds: group.number("limitSeconds", { from: 0.1, to: 3600, otherwise: HOOK_SECONDS }),
    scratch: path("scratch"),
  };
  group.done();
  return read;
}

/** @throws {InputError} where they cannot be this machine */
export function machineSettings({ groups, gpus, hooks }: PhysicalPool): EngineSettings {
  const own = {
    ...(gpus === undefined ? {} : { gpus: withoutNulls(gpus) }),
    ...(hooks === undefined ? {} : { hooks: withoutNulls(hooks) }),
  };
  const [group, ...others] = groups;
  if (group === undefined) return own;
  if (others.length > 0 || group.count > 1)
    throw new InputError("the engine local runs jobs on this machine: give one machine, or none");
  if (gpus === undefined && (group.gpuMilli ?? 0) > 0)
    throw new InputError(
      "the engine local gives each job devices of its own, and has to know them: leave gpus out of its machine, and give them to the pool: gpus: { devices: [0, 1] }, or gpus: auto",
    );
  return {
    ...own,
    cores: group.coresMilli / 1000,
    ...(group.memoryMiB === null ? {} : { memoryMiB: group.memoryMiB }),
  };
}

/** As the settings of an engine are: what is not given is left out. */
function withoutNulls(values: PoolGpus | PoolHooks): EngineSettings {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
