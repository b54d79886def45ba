import { ByteWriter, ParquetWriter, type SchemaElement } from "hyparquet-writer";

import type { Machines, Workload } from "../../workload/index.ts";
import { endOf, type Schedule } from "../schedule.ts";
import type { RunLabels, ScheduleEncoder } from "./encoder.ts";
import { jobColumns, type JobColumn } from "./job-columns.ts";

/** Rows whose names and numbers are in memory at once. */
const GROUP_ROWS = 1 << 17;

/** Writes null where a job has nothing: the documentation has the types. */
export class ParquetSchedule implements ScheduleEncoder {
  private readonly workload: Workload;
  private readonly ids: readonly string[];
  private readonly jobColumns: readonly JobColumn[];
  private readonly buffer = new ByteWriter();
  private writer: ParquetWriter | null = null;

  constructor(workload: Workload, machines: Machines) {
    this.workload = workload;
    this.ids = machines.ids;
    this.jobColumns = jobColumns(workload);
  }

  async *encode(schedule: Schedule, labels: RunLabels): AsyncGenerator<Uint8Array> {
    const { count } = this.workload;
    const writer = this.begun(labels);
    for (let from = 0; from < count; from += GROUP_ROWS) {
      const rows = Math.min(GROUP_ROWS, count - from);
      await writer.write({
        columnData: [
          ...Object.entries(labels).map(([name, label]) => ({
            name,
            data: Array.from({ length: rows }, () => label),
          })),
          ...this.columns(schedule, from, rows),
        ],
        rowGroupSize: GROUP_ROWS,
      });
      yield this.taken();
    }
  }

  async finish(): Promise<Uint8Array> {
    await this.begun({}).finish();
    return this.taken();
  }

  /** What was written since the last call. */
  private taken(): Uint8Array {
    const bytes = new Uint8Array(this.buffer.buffer, 0, this.buffer.index).slice();
    this.buffer.index = 0;
    return bytes;
  }

  private begun(labels: RunLabels): ParquetWriter {
    if (this.writer !== null) return this.writer;
    const columns = [
      ...Object.entries(labels).map(([name, label]) =>
        typeof label === "string" ? text(name, "REQUIRED") : number(name, "REQUIRED"),
      ),
      number("job", "REQUIRED"),
      number("submit", "REQUIRED"),
      number("start", "OPTIONAL"),
      number("end", "OPTIONAL"),
      text("machine", "OPTIONAL"),
      text("outcome", "REQUIRED"),
      number("promised", "OPTIONAL"),
      ...this.jobColumns.map(elementOf),
    ];
    return (this.writer = new ParquetWriter({
      writer: this.buffer,
      codec: "SNAPPY",
      statistics: false,
      schema: [{ name: "schedule", num_children: columns.length }, ...columns],
      createdBy: "croft",
    }));
  }

  private columns(
    schedule: Schedule,
    from: number,
    rows: number,
  ): { name: string; data: Float64Array | unknown[] }[] {
    const { ids, workload } = this;
    const { submitSeconds, startSeconds, promisedSeconds, machines } = schedule;
    const started = <T>(value: (row: number) => T): (T | null)[] =>
      Array.from({ length: rows }, (_, i) => (Number.isNaN(startSeconds[from + i]) ? null : value(from + i)));
    const jobs = workload.jobNumber?.slice(from, from + rows);
    return [
      { name: "job", data: jobs ?? Float64Array.from({ length: rows }, (_, i) => from + i + 1) },
      { name: "submit", data: submitSeconds.slice(from, from + rows) },
      { name: "start", data: started((row) => startSeconds[row]) },
      { name: "end", data: started((row) => endOf(schedule, workload.runtimeSeconds, row)) },
      {
        name: "machine",
        // Policies that share nodes in parts tell no machine.
        data: started((row) => {
          const names = (machines?.of(row) ?? []).map((each) => ids[each]);
          return names.length === 0 ? null : names.join(";");
        }),
      },
      { name: "outcome", data: started(() => "done").map((outcome) => outcome ?? "rejected") },
      {
        name: "promised",
        data: started((row) => {
          const promised = promisedSeconds?.[row] ?? NaN;
          return Number.isNaN(promised) ? null : promised;
        }),
      },
      ...this.jobColumns.map(({ name, value }) => ({
        name,
        data: Array.from({ length: rows }, (_, i) => value(from + i, schedule)),
      })),
    ];
  }
}

type Repetition = "REQUIRED" | "OPTIONAL";

function elementOf({ name, type, mayBeNull }: JobColumn): SchemaElement {
  const repetition_type = mayBeNull ? "OPTIONAL" : "REQUIRED";
  return type === "STRING" ? text(name, repetition_type) : { name, type, repetition_type };
}

function number(name: string, repetition_type: Repetition): SchemaElement {
  return { name, type: "DOUBLE", repetition_type };
}

function text(name: string, repetition_type: Repetition): SchemaElement {
  return {
    name,
    type: "BYTE_ARRAY",
    converted_type: "UTF8",
    logical_type: { type: "STRING" },
    repetition_type,
  };
}
