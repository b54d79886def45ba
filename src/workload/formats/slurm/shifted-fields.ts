import type { Fields } from "../../input/fields.ts";
import { MAX_FIELDS } from "../../input/fields.ts";
import { columnForm, isUsersText } from "./column-forms.ts";
import type { SacctHeader } from "./columns.ts";

const MINUS = 45;
const LETTER_T = 84;
const TIME_LENGTH = 19;
/** How far apart the numbers of two jobs are at most that run into each other: logs are ordered by them. */
const MOST_BETWEEN = 10_000;
/** More delimiters in the names of one line are not looked for. */
const MOST_EXTRA = 64;

/** What a line with more fields than columns is. */
export type Shift = "found" | "ambiguous" | "no record";

/** Which columns may have delimiters in their values. */
type Rule = (column: number, first: number, fields: number) => boolean;

/**
 * Finds the columns of lines that have more fields than there are columns, as names may contain the delimiter: from the
 * columns whose values have a known form, and from names that lines above have.
 */
export class ShiftedFields {
  /** Whether the last line that was found has a delimiter in other names than the job's. */
  isOtherName = false;
  private readonly fields: Fields;
  private readonly header: SacctHeader;
  private readonly isSeen: (column: number, start: number, end: number) => boolean;
  private readonly forms: readonly (RegExp | null)[];
  private readonly texts: readonly boolean[];
  private readonly isRead: readonly boolean[];
  private extra = 0;

  /**
   * @param isSeen whether a line above has the name `bytes[start..end)` in a column, or none has any name there
   */
  constructor(
    fields: Fields,
    header: SacctHeader,
    isSeen: (column: number, start: number, end: number) => boolean,
  ) {
    this.fields = fields;
    this.header = header;
    this.isSeen = isSeen;
    this.forms = header.names.map(columnForm);
    this.texts = header.names.map(isUsersText);
    const read = Object.values(header.places);
    this.isRead = header.names.map((_, column) => read.includes(column));
  }

  /** Whether the first fields of the line are of the forms of the columns. */
  areInPlace(): boolean {
    return this.forms.every((form, column) => form === null || form.test(this.fields.text(column)));
  }

  /** Moves the fields of the columns that are read to their places, if it is plain where they are. */
  find(): Shift {
    const { fields, header } = this;
    this.extra = fields.count - header.names.length;
    if (this.extra < 1 || this.extra > MOST_EXTRA || fields.count > MAX_FIELDS) return "no record";
    const isSingle: Rule = (column, _first, count) => count === 1 || this.texts[column]!;
    const isKnown: Rule = (column, first, count) =>
      this.isSeen(column, fields.starts[first]!, fields.ends[first + count - 1]!);
    const any = this.spans(() => true);
    if (any === null) return "no record";
    // A delimiter is in a text of the user's if the names beside it are then such as other jobs have.
    const texts = this.spans((...span) => isSingle(...span) && isKnown(...span));
    const known = texts ?? this.spans(isKnown);
    const found = [any, known].find((spans) => spans !== null && isPlain(spans, this.isRead));
    if (this.isSecondRecord(found ?? any)) return "no record";
    if (found === undefined || found === null) return "ambiguous";
    this.move(found);
    return "found";
  }

