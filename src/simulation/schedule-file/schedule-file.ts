import { basename, extname } from "node:path";

import { AtomicFile, InputError, type Machines, type Workload } from "../../workload/index.ts";
import { CsvSchedule } from "./csv.ts";
import type { RunLabels, ScheduleEncoder } from "./encoder.ts";
import { ParquetSchedule } from "./parquet.ts";
import type { Schedule } from "../schedule.ts";

const encoders: readonly {
  readonly endings: readonly string[];
  readonly create: (path: string, workload: Workload, machines: Machines) => ScheduleEncoder;
}[] = [
  {
    endings: [".csv", ".csv.gz", ".csv.zst"],
    create: (path, workload, machines) => new CsvSchedule(path, workload, machines),
  },
  {
    endings: [".parquet"],
    create: (_path, workload, machines) => new ParquetSchedule(workload, machines),
  },
];

/**
 * A file that tells what became of each job, a row a job in order of submission:
 * `job,submit,start,end,machine,outcome,promised`, then what the log tells of the job: see `jobColumns`.
 *
 * `job` is the log's own number, or else the row's, from 1. Times are seconds on
 * the log's clock (submissions: times beta), to the microsecond. `machine` is an
 * id, or several joined by `;`. `outcome` is `done`, or `rejected`, which leaves
 * start, end and machine empty. `promised` is the first start that the policy promised, empty where there is none. The labels of the runs come first, a column each.
 *
 * The name decides on the format: `.csv`, `.csv.gz`, `.csv.zst`, `.parquet`; a name
 * without an ending is CSV. Nothing is there until `commit`.
 */
export class ScheduleFile {
  private readonly file: AtomicFile;
  private readonly encoder: ScheduleEncoder;

  private constructor(file: AtomicFile, encoder: ScheduleEncoder) {
    this.file = file;
    this.encoder = encoder;
  }

  /** @throws InputError where the path cannot be written to, or its ending is of no format */
  static async open(path: string, workload: Workload, machines: Machines): Promise<ScheduleFile> {
    const { create } = scheduleFormat(path);
    return new ScheduleFile(await AtomicFile.open(path), create(path, workload, machines));
  }

  /** Appends the rows of a run. The schedule must tell its machines. */
  async add(schedule: Schedule, labels: RunLabels = {}): Promise<void> {
    for await (const bytes of this.encoder.encode(schedule, labels)) await this.file.write(bytes);
  }

  async commit(): Promise<void> {
    await this.file.write(await this.encoder.finish());
    await this.file.commit();
  }

  /** Safe to call after a `commit`, which it leaves as it is. */
  async discard(): Promise<void> {
    await this.file.discard();
  }
}

/**
 * The format that a schedule file's name asks for.
 *
 * @throws InputError where its ending is of none
 */
export function scheduleFormat(path: string): (typeof encoders)[number] {
  const name = basename(path).toLowerCase();
  if (name === "") throw new InputError("the schedule file needs a name");
  const format = encoders.find(({ endings }) => endings.some((ending) => name.endsWith(ending)));
  if (format !== undefined) return format;
  if (extname(name) === "") return encoders[0];
  const known = encoders.flatMap(({ endings }) => endings).join(", ");
  throw new InputError(`a schedule is written as ${known}: end the name in one of them`, { file: path });
}
