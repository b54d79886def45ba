import { promisify } from "node:util";
import { gzip, zstdCompress } from "node:zlib";

import { jobNumberOf, type Machines, type Workload } from "../../workload/index.ts";
import { endOf, type Schedule } from "../schedule.ts";
import type { RunLabels, ScheduleEncoder } from "./encoder.ts";
import { jobColumnNames, jobColumns, type JobColumn } from "./job-columns.ts";

/** Large enough to pack well, small enough that a file of any length takes no memory. */
const PART_CHARACTERS = 1 << 20;

type Pack = (bytes: Uint8Array) => Promise<Uint8Array>;

const packGzip: Pack = promisify(gzip);
const packZstd: Pack = promisify(zstdCompress);

export class CsvSchedule implements ScheduleEncoder {
  private readonly workload: Workload;
  private readonly ids: readonly string[];
  private readonly pack: Pack | null;
  private readonly jobColumns: readonly JobColumn[];
  private hasHeader = false;

  constructor(path: string, workload: Workload, machines: Machines) {
    this.workload = workload;
    this.ids = machines.ids;
    this.jobColumns = jobColumns(workload);
    this.pack = path.endsWith(".gz") ? packGzip : path.endsWith(".zst") ? packZstd : null;
  }

  async *encode(schedule: Schedule, labels: RunLabels): AsyncGenerator<Uint8Array> {
    for (const text of this.parts(schedule, labels)) {
      const bytes = Buffer.from(text);
      // Packed parts one after the other are a packed file: both formats say so.
      yield this.pack === null ? bytes : await this.pack(bytes);
    }
  }

  finish(): Promise<Uint8Array> {
    return Promise.resolve(new Uint8Array(0));
  }

  private *parts(schedule: Schedule, labels: RunLabels): Generator<string> {
    const { workload } = this;
    const { submitSeconds, startSeconds, promisedSeconds, machines } = schedule;
    const prefix = Object.values(labels)
      .map((label) => `${cell(String(label))},`)
      .join("");
    let text = "";
    if (!this.hasHeader) {
      const ofRun = "job,submit,start,end,machine,outcome,promised";
      text = `${[...Object.keys(labels), ofRun, ...jobColumnNames].join(",")}\n`;
      this.hasHeader = true;
    }
    for (let row = 0; row < workload.count; row++) {
      const job = jobNumberOf(workload, row);
      const start = startSeconds[row];
      text += `${prefix}${job},${seconds(submitSeconds[row])},`;
      text += Number.isNaN(start)
        ? ",,,rejected,"
        : `${seconds(start)},${seconds(endOf(schedule, workload.runtimeSeconds, row))},${this.machinesOf(machines?.of(row) ?? [])},done,${promisedSeconds === undefined || Number.isNaN(promisedSeconds[row]) ? "" : seconds(promisedSeconds[row])}`;
      for (const { value } of this.jobColumns) text += `,${valueText(value(row, schedule))}`;
      text += "\n";
      if (text.length >= PART_CHARACTERS) {
        yield text;
        text = "";
      }
    }
    if (text !== "") yield text;
  }

  private machinesOf(machines: readonly number[]): string {
    return cell(
      machines.length === 1 ? this.ids[machines[0]] : machines.map((each) => this.ids[each]).join(";"),
    );
  }
}

/** Whole numbers as they are, others to the microsecond: 7160.1, not 7160.099999999999. */
export function seconds(time: number): string {
  return String(Number.isInteger(time) ? time : Math.round(time * 1e6) / 1e6);
}

function valueText(value: number | string | boolean | null): string {
  if (value === null) return "";
  return typeof value === "number" ? seconds(value) : cell(String(value));
}

function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
