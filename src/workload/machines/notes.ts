import type { MachinesNote } from "./machines.ts";

/** The number of examples that are named; the others are only counted. */
const EXAMPLES = 5;
const EXAMPLE_LENGTH = 80;

/** Collects a reader's notes on a list: a count and the first few examples of each. */
export class MachineNotes {
  private readonly notes = new Map<string, { count: number; examples: string[] }>();

  add(what: string, example: string): void {
    let note = this.notes.get(what);
    if (note === undefined) this.notes.set(what, (note = { count: 0, examples: [] }));
    note.count++;
    if (note.examples.length < EXAMPLES) note.examples.push(shown(example));
  }

  list(): MachinesNote[] {
    return Array.from(this.notes, ([what, { count, examples }]) => ({ what, count, examples }));
  }
}

/** Text from a list, made safe for a line on a terminal. */
function shown(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return line.length <= EXAMPLE_LENGTH ? line : `${line.slice(0, EXAMPLE_LENGTH - 1)}…`;
}
