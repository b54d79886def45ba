import { formatCapacity, formatMemory } from "../../report/numbers.ts";

/** What a machine has where its engine does not count memory: see the engines' settings. */
const NOT_COUNTED_MIB = 1e9;

/** A part of the memory of machines, and all of it; empty where memory is not counted. */
export function partOfMemory(partMiB: number, allMiB: number): string {
  return allMiB >= NOT_COUNTED_MIB ? "" : plain(`${formatMemory(partMiB)} of ${formatMemory(allMiB)}`);
}

/** The memory of a machine; empty where it is not counted. */
export function machineMemoryText(memoryMiB: number): string {
  return memoryMiB >= NOT_COUNTED_MIB ? "" : plain(formatCapacity(memoryMiB));
}

/** A terminal's blanks break where they like. */
function plain(text: string): string {
  return text.replaceAll("\u00a0", " ");
}
