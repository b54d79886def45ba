import { InputError } from "../errors.ts";
import type { ReadOptions, WorkloadFormat } from "../formats/format.ts";
import { applyLimits } from "../formats/limits.ts";
import { isPlainFile, sourceName, wholeOf, type ByteSource } from "../input/bytes.ts";
import { askedLicences } from "../licences.ts";
import type { CodedColumn, Workload } from "../workload.ts";
import type { NamedBytes } from "./file.ts";
import { readParquet } from "./read.ts";

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

/** The Parquet format, for the registry of formats. */
export const parquet: WorkloadFormat = {
  name: "parquet",
  summary: "Apache Parquet with flat columns submit, runtime, cores, memory and more: the fastest to read",
  uses: [],

  /** Recognised by its content (`PAR1`), or by its name if there is no content yet. */
  matches(fileName: string, firstBytes: Uint8Array): boolean {
    if (firstBytes.length < 4) return fileName.endsWith(".parquet");
    return (
      firstBytes[0] === 0x50 && firstBytes[1] === 0x41 && firstBytes[2] === 0x52 && firstBytes[3] === 0x31
    );
  },

  async read(source: ByteSource, options: ReadOptions = {}): Promise<Workload> {
    const isAtHand = typeof source === "string" ? isPlainFile(source) : "bytes" in source;
    const workload = await readParquet(isAtHand ? (source as string | NamedBytes) : await wholeOf(source));
    if (workload.count === 0) throw new InputError("there is no job in it", { file: sourceName(source) });
    const { requires, licences } = workload;
    const { checkRequirement } = options;
    if (requires !== null && checkRequirement !== undefined)
      checkTexts(requires, checkRequirement, sourceName(source));
    if (licences !== undefined) checkTexts(licences, askedLicences, sourceName(source));
    return applyLimits(workload, options);
  },
};
