import { CsvLine } from "../input/csv-line.ts";
import type { ByteSource } from "../input/bytes.ts";
import { readLines } from "../input/lines.ts";
import { milliAsked } from "../units.ts";
import type { Workload } from "../workload.ts";
import { WorkloadBuilder } from "./builder.ts";
import type { ReadOptions, WorkloadFormat } from "./format.ts";
import { memoryPerTask } from "./memory.ts";

/** The columns that are read, from 0. */
const JOB_ID = 0;
const START = 5;
const WALL_TIME = 9;
const QUEUE = 14;
const QSLOT = 15;
/** Of this iteration: a job that was killed and started again has a line for each start. */
const ITERATION_SUBMIT = 18;
/** What the pool reserved on the machine: `cores=1;memory=4`, memory in GB. */
const RESERVATION = 21;
const FIELD_COUNT = 22;

const UNKNOWN = -1;
const COLON = 58;

export const netbatch: WorkloadFormat = {
  name: "netbatch",
  summary: "NetBatch's own log: CSV without a header, of at least 22 columns",
  uses: ["jobShape", "memoryUnit", "memoryScope"],
  matches,
  read,
};

/** Recognised by a line with a reservation in its 22nd column; the first lines may be bad. */
function matches(_fileName: string, firstBytes: Uint8Array): boolean {
  return /^(?:[^,\n]*,){21}[^,\n]*\bcores=/m.test(new TextDecoder().decode(firstBytes));
}

/**
 * A job's number is that of its line, from 1, and its project the qslot's path. Lines that are not jobs are skipped and
 * counted, as NetBatch's own tools do.
 */
async function read(source: ByteSource, options: ReadOptions = {}): Promise<Workload> {
  const builder = new WorkloadBuilder(source, options);
  const { row, notes } = builder;
  const { projects, queues } = builder.columns;
  const jobShape = options.jobShape ?? "machine";
  const memory = memoryPerTask(
    { unit: options.memoryUnit ?? "GiB", scope: options.memoryScope ?? "per-job" },
    jobShape,
  );
  const fields = new CsvLine();

  await readLines(source, (bytes, start, end, line) => {
    if (!fields.split(bytes, start, end) || fields.count < FIELD_COUNT) {
      notes.add(`skipped: the line has not the ${FIELD_COUNT} columns of a job`, line);
      return;
    }
    const submitSeconds = fields.number(ITERATION_SUBMIT);
    const runtimeSeconds = fields.number(WALL_TIME);
    const cores = fields.numberOfKey(RESERVATION, "cores");
    if (Number.isNaN(submitSeconds) || !(runtimeSeconds >= 0) || !(cores > 0)) {
      notes.add("skipped: the line has no submit time, run time or cores", line);
      return;
    }
    if (fields.includes(JOB_ID, COLON)) {
      notes.add("kept: a slave of a parallel job, as a job of its own", line);
    }
    const processors = Math.ceil(cores);
    const memoryAsked = fields.numberOfKey(RESERVATION, "memory");
    const waitSeconds = fields.number(START) - submitSeconds;

    row.submitSeconds = submitSeconds;
    row.runtimeSeconds = runtimeSeconds;
    row.tasks = jobShape === "tasks" ? processors : 1;
    row.coresMilli = jobShape === "tasks" ? 1000 : milliAsked(cores);
    row.memoryMiB = memoryAsked >= 0 ? memory(memoryAsked, processors) : UNKNOWN;
    row.jobNumber = line;
    row.recordedWaitSeconds = waitSeconds >= 0 ? waitSeconds : UNKNOWN;
    row.project = fields.isEmpty(QSLOT) ? UNKNOWN : fields.code(QSLOT, projects);
    row.queue = fields.isEmpty(QUEUE) ? UNKNOWN : fields.code(QUEUE, queues);
    builder.add(line);
  });
  return builder.finish();
}
