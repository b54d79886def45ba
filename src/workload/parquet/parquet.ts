import { InputError } from "../errors.ts";
import type { ReadOptions, WorkloadFormat } from "../formats/format.ts";
import { applyLimits } from "../formats/limits.ts";
import { isPlainFile, wholeOf, type ByteSource, type NamedBytes } from "../input/bytes.ts";
import { askedLicences } from "../licences.ts";
import type { CodedColumn, Workload } from "../workload.ts";
import { readAsCsv } from "./as-csv.ts";
import { openBytes, openFile, type RandomAccess } from "./file.ts";
import { readFooter, type Footer } from "./footer.ts";
import { isOwn, readOwn } from "./own.ts";

const MAGIC = [0x50, 0x41, 0x52, 0x31];

/** The Parquet format, for the registry of formats. */
export const parquet: WorkloadFormat = {
  name: "parquet",
  summary: "Apache Parquet, with columns as in CSV; what Croft wrote is the fastest to read",
  uses: ["jobShape", "memoryUnit", "timeZone", "columns"],

  /** Recognised by its content (`PAR1`), or by its name if there is no content yet. */
  matches(fileName: string, firstBytes: Uint8Array): boolean {
    if (firstBytes.length < MAGIC.length) return fileName.endsWith(".parquet");
    return MAGIC.every((byte, at) => firstBytes[at] === byte);
  },

  async read(source: ByteSource, options: ReadOptions = {}): Promise<Workload> {
    const isAtHand = typeof source === "string" ? isPlainFile(source) : "bytes" in source;
    const input = isAtHand ? (source as string | NamedBytes) : await wholeOf(source);
    return withParquet(input, (file, footer) =>
      isOwn(footer) ? readChecked(file, footer, options) : readAsCsv(file, footer, options),
    );
  },
};

/**
 * Opens a file, or bytes, for `read`.
 *
 * @throws {InputError} if the file is missing or damaged
 */
export async function withParquet<T>(
  input: string | NamedBytes,
  read: (file: RandomAccess, footer: Footer) => Promise<T>,
): Promise<T> {
  const file = typeof input === "string" ? await openFile(input) : openBytes(input);
  try {
    return await read(file, await readFooter(file));
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`is damaged or not a Parquet file: ${reasonOf(error as Error)}`, {
      file: file.name,
    });
  } finally {
    await file.close();
  }
}

/** A decoder's errors on damaged bytes (ranges, types, lengths) say what it tried, and mean the same. */
function reasonOf({ name, message }: Error): string {
  return name === "Error" ? message : `its parts do not fit together (${message})`;
}

/** A file that Croft wrote, with the checks and limits of the options. */
async function readChecked(file: RandomAccess, footer: Footer, options: ReadOptions): Promise<Workload> {
  const workload = await readOwn(file, footer);
  if (workload.count === 0) throw new InputError("there is no job in it", { file: file.name });
  const { requires, licences } = workload;
  const { checkRequirement } = options;
  if (requires !== null && checkRequirement !== undefined) checkTexts(requires, checkRequirement, file.name);
  if (licences !== undefined) checkTexts(licences, askedLicences, file.name);
  return applyLimits(withUnused(workload, options), options);
}

/** Checks each distinct text of a column. An error names the row in which it first appears. */
function checkTexts({ codes, names }: CodedColumn, check: (text: string) => unknown, file: string): void {
  names.forEach((text, code) => {
    if (text === "") return;
    try {
      check(text);
    } catch (error) {
      throw new InputError(`row ${codes.indexOf(code) + 1}: ${(error as Error).message}`, { file });
    }
  });
}

/** Notes the options that a file which Croft wrote settles itself. */
function withUnused(workload: Workload, options: ReadOptions): Workload {
  const settled = [
    ["jobShape", "the shape of jobs"],
    ["memoryUnit", "the memory's unit"],
    ["timeZone", "the time zone"],
    ["columns", "the columns"],
  ] as const;
  const names = settled.filter(([option]) => options[option] !== undefined).map(([, name]) => name);
  if (names.length === 0) return workload;
  const what = `no effect on a file that Croft wrote: ${names.join(", ")}`;
  return { ...workload, notes: [...workload.notes, { what, count: 1 }] };
}
