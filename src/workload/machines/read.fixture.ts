import { textSource } from "../input/text.fixture.ts";
import type { MachinesFormat, MachinesOptions } from "./format.ts";
import type { Machines } from "./machines.ts";

/** What a format makes of a text. */
export function readList(
  format: MachinesFormat,
  text: string,
  options: MachinesOptions = {},
): Promise<Machines> {
  return format.read(textSource("nodes.txt", text), options);
}

/** A list as rows: name, cores, MiB, GPUs. */
export function rows(machines: Machines): (string | number | null)[][] {
  const { ids, coresMilli, memoryMiB, gpuMilli } = machines;
  return ids.map((id, row) => [
    id,
    coresMilli[row] / 1000,
    memoryMiB === null ? null : memoryMiB[row],
    gpuMilli === null ? null : gpuMilli[row] / 1000,
  ]);
}

/** The attributes of each machine. */
export function attributes({ ids, attributes }: Machines): object[] {
  return ids.map((_, row) => attributes?.sets[attributes.codes[row]] ?? {});
}

/** The notes as lines, as the command line shows them. */
export function notes({ notes = [] }: Machines): string[] {
  return notes.map(({ what, count, examples }) => `${what}: ${count} (${examples.join("; ")})`);
}
