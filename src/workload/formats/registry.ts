import { InputError } from "../errors.ts";
import { readFirstBytes, sourceName } from "../input/bytes.ts";
import type { ByteSource } from "../input/bytes.ts";
import type { Workload } from "../workload.ts";
import type { ReadOptions, WorkloadFormat } from "./format.ts";
import { accounting } from "./accounting.ts";
import { csv } from "./csv.ts";
import { netbatch } from "./netbatch.ts";
import { parquet } from "../parquet/parquet.ts";
import { openb } from "./openb.ts";
import { swf } from "./swf.ts";
import { tasks } from "./tasks.ts";

/** Every format. The first that recognises a file reads it, so those sure of their content go first. */
export const workloadFormats: readonly WorkloadFormat[] = [
  parquet,
  openb,
  csv,
  accounting,
  netbatch,
  tasks,
  swf,
];

/** Enough for the first lines of any format. */
const FIRST_BYTES = 1 << 16;

/**
 * Reads a log in the format called `options.format`, or the one it looks like.
 * @throws InputError where no format fits or the content cannot be used.
 */
export async function readWorkload(
  source: ByteSource,
  options: ReadOptions & { readonly format?: string } = {},
): Promise<Workload> {
  const format = options.format === undefined ? await guessFormat(source) : workloadFormat(options.format);
  return format.read(source, options);
}

/** @throws InputError listing the formats where none is called `name`. */
export function workloadFormat(name: string): WorkloadFormat {
  const format = workloadFormats.find((format) => format.name === name.toLowerCase());
  if (format === undefined) throw new InputError(`no format "${name}": choose ${formatNames()}`);
  return format;
}

async function guessFormat(source: ByteSource): Promise<WorkloadFormat> {
  const file = sourceName(source);
  const firstBytes = await readFirstBytes(source, FIRST_BYTES);
  if (firstBytes.length === 0) throw new InputError("the file is empty", { file });
  const format = workloadFormats.find((format) => format.matches(file, firstBytes));
  if (format === undefined) {
    throw new InputError(`the format cannot be told from the content: say which, ${formatNames()}`, { file });
  }
  return format;
}

function formatNames(): string {
  return workloadFormats.map(({ name }) => name).join(", ");
}
