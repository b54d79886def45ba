import { decodeText } from "../../input/text.ts";
import type { Names } from "../../names.ts";
import { EMPTY_NAME } from "../job-row.ts";
import type { LsfRecord } from "./record.ts";

const STAR = 42;
const ZERO = 48;

/** Where a job ran: a field for each slot, `"n1" "n1" "n2"`, or for each host, `"16*n1" "16*n2"`. */
export class ExecHosts {
  /** The number of slots; 0 if no host is named. */
  slots = 0;
  /** The number of distinct hosts. */
  count = 0;
  private bytes: Uint8Array = Buffer.alloc(0);
  private firstStart = 0;
  private firstEnd = 0;
  private firstSlots = 0;
  /** By name, for a job on several hosts. */
  private readonly slotsOf = new Map<string, number>();

  read(record: LsfRecord, first: number, fields: number): void {
    this.bytes = record.bytes;
    this.slots = this.count = this.firstSlots = 0;
    if (this.slotsOf.size > 0) this.slotsOf.clear();
    for (let field = first; field < first + fields && field < record.count; field++) {
      this.add(record.startOf(field), record.endOf(field));
    }
  }

  /** The code of the list of these hosts, with their slots if they differ. */
  code(names: Names): number {
    if (this.count === 0) return EMPTY_NAME;
    if (this.count === 1) return names.codeOfBytes(this.bytes, this.firstStart, this.firstEnd);
    const hosts = [...this.slotsOf];
    const isEven = hosts.every(([, slots]) => slots === hosts[0]![1]);
    return names.codeOf(hosts.map(([name, slots]) => (isEven ? name : `${name}*${slots}`)).join(","));
  }

  private add(start: number, end: number): void {
    const { bytes } = this;
    let at = start;
    let slots = 0;
    while (at < end && bytes[at]! >= ZERO && bytes[at]! <= ZERO + 9) slots = slots * 10 + bytes[at++]! - ZERO;
    const isCounted = at > start && at < end && bytes[at] === STAR;
    const nameStart = isCounted ? at + 1 : start;
    if (nameStart >= end) return;
    const more = isCounted ? slots : 1;
    this.slots += more;
    if (this.count === 0) {
      this.count = 1;
      [this.firstStart, this.firstEnd, this.firstSlots] = [nameStart, end, more];
    } else if (this.count === 1 && this.isFirst(nameStart, end)) {
      this.firstSlots += more;
    } else {
      if (this.count === 1)
        this.slotsOf.set(decodeText(bytes, this.firstStart, this.firstEnd), this.firstSlots);
      const name = decodeText(bytes, nameStart, end);
      this.slotsOf.set(name, (this.slotsOf.get(name) ?? 0) + more);
      this.count = this.slotsOf.size;
    }
  }

  private isFirst(start: number, end: number): boolean {
    if (this.firstEnd - this.firstStart !== end - start) return false;
    for (let at = end - start - 1; at >= 0; at--) {
      if (this.bytes[this.firstStart + at] !== this.bytes[start + at]) return false;
    }
    return true;
  }
}
