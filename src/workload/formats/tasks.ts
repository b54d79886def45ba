import { InputError } from "../errors.ts";
import { sourceName } from "../input/bytes.ts";
import type { ByteSource } from "../input/bytes.ts";
import { readLines } from "../input/lines.ts";
import { parseNumbers } from "../input/numbers.ts";
import { milliAsked } from "../units.ts";
import type { Workload } from "../workload.ts";
import { WorkloadBuilder } from "./builder.ts";
import type { ReadOptions, WorkloadFormat } from "./format.ts";

const FIELDS = ["id", "submit", "tasks", "cpu", "mem", "runtime"];
/** The largest number of comments before the first job of a file that is still recognised. */
const MAX_COMMENTS = 100;
const SEMICOLON = 59;
const NUMBER_SIGN = 35;

/** The traces of Stillwell's online simulator: needs are parts of a node, whatever its size. */
export const tasks: WorkloadFormat = {
  name: "tasks",
  summary: "lines of id, submit, tasks, CPU and memory of a task as parts of a node, run time",
  uses: [],
  matches,
  read,
};

/** Recognised by its name, or by a first line of six numbers after its comments. */
function matches(fileName: string, firstBytes: Uint8Array): boolean {
  if (/\.tasks(\.(gz|zst|zstd))?$/i.test(fileName)) return true;
  const lines = new TextDecoder().decode(firstBytes).split("\n", MAX_COMMENTS);
  const first = lines.find((line) => !/^\s*([;#]|$)/.test(line)) ?? "";
  return /^\s*\d+\s+\d+\s+\d+\s+[01](\.\d*)?\s+[01](\.\d*)?\s+\d+\s*$/.test(first);
}

async function read(source: ByteSource, options: ReadOptions = {}): Promise<Workload> {
  const file = sourceName(source);
  const builder = new WorkloadBuilder(source, options);
  const { row } = builder;
  // One field more than allowed, so that it is noticed.
  const fields = new Float64Array(FIELDS.length + 1);
  let isSynthetic = false;
  await readLines(source, (bytes, start, end, line) => {
    while (start < end && bytes[start]! <= 32) start++;
    if (start === end) return;
    if (bytes[start] === SEMICOLON || bytes[start] === NUMBER_SIGN) {
      if (/synthetic/i.test(new TextDecoder().decode(bytes.subarray(start, end)))) isSynthetic = true;
      return;
    }
    const refuse = (problem: string): never => {
      throw new InputError(problem, { file, line });
    };
    const count = parseNumbers(bytes, start, end, fields);
    if (count < 0) refuse(`${FIELDS[-1 - count] ?? "the last field"} is not a number`);
    if (count !== FIELDS.length) refuse(`the line has not the ${FIELDS.length} fields ${FIELDS.join(" ")}`);
    const [id, submit, tasks, cpu, memory, runtime] = fields as unknown as number[];
    if (!(cpu! > 0 && cpu! <= 1)) refuse(`cpu is ${cpu}: give the part of a node, more than 0 and at most 1`);
    // Three tenths of the jobs in DAS-2's logs use no memory (Stillwell 2014, on memory use).
    if (!(memory! >= 0 && memory! <= 1)) refuse(`mem is ${memory}: give the part of a node, 0 to 1`);
    row.jobNumber = id!;
    row.submitSeconds = submit!;
    row.tasks = tasks!;
    row.nodeCpu = cpu!;
    row.nodeMemory = memory!;
    row.coresMilli = milliAsked(cpu!);
    row.runtimeSeconds = runtime!;
    builder.add(line);
  });
  return builder.finish(null, isSynthetic);
}
