import type { CsvLine } from "../../input/csv-line.ts";
import { parseNumber } from "../../input/numbers.ts";
import { UNKNOWN } from "../job-row.ts";

/**
 * Job numbers as batch systems write them: `123`, `123_4`, `123[4].server`, `123.server`. A job whose id is missing or
 * has no number gets the number of its row.
 */
export class JobIds {
  number = 0;
  /** The index in an array; -1 if it has none. */
  index: number = UNKNOWN;
  private row = 0;
  private readonly place: number;
  private readonly fields: CsvLine;

  /** @param place the position of the column; -1 if there is none */
  constructor(place: number, fields: CsvLine) {
    this.place = place;
    this.fields = fields;
  }

  /** @returns false if the line is a step of a job, as in Slurm */
  read(): boolean {
    this.row++;
    this.number = this.row;
    this.index = UNKNOWN;
    const { place, fields } = this;
    if (place === -1 || fields.isEmpty(place)) return true;
    const number = parseNumber(fields.bytes, fields.starts[place]!, fields.ends[place]!);
    if (Number.isInteger(number)) {
      this.number = number;
      return true;
    }
    const text = fields.text(place);
    if (/^\d+(_\d+)?\.(batch|extern|interactive)$/.test(text)) return false;
    const [, digits, index] = /^(\d{1,15})(?:[_[](\d{1,9})\]?)?/.exec(text) ?? [];
    if (digits !== undefined) this.number = Number(digits);
    if (index !== undefined) this.index = Number(index);
    return true;
  }
}
