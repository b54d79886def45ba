import type { CsvLine } from "../../input/csv-line.ts";
import type { LineHandler } from "../../input/lines.ts";

const NEWLINE = 10;
const QUOTE = 34;
/** A row of more lines, or bytes, is taken for a quote that was never closed. */
const MAX_LINES = 32;
const MAX_BYTES = 1 << 16;

interface HeldLine {
  /** With its line break. */
  readonly bytes: Buffer;
  readonly line: number;
}

/**
 * Joins the lines of a row with line breaks in quotes, as RFC 4180 allows them. Lines are held from the one in which a
 * quote stays open until all of them together are a row. If they do not become one, the first is damaged, and the
 * others are read again one by one. So a stray quote loses one row and not all that follow.
 */
export class OpenQuotes {
  private readonly onRow: LineHandler;
  private readonly onDamage: (line: number) => void;
  private readonly readAgain: LineHandler;
  private held: HeldLine[] = [];
  private heldBytes = 0;
  private givesUp = false;

  /**
   * @param onRow takes a row whose fields have been split
   * @param onDamage takes the number of a line whose quote is not closed
   * @param readAgain takes a line anew
   */
  constructor(onRow: LineHandler, onDamage: (line: number) => void, readAgain: LineHandler) {
    this.onRow = onRow;
    this.onDamage = onDamage;
    this.readAgain = readAgain;
  }

  /** Whether a row has begun that the next line goes on with. */
  get isHolding(): boolean {
    return this.held.length > 0;
  }

  /** Takes a line that ends in quotes. */
  begin(bytes: Uint8Array, start: number, end: number, line: number): void {
    if (this.givesUp) this.onDamage(line);
    else this.hold(bytes, start, end, line);
  }

  /** Takes the line after one that was held. @param fields of which a row has `count` */
  goOn(bytes: Uint8Array, start: number, end: number, line: number, fields: CsvLine, count: number): void {
    this.hold(bytes, start, end, line);
    if (bytes.subarray(start, end).includes(QUOTE)) {
      const row = Buffer.concat(this.held.map((each) => each.bytes));
      const isRow = fields.split(row, 0, row.length - 1) && fields.count === count;
      if (isRow) {
        const [{ line: first }] = this.clear() as [HeldLine];
        this.onRow(row, 0, row.length - 1, first);
        return;
      }
      if (!fields.endsInQuotes) {
        this.letGo();
        return;
      }
    }
    if (this.held.length < MAX_LINES && this.heldBytes < MAX_BYTES) return;
    // Otherwise a log that is full of quotes would be read again and again.
    this.givesUp = true;
    this.letGo();
    this.givesUp = false;
  }

  /** Reads the lines one by one that are held: they are no row. */
  letGo(): void {
    const [first, ...others] = this.clear();
    if (first === undefined) return;
    this.onDamage(first.line);
    for (const { bytes, line } of others) this.readAgain(bytes, 0, bytes.length - 1, line);
  }

  private hold(bytes: Uint8Array, start: number, end: number, line: number): void {
    const copy = Buffer.alloc(end - start + 1, NEWLINE);
    copy.set(bytes.subarray(start, end));
    this.held.push({ bytes: copy, line });
    this.heldBytes += copy.length;
  }

  private clear(): readonly HeldLine[] {
    const { held } = this;
    this.held = [];
    this.heldBytes = 0;
    return held;
  }
}