  /**
   * By column: the spans of fields that it may have in a line where each column has a field or, by the rule, several. Null
   * if there is no such line.
   */
  private spans(mayBe: Rule): readonly (readonly Span[])[] | null {
    const { forms, extra } = this;
    // By column: the numbers of extra fields that columns before it may have had.
    const before: boolean[][] = [[true]];
    const tried: Span[][] = [];
    forms.forEach((form, column) => {
      const spans: Span[] = [];
      const after: boolean[] = [];
      for (let shift = 0; shift <= extra; shift++) {
        if (before[column]![shift] !== true) continue;
        const first = column + shift;
        if (form !== null && !form.test(this.fields.text(first))) continue;
        const most = form === null ? extra - shift + 1 : 1;
        for (let count = 1; count <= most; count++) {
          if (form === null && !mayBe(column, first, count)) continue;
          spans.push({ first, count });
          after[shift + count - 1] = true;
        }
      }
      before.push(after);
      tried.push(spans);
    });
    // Those that leave the columns behind them what they need.
    let ends = new Set([forms.length + extra]);
    for (let column = forms.length - 1; column >= 0; column--) {
      const spans = tried[column]!.filter(({ first, count }) => ends.has(first + count));
      if (spans.length === 0) return null;
      tried[column] = spans;
      ends = new Set(spans.map(({ first }) => first));
    }
    return tried;
  }

  /**
   * Whether the line is a record that was cut, and a whole one behind it: no user writes times, nor the number of a job
   * near to the line's own where that of a second would be.
   */
  private isSecondRecord(spans: readonly (readonly Span[])[]): boolean {
    const { fields, extra } = this;
    const { names, places } = this.header;
    const timed = [places.submit, places.eligible, places.start, places.end];
    const times = timed.flatMap((column) => (column === -1 ? [] : spans[column]!.map(({ first }) => first)));
    for (let field = 0; field < fields.count; field++) {
      if (isTime(fields, field) && !times.includes(field)) return true;
    }
    const second = places.jobId + extra;
    // An array's jobs have a second number of their own.
    if (names[second] === "jobidraw" || places.submit < places.jobId) return false;
    const isIdInPlace = spans[places.jobId]!.some(({ first }) => first === places.jobId);
    const isAllBefore = spans[places.submit]!.some(({ first }) => first === places.submit + extra);
    return isIdInPlace && isAllBefore && endsWithJobId(fields.text(second), fields.text(places.jobId));
  }

  private move(spans: readonly (readonly Span[])[]): void {
    const { starts, ends } = this.fields;
    const found = spans.map((each) => each[0]!);
    const [from, to] = [found.map(({ first }) => starts[first]!), found.map(lastOf).map((at) => ends[at]!)];
    starts.set(from);
    ends.set(to);
    const jobName = this.header.names.indexOf("jobname");
    this.isOtherName = spans.some(
      (each, column) => column !== jobName && each.some(({ count }) => count > 1),
    );
  }
}

/** Fields that are the value of one column, with delimiters in it if they are several. */
interface Span {
  readonly first: number;
  readonly count: number;
}

function lastOf({ first, count }: Span): number {
  return first + count - 1;
}

/** Whether each column that is read has one span only. */
function isPlain(spans: readonly (readonly Span[])[], isRead: readonly boolean[]): boolean {
  return spans.every((each, column) => !isRead[column]! || each.length === 1);
}

/** `123`, `123_4`, `123_[5-9]`, `123+1`, each perhaps with a step. */
const JOB_ID = /(\d+)(?:[_+](?:\d+|\[.*\]))?(?:\.\w+)?$/;

/** Whether a field ends with a job's number near to that of the line; before it may be what was cut off. */
function endsWithJobId(text: string, id: string): boolean {
  const [, own = ""] = JOB_ID.exec(id) ?? [];
  const [, other] = JOB_ID.exec(text) ?? [];
  if (other === undefined) return false;
  // Digits that were cut off may stand before the number.
  return [other, other.slice(-own.length), other.slice(-own.length - 1)].some(
    (each) => Math.abs(Number(each) - Number(own)) <= MOST_BETWEEN,
  );
}

/** Whether a field looks like sacct's times: `2026-03-01T08:00:00`. */
function isTime({ bytes, starts, ends }: Fields, place: number): boolean {
  const start = starts[place]!;
  return (
    ends[place]! - start === TIME_LENGTH &&
    bytes[start + 4] === MINUS &&
    bytes[start + 7] === MINUS &&
    bytes[start + 10] === LETTER_T
  );
}
