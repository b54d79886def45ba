import type { JobShape } from "./format.ts";
import type { MemoryMeaning } from "./memory.ts";

/** How to read a log that departs from the standard, as documented by its authors or its converter. */
export interface LogMeaning {
  readonly jobShape: JobShape;
  readonly requestedMemory: MemoryMeaning;
  readonly usedMemory: MemoryMeaning;
}

interface KnownLog {
  readonly log: string;
  recognise(fileName: string, installation: string): boolean;
  readonly meaning: LogMeaning;
}

/** SWF 2.2: kilobytes, averaged over the processors. */
const standardMemory: MemoryMeaning = { unit: "KiB", scope: "per-processor" };

export const standardMeaning: LogMeaning = {
  jobShape: "tasks",
  requestedMemory: standardMemory,
  usedMemory: standardMemory,
};

const knownLogs: readonly KnownLog[] = [
  {
    // Its header: "mem_used relates to: quantity=per_job", and so for mem_req.
    log: "LPC EGEE",
    recognise: (_fileName, installation) => installation.includes("Laboratoire de Physique Corpusculaire"),
    meaning: {
      ...standardMeaning,
      requestedMemory: { unit: "KiB", scope: "per-job" },
      usedMemory: { unit: "KiB", scope: "per-job" },
    },
  },
  {
    // No header. Requests are round numbers of bytes that fit the nodes only as a whole job's.
    log: "wagap (CERIT-SC)",
    recognise: (fileName) => /wagap/i.test(fileName),
    meaning: { ...standardMeaning, requestedMemory: { unit: "B", scope: "per-job" } },
  },
  {
    // The cores and memory of a NetBatch job are on one machine (Shai 2014, section 1).
    log: "Intel NetBatch",
    recognise: (fileName, installation) =>
      /intel-?netbatch/i.test(fileName) || /netbatch/i.test(installation),
    meaning: { ...standardMeaning, jobShape: "machine" },
  },
];

/** What is known of a log by its file's name and its header's Installation line; null if nothing is. */
export function knownLog(
  fileName: string,
  installation: string,
): { log: string; meaning: LogMeaning } | null {
  return knownLogs.find((known) => known.recognise(fileName, installation)) ?? null;
}
