import type { LocalAttempt } from "./attempt.ts";

/** The GPUs of the machine that attempts get. */
export interface Gpus {
  /** By the names that their drivers know them by. */
  readonly devices: readonly string[];
  /** So many attempts share a device; 1: each has its own. */
  readonly parts: number;
}

/**
 * The devices for an attempt, none of which an attempt has that is not over: one that is suspended keeps its own. Those
 * that are shared go to as few at a time as can be.
 *
 * @returns null where too few are free
 */
export function devicesFor(
  { devices, parts }: Gpus,
  gpuMilli: number,
  attempts: Iterable<LocalAttempt>,
): readonly string[] | null {
  if (gpuMilli === 0) return [];
  const uses = new Map(devices.map((device) => [device, 0]));
  for (const { state, gpus } of attempts)
    if (state !== "over") for (const device of gpus) uses.set(device, (uses.get(device) ?? 0) + 1);
  const wanted = parts === 1 ? Math.ceil(gpuMilli / 1000) : 1;
  const free = devices.filter((device) => uses.get(device)! < parts);
  if (free.length < wanted) return null;
  // The sort is stable: of those that are used alike the first.
  return free.sort((a, b) => uses.get(a)! - uses.get(b)!).slice(0, wanted);
}

/** No device: all three take it for one that there is not. An empty text would mean all of them to some. */
const NONE = "-1";

/** The variables by which the drivers of NVIDIA and AMD, and OpenCL, show an attempt its devices and no others. */
export function gpuVariables(devices: readonly string[]): Record<string, string> {
  const names = devices.length === 0 ? NONE : devices.join(",");
  return { CUDA_VISIBLE_DEVICES: names, ROCR_VISIBLE_DEVICES: names, GPU_DEVICE_ORDINAL: names };
}
