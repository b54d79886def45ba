import { InputError } from "../errors.ts";
import { beginningOf, sourceName } from "../input/bytes.ts";
import type { ByteSource } from "../input/bytes.ts";
import { firstLine } from "../input/first-line.ts";
import { decodeText } from "../input/text.ts";
import { usualName } from "../other-names.ts";
import type { Workload } from "../workload.ts";
import type { OptionOfSome, ReadOptions, WorkloadFormat } from "./format.ts";
import { accounting } from "./accounting.ts";
import { htcondor } from "./htcondor/class-ads.ts";
import { htcondorJson } from "./htcondor/history-json.ts";
import { csv } from "./csv/csv.ts";
import { gwf } from "./gwf.ts";
import { gridEngine } from "./grid-engine/grid-engine.ts";
import { qacct } from "./grid-engine/qacct.ts";
import { jobListProblem } from "./job-lists.ts";
import { lsf } from "./lsf/lsf.ts";
import { kubernetes } from "./kubernetes/kubernetes.ts";
import { netbatch } from "./netbatch.ts";
import { parquet } from "../parquet/parquet.ts";
import { openb } from "./openb.ts";
import { pbs } from "./pbs/pbs.ts";
import { slurm } from "./slurm/sacct.ts";
import { slurmJson } from "./slurm/sacct-json.ts";
import { swf } from "./swf.ts";
import { tasks } from "./tasks.ts";

/** Every format. The first that recognises a file reads it, so those with unmistakable content come first. */
export const workloadFormats: readonly WorkloadFormat[] = [
  parquet,
  openb,
  slurmJson,
  htcondorJson,
  kubernetes,
  slurm,
  pbs,
  lsf,
  gridEngine,
  qacct,
  htcondor,
  csv,
  accounting,
  netbatch,
  tasks,
  gwf,
  swf,
];

/** Enough for the first lines of any format. */
const FIRST_BYTES = 1 << 16;
/** The header of a list of jobs is in its first lines. */
const SEARCHED_BYTES = 2048;
/** The characters of the first line that are shown if no format recognises the file. */
const SHOWN_CHARACTERS = 80;

/**
 * Reads a log in the format called `options.format`, or the one it looks like.
 *
 * @param source a path, `-` for standard input, bytes or a stream
 * @throws InputError if no format fits or the content cannot be used
 */
export async function readWorkload(
  source: ByteSource,
  options: ReadOptions & { readonly format?: string } = {},
): Promise<Workload> {
  if (options.format !== undefined) {
    const format = workloadFormat(options.format);
    if (format !== htcondor) return readAs(format, source, options);
    // What condor_history writes with -json and with -long is HTCondor's to whoever names it.
    const { firstBytes, source: whole } = await beginningOf(source, FIRST_BYTES);
    const isJson = htcondorJson.matches(sourceName(source), firstBytes);
    return readAs(isJson ? htcondorJson : htcondor, whole, options);
  }
  const { firstBytes, source: whole } = await beginningOf(source, FIRST_BYTES);
  const name = sourceName(source);
  // Columns to map are those of a CSV, whatever it looks like, or of Parquet.
  const isTable = options.columns !== undefined && !parquet.matches(name, firstBytes);
  return readAs(isTable ? csv : guessFormat(name, firstBytes), whole, options);
}

/** @throws InputError listing the formats if there is none of this name */
export function workloadFormat(name: string): WorkloadFormat {
  const wanted = usualName(name);
  const format = workloadFormats.find((format) => format.name === wanted);
  if (format === undefined) throw new InputError(`no format "${name}": choose ${formatNames()}`);
  return format;
}

async function readAs(format: WorkloadFormat, source: ByteSource, options: ReadOptions): Promise<Workload> {
  const workload = { ...(await format.read(source, options)), format: format.name };
  const unused = optionsOfSome.filter(
    ([option]) => options[option] !== undefined && !format.uses.includes(option),
  );
  const notes = [...workload.notes];
  if (unused.length > 0) {
    const names = unused.map(([, name]) => name).join(", ");
    notes.push({ what: `no effect on the format ${format.name}: ${names}`, count: 1 });
  }
  const isMemoryTold = (["memoryUnit", "memoryScope"] as const).some(
    (option) => options[option] !== undefined && format.uses.includes(option),
  );
  if (isMemoryTold && workload.memoryMiB === null)
    notes.push({ what: "no effect: how memory is told, as the log says nothing of memory", count: 1 });
  if (options.overrun !== undefined && workload.estimateSeconds === null)
    notes.push({ what: "no effect: what becomes of overruns, as the log has no estimates", count: 1 });
  return { ...workload, notes };
}

const optionsOfSome: readonly (readonly [OptionOfSome, name: string])[] = [
  ["jobShape", "the shape of jobs"],
  ["memoryUnit", "the memory's unit"],
  ["memoryScope", "whether memory is a processor's or a job's"],
  ["timeZone", "the time zone"],
  ["columns", "the columns of a CSV or of Parquet"],
];

function guessFormat(file: string, firstBytes: Uint8Array): WorkloadFormat {
  if (firstBytes.length === 0) throw new InputError("the file is empty", { file });
  const format = workloadFormats.find((format) => format.matches(file, firstBytes));
  if (format !== undefined) return format;
  const problem = jobListProblem(decodeText(firstBytes, 0, Math.min(firstBytes.length, SEARCHED_BYTES)));
  if (problem !== null) throw new InputError(problem, { file });
  throw new InputError(
    `the format cannot be told from the content, which begins "${shown(firstLine(firstBytes))}": ` +
      `say which with --format (${formatNames()}), or name the columns of a CSV with --columns: ` +
      "it needs submit, cores, and runtime or start and end; see docs/workloads.md",
    { file },
  );
}

function formatNames(): string {
  return workloadFormats.map(({ name }) => name).join(", ");
}

/** The part of a line that can be shown on a terminal: a file of no known format may contain anything. */
function shown(line: string): string {
  return line.slice(0, SHOWN_CHARACTERS).replaceAll(/[^\P{Cc}\t]/gu, "\ufffd");
}
