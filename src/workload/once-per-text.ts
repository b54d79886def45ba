import { ByteTable, NOT_THERE } from "./byte-table.ts";
import { decodeText } from "./input/text.ts";

/** Results for further texts are not kept. */
const MAX_KEPT = 1_000_000;

/**
 * Computes something from a text once for each distinct text. Many jobs ask for the same resources in the same words.
 */
export class OncePerText<T> {
  private readonly make: (text: string) => T;
  private readonly known = new ByteTable();
  private readonly made: T[] = [];

  constructor(make: (text: string) => T) {
    this.make = make;
  }

  of(bytes: Uint8Array, start: number, end: number): T {
    const known = this.known.find(bytes, start, end);
    if (known >= 0) return this.made[known]!;
    const made = this.make(decodeText(bytes, start, end));
    if (known === NOT_THERE && this.made.length < MAX_KEPT) {
      this.known.add(bytes, start, end, this.made.push(made) - 1);
    }
    return made;
  }
}
