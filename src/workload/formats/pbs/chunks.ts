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
}

/** Equal chunks. */
interface Chunks {
  readonly count: number;
  readonly cores: number;
  readonly memoryMiB: number;
  readonly gpus: number;
}

/** `2:ncpus=8:mem=16gb:ngpus=1+1:ncpus=4`, as in PBS Pro's `select`; null if no chunk has a core. */
export function tasksOfSelect(text: string): Tasks | null {
  return tasksOf(text, "ncpus", "ngpus");
}

/** `2:ppn=8:gpus=1`, or `n1:ppn=8+n2:ppn=8`, as in Torque's `nodes`; null if no chunk has a core. */
export function tasksOfNodes(text: string): Tasks | null {
  return tasksOf(text, "ppn", "gpus");
}

function tasksOf(text: string, coresKey: string, gpusKey: string): Tasks | null {
  const chunks = text.split("+").map((chunk) => chunksOf(chunk, coresKey, gpusKey));
  return joined(chunks.filter(({ count, cores }) => count >= 1 && cores >= 1));
}

/** The number of chunks, 1 if there is a name instead, and the resources of each. */
function chunksOf(text: string, coresKey: string, gpusKey: string): Chunks {
  const [first = "", ...rest] = text.trim().split(":");
  const isNumber = /^\d+$/.test(first);
  let cores = 1;
  let memoryMiB = UNKNOWN;
  let gpus = 0;
  for (const part of isNumber ? rest : [first, ...rest]) {
    const [key, value = ""] = part.split("=");
    if (key === coresKey) cores = /^\d+$/.test(value) ? Number(value) : 0;
    else if (key === gpusKey) gpus = /^\d+$/.test(value) ? Number(value) : 0;
    else if (key === "mem") memoryMiB = memoryOf(value);
  }
  return { count: isNumber ? Number(first) : 1, cores, memoryMiB, gpus };
}

/** MiB; -1 if it is not an amount. PBS counts bytes if there is no unit. */
function memoryOf(text: string): number {
  const bytes = new TextEncoder().encode(text);
  const mebibytes = parseMemory(bytes, 0, bytes.length, 1 / 1024 ** 2);
  return mebibytes > 0 ? mebibytes : UNKNOWN;
}

function joined(chunks: readonly Chunks[]): Tasks | null {
  const [first] = chunks;
  if (first === undefined) return null;
  const sum = (of: (chunks: Chunks) => number): number =>
    chunks.reduce((total, each) => total + each.count * of(each), 0);
  const isMixed = chunks.some(
    ({ cores, memoryMiB, gpus }) =>
      cores !== first.cores || memoryMiB !== first.memoryMiB || gpus !== first.gpus,
  );
  if (!isMixed) return { ...first, count: sum(() => 1), isMixed };
  const cores = chunks.reduce((divisor, each) => greatestCommonDivisor(divisor, each.cores), 0);
  const count = sum((each) => each.cores) / cores;
  const isMemoryTold = chunks.every(({ memoryMiB }) => memoryMiB !== UNKNOWN);
  return {
    count,
    cores,
    memoryMiB: isMemoryTold ? sum(({ memoryMiB }) => memoryMiB) / count : UNKNOWN,
    gpus: sum(({ gpus }) => gpus) / count,
    isMixed,
  };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
