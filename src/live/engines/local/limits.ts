import type { Disk } from "../system/disk.ts";
import type { LocalAttempt } from "./attempt.ts";
import { ranSeconds } from "./attempt.ts";
import type { Process, Processes } from "./processes.ts";

/** An attempt may take more than its cores for a moment; over this time it may not. */
const CORES_WINDOW_SECONDS = 60;
/** Exceeding the cores by less than this part is within the error of measuring time. */
const CORES_TOLERANCE = 0.05;

/** The limits that the engine watches, since the kernel does not enforce them. */
export interface WatchedLimits {
  readonly memory: boolean;
  readonly cores: boolean;
}

/**
 * Looks at what runs of an attempt, remembers what it takes, and returns the limit that it is above, if any.
 *
 * Memory shared between processes counts once. To find that out is slow, so it is done only where the plain
 * sum is above the limit.
 */
export async function exceeded(
  attempt: LocalAttempt,
  members: readonly Process[],
  now: number,
  watched: WatchedLimits,
  processes: Pick<Processes, "proportionalMiB">,
): Promise<"memory" | "cores" | "time" | null> {
  const { limits } = attempt;
  if (limits.seconds !== null && ranSeconds(attempt, now) > limits.seconds) return "time";

  const resident = sum(members.map(({ residentMiB }) => residentMiB));
  let memory = resident;
  if (watched.memory && limits.memoryMiB !== null && resident > limits.memoryMiB)
    memory = sum(
      await Promise.all(
        members.map(async (each) => (await processes.proportionalMiB(each.pid)) ?? each.residentMiB),
      ),
    );
  attempt.memoryPeakMiB = Math.max(attempt.memoryPeakMiB ?? 0, memory);
  if (watched.memory && limits.memoryMiB !== null && memory > limits.memoryMiB) return "memory";

  if (watched.cores && limits.coresMilli !== null && isOverCores(attempt, members, now, limits.coresMilli))
    return "cores";
  return null;
}

/** Whether a file that is kept for it is longer than it may be. */
export async function hasPrintedTooMuch(
  { limits: { output } }: LocalAttempt,
  disk: Pick<Disk, "read">,
): Promise<boolean> {
  for (const path of output?.paths ?? []) {
    const beyond = await disk.read(path, output!.bytes, 1).catch(() => null);
    if (beyond !== null && beyond.bytes.length > 0) return true;
  }
  return false;
}

function isOverCores(
  attempt: LocalAttempt,
  members: readonly Process[],
  now: number,
  coresMilli: number,
): boolean {
  const samples = attempt.cpuSamples;
  samples.push({ at: now, cpuSeconds: sum(members.map(({ cpuSeconds }) => cpuSeconds)) });
  // One that is older than the window is kept, to measure from.
  while (samples.length > 2 && samples[1]!.at <= now - CORES_WINDOW_SECONDS) samples.shift();
  const [first, last] = [samples[0]!, samples.at(-1)!];
  const seconds = last.at - first.at;
  if (seconds < CORES_WINDOW_SECONDS) return false;
  return last.cpuSeconds - first.cpuSeconds > ((seconds * coresMilli) / 1000) * (1 + CORES_TOLERANCE);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
