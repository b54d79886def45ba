import { readCsvTable } from "../input/csv-table.ts";
import type { CsvTable } from "../input/csv-table.ts";
import type { ByteSource } from "../input/bytes.ts";
import { firstLine } from "../input/first-line.ts";
import type { Workload } from "../workload.ts";
import { WorkloadBuilder } from "./builder.ts";
import type { ReadOptions, WorkloadFormat } from "./format.ts";

const UNKNOWN = -1;

export const openb: WorkloadFormat = {
  name: "openb",
  summary: "the pods of Alibaba's OpenB GPU cluster (Weng et al., ATC 2023)",
  uses: [],
  matches: (_fileName, firstBytes) => firstLine(firstBytes).startsWith("name,cpu_milli,memory_mib,num_gpu"),
  read,
};

/**
 * A pod is a job of one task. It runs from when it was scheduled to when it was deleted. One that was never scheduled
 * counts from its creation, since its run time is unknown.
 */
async function read(source: ByteSource, options: ReadOptions = {}): Promise<Workload> {
  const builder = new WorkloadBuilder(source, options);
  await readCsvTable(source, (table) => jobAdder(builder, table));
  return builder.finish();
}

function jobAdder(builder: WorkloadBuilder, table: CsvTable): (line: number) => void {
  const { row, notes } = builder;
  const { queues } = builder.columns;
  const name = table.required("name");
  const [cpu, memory] = [table.required("cpu_milli"), table.required("memory_mib")];
  const [gpus, gpuMilli] = [table.required("num_gpu"), table.required("gpu_milli")];
  const [gpuSpec, qos] = [table.column("gpu_spec"), table.column("qos")];
  const [creation, deletion, scheduled] = [
    table.required("creation_time"),
    table.required("deletion_time"),
    table.required("scheduled_time"),
  ];

  return (line) => {
    const createdSeconds = table.number(creation);
    const deletedSeconds = table.numberOr(UNKNOWN, deletion);
    const scheduledSeconds = table.numberOr(UNKNOWN, scheduled);
    const wasScheduled = scheduledSeconds >= 0;
    const startSeconds = wasScheduled ? scheduledSeconds : createdSeconds;
    if (deletedSeconds < 0) {
      notes.add("dropped: never deleted, so its run time is unknown", line);
      return;
    }
    if (deletedSeconds < startSeconds) {
      notes.add("dropped: deleted before it started", line);
      return;
    }
    if (!wasScheduled) notes.add("filled in: never scheduled, runs from creation to deletion", line);
    if (table.text(gpuSpec) !== "") notes.add("ignored: the kind of GPU asked for", line);

    row.submitSeconds = createdSeconds;
    row.runtimeSeconds = deletedSeconds - startSeconds;
    row.coresMilli = Math.ceil(table.number(cpu));
    row.memoryMiB = Math.ceil(table.number(memory));
    row.gpuMilli = Math.ceil(table.number(gpus) * table.number(gpuMilli));
    row.jobNumber = podNumber(table, name);
    row.recordedWaitSeconds = wasScheduled ? Math.max(0, scheduledSeconds - createdSeconds) : UNKNOWN;
    row.queue = qos === UNKNOWN ? UNKNOWN : queues.codeOf(table.text(qos));
    builder.add(line);
  };
}

/** 17 for `openb-pod-0017`. */
function podNumber(table: CsvTable, column: number): number {
  const digits = /\d{1,15}$/.exec(table.text(column))?.[0];
  return digits === undefined
    ? table.refuse("column name: the pod's name ends in no number")
    : Number(digits);
}
