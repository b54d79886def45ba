import { writeFileAtomically } from "../atomic-file.ts";
import type { CodedColumn, Workload } from "../workload.ts";
import { textChunks } from "./text.ts";
import { ranUnderText } from "../ran-under.ts";
import { jobNumberOf } from "../rows.ts";

/**
 * Writes the workload as CSV: a header with the columns that it has, then a line for each job.
 *
 * Times are in seconds, cores and gpu are numbers with fractions, memory is in MiB, and an unknown estimate or wait is
 * empty. CSV has no place for notes, for more of the farm than what Croft ran there, or for saying that a workload is
 * synthetic: its name should.
 *
 * @throws {InputError} if the path cannot be written to
 */
export async function writeCsv(workload: Workload, path: string): Promise<void> {
  const columns = csvColumns(workload);
  const header = `${columns.map(({ name }) => name).join(",")}\n`;
  const line = (row: number): string => {
    let text = columns[0]!.cell(row);
    for (let i = 1; i < columns.length; i++) text += `,${columns[i]!.cell(row)}`;
    return text;
  };
  await writeFileAtomically(path, textChunks(header, workload.count, line));
}

/** The parts of the workload that CSV has no place for. */
export function csvLosses({ synthetic, nodeCpu }: Workload): string[] {
  return [
    ...(synthetic ? ["CSV cannot say that the workload is synthetic: let the file's name do so"] : []),
    ...(nodeCpu === undefined ? [] : ["left out: what part of a node's memory its tasks need"]),
  ];
}

interface CsvColumn {
  readonly name: string;
  readonly cell: (row: number) => string;
}

function csvColumns(workload: Workload): CsvColumn[] {
  const columns: CsvColumn[] = [
    { name: "job", cell: (row) => String(jobNumberOf(workload, row)) },
    numbers("submit", workload.submitSeconds),
    numbers("runtime", workload.runtimeSeconds),
    thousandths("cores", workload.coresMilli),
  ];
  const { arrayIndex } = workload;
  if (arrayIndex !== undefined) {
    columns.push({
      name: "array_index",
      cell: (row) => (arrayIndex[row]! < 0 ? "" : String(arrayIndex[row])),
    });
  }
  if (workload.memoryMiB !== null) columns.push(numbers("memory", workload.memoryMiB));
  if (workload.tasks !== null) columns.push(numbers("tasks", workload.tasks));
  // Where it ran would else say how many tasks it has.
  else if (workload.nodes !== undefined) columns.push({ name: "tasks", cell: () => "1" });
  if (workload.gpuMilli !== null) columns.push(thousandths("gpu", workload.gpuMilli));
  if (workload.estimateSeconds !== null) columns.push(numbers("estimate", workload.estimateSeconds));
  if (workload.recordedWaitSeconds !== null) columns.push(numbers("wait", workload.recordedWaitSeconds));
  if (workload.project !== null) columns.push(names("project", workload.project));
  if (workload.user !== null) columns.push(names("user", workload.user));
  if (workload.queue !== null) columns.push(names("queue", workload.queue));
  if (workload.policy !== null) columns.push(names("policy", workload.policy));
  if (workload.priority !== null) columns.push(numbers("priority", workload.priority));
  if (workload.requires !== null) columns.push(names("requires", workload.requires));
  if (workload.pools !== null) columns.push(names("pools", workload.pools));
  if (workload.restartPools !== undefined) columns.push(names("restart_pools", workload.restartPools));
  if (workload.site !== null) columns.push(names("site", workload.site));
  if (workload.group !== null) columns.push(names("group", workload.group));
  if (workload.licences !== undefined) columns.push(names("licences", workload.licences));
  if (workload.state !== undefined) columns.push(names("state", workload.state));
  if (workload.nodes !== undefined) columns.push(names("node_list", workload.nodes));
  const ran = ranUnderText(workload.farm);
  if (ran !== undefined) columns.push({ name: "ran_under", cell: () => ran });
  return columns;
}

function numbers(name: string, values: Float64Array | Int32Array): CsvColumn {
  return {
    name,
    cell: (row) => {
      const value = values[row]!;
      return Number.isNaN(value) ? "" : String(value);
    },
  };
}

function thousandths(name: string, values: Int32Array): CsvColumn {
  return { name, cell: (row) => String(values[row]! / 1000) };
}

function names(name: string, { codes, names }: CodedColumn): CsvColumn {
  const cells = names.map(quoted);
  return { name, cell: (row) => cells[codes[row]!]! };
}

/** Quotes a cell that would otherwise be read as more than one or lose its blanks (RFC 4180). */
function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
