import { RAN_NOTE, readRanUnder, type RanUnder } from "../ran-under.ts";
import type { RecordedFarm } from "../workload.ts";

/** Longer headers are cut: only the keywords at the top matter. */
const MAX_HEADER_LINES = 10_000;
const MAX_VALUE_LENGTH = 500;

/**
 * Gathers the `; Keyword: value` lines of an SWF log.
 *
 * Real headers have right-aligned keywords, repeated ones, prose after numbers, garbage names and lines without a
 * keyword. None of that is an error. If a keyword is repeated the first line counts.
 */
export class SwfHeader {
  /** Whether a note says that a generator made the log. */
  isSynthetic = false;
  private ran: RanUnder = {};
  private lines = 0;
  private readonly values = new Map<string, string>();
  private readonly queues = new Map<number, string>();

  /** @param text a comment line, with its semicolon */
  addLine(text: string): void {
    if (this.lines++ >= MAX_HEADER_LINES) return;
    const [, keyword, value] = /^[;\s]*([A-Za-z]+)\s*:\s*(\S.*?)\s*$/.exec(text) ?? [];
    if (keyword === undefined || value === undefined) return;
    const key = keyword.toLowerCase();
    if (key === "note" && value.startsWith("synthetic:")) this.isSynthetic = true;
    if (key === "note" && value.startsWith(RAN_NOTE)) this.ran = readRanUnder(value.slice(RAN_NOTE.length));
    if (key === "queue") this.addQueue(value);
    else if (!this.values.has(key)) this.values.set(key, value.slice(0, MAX_VALUE_LENGTH));
  }

  /** The value of a keyword, in any case; empty if the header does not have it. */
  value(keyword: string): string {
    return this.values.get(keyword.toLowerCase()) ?? "";
  }

  /** The queue's name, or its number if the header gives no name. */
  readonly queueName = (queue: number): string => this.queues.get(queue) ?? String(queue);

  /** What the header tells of the farm; null if it tells nothing. */
  farm(): RecordedFarm | null {
    const farm: RecordedFarm = {
      ...text("computer", this.value("Computer")),
      ...text("installation", this.value("Installation")),
      ...firstInteger("nodes", this.value("MaxNodes")),
      ...firstInteger("processors", this.value("MaxProcs")),
      ...firstInteger("maxRuntimeSeconds", this.value("MaxRuntime")),
      ...firstInteger("unixStartSeconds", this.value("UnixStartTime")),
      ...this.ran,
    };
    return Object.keys(farm).length === 0 ? null : farm;
  }

  /** `1  batch (details)`: number, then name. If two queues have one name they are called by their numbers. */
  private addQueue(value: string): void {
    const [, number, name] = /^(\d{1,9})\s+(\S+)/.exec(value) ?? [];
    if (number === undefined || name === undefined) return;
    const queue = Number(number);
    const taken = [...this.queues.values()].includes(name);
    if (!this.queues.has(queue) && !taken) this.queues.set(queue, name.slice(0, MAX_VALUE_LENGTH));
  }
}

function text<K extends string>(key: K, value: string): { [P in K]?: string } {
  return value === "" ? {} : ({ [key]: value } as { [P in K]: string });
}

/** The number of `1664 (72, 1368, 224)` is 1664. Unknown values, 0 and garbage are left out. */
function firstInteger<K extends string>(key: K, value: string): { [P in K]?: number } {
  const digits = /^\d{1,15}(?![\d.])/.exec(value)?.[0];
  const number = Number(digits ?? 0);
  return number > 0 ? ({ [key]: number } as { [P in K]: number }) : {};
}
