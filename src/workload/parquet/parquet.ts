import { InputError } from "../errors.ts";
import type { ReadOptions, WorkloadFormat } from "../formats/format.ts";
import { mend } from "../formats/mend.ts";
import { sourceName, type ByteSource } from "../input/bytes.ts";
import type { Workload } from "../workload.ts";
import { readParquet } from "./read.ts";

/** The Parquet format, for the registry of formats. */
export const parquet: WorkloadFormat = {
  name: "parquet",
  summary: "Apache Parquet with flat columns submit, runtime, cores, memory and more: the fastest to read",

  /** By content (`PAR1`), and by name where there is none yet. */
  matches(fileName: string, firstBytes: Uint8Array): boolean {
    if (firstBytes.length < 4) return fileName.endsWith(".parquet");
    return (
      firstBytes[0] === 0x50 && firstBytes[1] === 0x41 && firstBytes[2] === 0x52 && firstBytes[3] === 0x31
    );
  },

  async read(source: ByteSource, options: ReadOptions = {}): Promise<Workload> {
    const workload = await readParquet(source);
    if (workload.count === 0) throw new InputError("there is no job in it", { file: sourceName(source) });
    return mend(workload, options);
  },
};
