import { parseDuration } from "../../input/durations.ts";
import { UNREAD_GPUS, UNREAD_LIMIT, UNREAD_MEMORY } from "../recorded-jobs.ts";

/** What a job asked for with `-l`; NaN if it did not say. */
export interface Requests {
  readonly limitSeconds: number;
  /** Per slot, unless the farm counts it per job. */
  readonly memoryMiB: number;
  readonly gpus: number;
  /** Notes on what it said that cannot be read. */
  readonly unread: readonly string[];
}

/** Common names of requestable resources. The first that is present counts. */
const LIMITS = ["h_rt", "s_rt"];
const MEMORIES = ["m_mem_free", "h_vmem", "mem_free", "virtual_free", "h_rss", "s_vmem"];
const GPUS = ["gpu", "gpus", "ngpus", "num_gpu"];

/** In Grid Engine lower-case units are powers of 1000, capitals of 1024. */
const BYTES_PER_LETTER: Readonly<Record<string, number>> = {
  "": 1,
  k: 1e3,
  m: 1e6,
  g: 1e9,
  t: 1e12,
  K: 1024,
  M: 1024 ** 2,
  G: 1024 ** 3,
  T: 1024 ** 4,
};

/** The requests in `-U staff -l h_rt=3600,h_vmem=4G -pe mpi 16`. */
export function requestsOf(category: string): Requests {
  const asked = new Map<string, string>();
  for (const [, list] of category.matchAll(/(?:^|\s)-l\s+(\S+)/g)) {
    let name = "";
    for (const item of list!.split(",")) {
      const equals = item.indexOf("=");
      if (equals > 0) {
        name = item.slice(0, equals);
        asked.set(name, item.slice(equals + 1));
        // No resource has such a name: it is what stands behind the decimal comma in `h_vmem=4,5G`.
      } else if (/^\d/.test(item)) asked.set(name, `${asked.get(name) ?? ""},${item}`);
    }
  }
  const first = (names: readonly string[]): string =>
    asked.get(names.find((name) => asked.has(name)) ?? "") ?? "";
  const [limit, memory, gpus] = [first(LIMITS), first(MEMORIES), first(GPUS)];
  const [limitSeconds, memoryMiB] = [secondsOf(limit), mebibytesOf(memory)];
  const unread: string[] = [];
  if (Number.isNaN(limitSeconds) && limit !== "" && limit.toUpperCase() !== "INFINITY")
    unread.push(UNREAD_LIMIT);
  if (Number.isNaN(memoryMiB) && memory !== "" && memory.toUpperCase() !== "INFINITY")
    unread.push(UNREAD_MEMORY);
  if (gpus !== "" && !/^\d+$/.test(gpus)) unread.push(UNREAD_GPUS);
  return {
    limitSeconds,
    memoryMiB,
    gpus: /^\d+$/.test(gpus) ? Number(gpus) : Number.NaN,
    unread,
  };
}

/** NaN for `INFINITY` and anything else that is not a time. */
function secondsOf(text: string): number {
  const bytes = new TextEncoder().encode(text.toLowerCase());
  return parseDuration(bytes, 0, bytes.length);
}

function mebibytesOf(text: string): number {
  const [, amount, letter = ""] = /^(\d+(?:\.\d+)?)([kmgtKMGT]?)$/.exec(text) ?? [];
  return amount === undefined ? Number.NaN : (Number(amount) * BYTES_PER_LETTER[letter]!) / 1024 ** 2;
}

/** Whether the name of a parallel environment says that its slots are on one machine. */
export function isOnOneMachine(environment: string): boolean {
  return /smp|thread|shm|shared|openmp|omp|single|onehost|onenode|one_?node|multicore|mcore|local/i.test(
    environment,
  );
}
