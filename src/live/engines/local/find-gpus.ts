import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { InputError } from "../../../workload/errors.ts";

export interface FoundGpus {
  /** As `CUDA_VISIBLE_DEVICES` and `ROCR_VISIBLE_DEVICES` take them. */
  readonly devices: readonly string[];
  /** Their model, as a name. */
  readonly kind: string;
}

/**
 * The GPUs of this machine, as its drivers list them.
 *
 * @param root the folder in which `proc` and `sys` are
 * @throws InputError where there are none, or of several kinds
 */
export function findGpus(root = "/"): FoundGpus {
  const found = [...nvidia(root), ...amd(root)];
  if (found.length === 0)
    throw new InputError(
      "gpus: neither the driver of NVIDIA nor that of AMD lists a GPU of this machine; if there is one, name it: gpus: { devices: [0] }",
    );
  const kinds = [...new Set(found.map(({ kind }) => kind))];
  if (kinds.length > 1)
    throw new InputError(
      `gpus: this machine has GPUs of several kinds (${kinds.join(", ")}): make a pool for each kind, and name its devices: ${found.map(({ device, kind }) => `${device} is ${kind}`).join(", ")}`,
    );
  return { devices: found.map(({ device }) => device), kind: kinds[0]! };
}

interface Device {
  readonly device: string;
  readonly kind: string;
}

/** By UUID: numbers depend on a variable of the job's (`CUDA_DEVICE_ORDER`). */
function nvidia(root: string): Device[] {
  const folder = join(root, "proc/driver/nvidia/gpus");
  return entries(folder).flatMap((entry) => {
    const text = read(join(folder, entry, "information"));
    const field = (name: string): string | undefined =>
      new RegExp(String.raw`^${name}:\s*(.+?)\s*$`, "m").exec(text)?.[1];
    const uuid = field("GPU UUID");
    // Before its first use the driver has not read it.
    const device = uuid === undefined || uuid.includes("?") ? field("Device Minor") : uuid;
    if (device === undefined) return [];
    return [{ device, kind: nameOf((field("Model") ?? "nvidia").replace(/^NVIDIA /, "")) }];
  });
}

/** By number: the driver counts the nodes that have compute units, in order. */
function amd(root: string): Device[] {
  const folder = join(root, "sys/class/kfd/kfd/topology/nodes");
  return entries(folder)
    .sort((a, b) => Number(a) - Number(b))
    .map((entry) => read(join(folder, entry, "properties")))
    .filter((text) => propertyOf(text, "simd_count") > 0)
    .map((text, number) => {
      // 90010: gfx90a. Its last two parts are in hexadecimal digits.
      const version = propertyOf(text, "gfx_target_version");
      const [major, minor, step] = [
        Math.floor(version / 10_000),
        Math.floor(version / 100) % 100,
        version % 100,
      ];
      return {
        device: String(number),
        kind: version === 0 ? "amd" : `gfx${major}${minor.toString(16)}${step.toString(16)}`,
      };
    });
}

function propertyOf(text: string, name: string): number {
  return Number(new RegExp(String.raw`^${name} (\d+)$`, "m").exec(text)?.[1] ?? 0);
}

/** `A100-SXM4-40GB` becomes `a100-sxm4-40gb`: a name that needs no quotes. */
function nameOf(model: string): string {
  return model
    .toLowerCase()
    .replaceAll(/[^a-z0-9_.]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
