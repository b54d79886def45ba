import type { CsvLine } from "../../input/csv-line.ts";
import type { InstantReader } from "../../input/instants.ts";
import type { LineHandler } from "../../input/lines.ts";
import { slashDate } from "../../input/short-dates.ts";
import type { DateOrder } from "../../input/short-dates.ts";
import type { Notes } from "../notes.ts";
import type { CsvHeader } from "./header.ts";

/** A log in order of time tells within twelve days. */
const MOST_HELD_BYTES = 1 << 26;
const MONTHS = 12;
const SLASH = 47;

/**
 * Finds out whether the day or the month comes first in dates with slashes: the first number above twelve tells, of
 * whatever date in the file. Lines from the first such date to that one are held until then, in their order.
 */
export class SlashDates {
  private readonly instants: InstantReader;
  private readonly notes: Notes;
  private readonly add: LineHandler;
  private fields: CsvLine | null = null;
  private places: readonly number[] = [];
  private held: { readonly bytes: Uint8Array; readonly line: number }[] = [];
  private heldBytes = 0;
  private isSettled = false;

  /** @param add takes a line again that was held */
  constructor(instants: InstantReader, notes: Notes, add: LineHandler) {
    this.instants = instants;
    this.notes = notes;
    this.add = add;
  }

  /** @param fields those of each line that is asked about from now on */
  begin(header: CsvHeader, fields: CsvLine): void {
    this.fields = fields;
    const columns = [header.column("submit"), header.column("start"), header.column("end")];
    this.places = columns.filter((column) => column !== undefined).map(({ place }) => place);
    this.instants.dateOrder = header.dateOrder();
    this.isSettled = this.instants.dateOrder !== null;
  }

  /** Whether the line, whose fields have been split, is held for now; it then comes again. */
  hold(bytes: Uint8Array, start: number, end: number, line: number): boolean {
    const { fields, held } = this;
    if (this.isSettled || fields === null || (held.length === 0 && !this.hasSlash(fields))) return false;
    let order: DateOrder | null = null;
    let isOpen = held.length > 0;
    for (const place of this.places) {
      const date = slashDate(fields.bytes, fields.starts[place]!, fields.ends[place]!);
      if (date === null) continue;
      isOpen = true;
      if (date.first > MONTHS && date.second <= MONTHS) order = "D/M/Y";
      else if (date.second > MONTHS && date.first <= MONTHS) order = "M/D/Y";
      if (order === null) continue;
      this.notes.add(`read: dates with slashes as ${order}, which one of them tells`, line, 1, {
        example: fields.text(place),
      });
      break;
    }
    if (!isOpen) return false;
    // With the line break, which a line has to have at its end.
    held.push({ bytes: bytes.slice(start, end + 1), line });
    this.heldBytes += end + 1 - start;
    this.instants.dateOrder = order;
    if (order !== null || this.heldBytes > MOST_HELD_BYTES) this.letGo();
    return true;
  }

  /** Whether any time may be a date with slashes. Nearly all are none. */
  private hasSlash({ bytes, starts }: CsvLine): boolean {
    const { places } = this;
    for (let at = 0; at < places.length; at++) {
      const start = starts[places[at]!]!;
      if (bytes[start + 1] === SLASH || bytes[start + 2] === SLASH) return true;
    }
    return false;
  }

  /** Adds what is held: no more is to come, or it is known what comes first. */
  letGo(): void {
    this.isSettled = true;
    const { held } = this;
    this.held = [];
    for (const { bytes, line } of held) this.add(bytes, 0, bytes.length - 1, line);
  }
}
