import { parseMemory } from "../../input/memory-amounts.ts";
import { UNKNOWN } from "../job-row.ts";

/** What a job asks for: a number of tasks, each with cores, MiB (-1: unknown) and GPUs. */
export interface Tasks {
  readonly count: number;
  readonly cores: number;
  readonly memoryMiB: number;
  readonly gpus: number;
  /** Whether the chunks differ, so that the tasks divide the cores of all of them. */
  readonly isMixed: boolean;
  /** The first number of cores, amount of memory, and number of GPUs that cannot be read; empty if there is none. */
  readonly unreadCores: string;
  readonly unreadMemory: string;
  readonly unreadGpus: string;
}

/** Equal chunks. */
interface Chunks {
  readonly count: number;
  readonly cores: number;
  readonly memoryMiB: number;
  readonly gpus: number;
  readonly unreadCores: string;
  readonly unreadMemory: string;
  readonly unreadGpus: string;
}

/** `2:ncpus=8:mem=16gb:ngpus=1+1:ncpus=4`, as in PBS Pro's `select`; null if all chunks are without cores. */
export function tasksOfSelect(text: string): Tasks | null {
  return tasksOf(text, "ncpus", "ngpus");
}

/**
 * `2:ppn=8:gpus=1`, or `n1:ppn=8+n2:ppn=8`, as in Torque's `nodes`; null if all chunks are without cores. What stands
 * behind `#`, such as `#excl`, is of all chunks.
 */
export function tasksOfNodes(text: string): Tasks | null {
  return tasksOf(text.split("#", 1)[0]!, "ppn", "gpus");
}

function tasksOf(text: string, coresKey: string, gpusKey: string): Tasks | null {
  const chunks = text.split("+").map((chunk) => chunksOf(chunk, coresKey, gpusKey));
  return joined(
    chunks.filter(({ count, cores, unreadCores }) => (count >= 1 && cores >= 1) || unreadCores !== ""),
  );
}

/** The number of chunks, 1 if there is a name instead, and the resources of each. */
function chunksOf(text: string, coresKey: string, gpusKey: string): Chunks {
  const [first = "", ...rest] = text.trim().split(":");
  const isNumber = /^\d+$/.test(first);
  let cores = 1;
  let memoryMiB = UNKNOWN;
  let gpus = 0;
  let [unreadCores, unreadMemory, unreadGpus] = ["", "", ""];
  for (const part of isNumber ? rest : [first, ...rest]) {
    const [key, value = ""] = part.split("=");
    if (key === coresKey) {
      cores = /^\d+$/.test(value) ? Number(value) : 0;
      if (!/^\d+$/.test(value)) unreadCores = part;
      // No resource has such a name: `1pn=4` was `1:ppn=4`.
    } else if (part.includes("=") && !/^[A-Za-z_]/.test(part)) {
      [cores, unreadCores] = [0, part];
    } else if (key === gpusKey) {
      gpus = /^\d+$/.test(value) ? Number(value) : 0;
      if (gpus === 0 && !["", "0"].includes(value)) unreadGpus = part;
    } else if (key === "mem") {
      const mebibytes = memoryOf(value);
      if (Number.isNaN(mebibytes)) unreadMemory = part;
      memoryMiB = mebibytes > 0 ? mebibytes : UNKNOWN;
    }
  }
  return {
    count: isNumber ? Number(first) : 1,
    cores,
    memoryMiB,
    gpus,
    unreadCores,
    unreadMemory,
    unreadGpus,
  };
}

/** MiB; NaN if it is not an amount. PBS counts bytes if there is no unit. */
function memoryOf(text: string): number {
  const bytes = new TextEncoder().encode(text);
  return parseMemory(bytes, 0, bytes.length, 1 / 1024 ** 2);
}

function joined(all: readonly Chunks[]): Tasks | null {
  if (all.length === 0) return null;
  const firstUnread = (key: "unreadCores" | "unreadMemory" | "unreadGpus"): string =>
    all.find((each) => each[key] !== "")?.[key] ?? "";
  const unread = {
    unreadCores: firstUnread("unreadCores"),
    unreadMemory: firstUnread("unreadMemory"),
    unreadGpus: firstUnread("unreadGpus"),
  };
  const chunks = all.filter(({ cores }) => cores >= 1);
  const [first] = chunks;
  if (first === undefined)
    return { count: 0, cores: 0, memoryMiB: UNKNOWN, gpus: 0, isMixed: false, ...unread };
  const sum = (of: (chunks: Chunks) => number): number =>
    chunks.reduce((total, each) => total + each.count * of(each), 0);
  const isMixed = chunks.some(
    ({ cores, memoryMiB, gpus }) =>
      cores !== first.cores || memoryMiB !== first.memoryMiB || gpus !== first.gpus,
  );
  if (!isMixed) return { ...first, count: sum(() => 1), isMixed, ...unread };
  const cores = chunks.reduce((divisor, each) => greatestCommonDivisor(divisor, each.cores), 0);
  const count = sum((each) => each.cores) / cores;
  const isMemoryTold = chunks.every(({ memoryMiB }) => memoryMiB !== UNKNOWN);
  return {
    count,
    cores,
    memoryMiB: isMemoryTold ? sum(({ memoryMiB }) => memoryMiB) / count : UNKNOWN,
    gpus: sum(({ gpus }) => gpus) / count,
    isMixed,
    ...unread,
  };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
