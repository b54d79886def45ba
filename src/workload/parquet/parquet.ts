import type { Workload } from "../workload.ts";
import type { NamedBytes } from "./file.ts";
import { readParquet, type ParquetOptions } from "./read.ts";

/** The Parquet format, for the registry of formats. */
export const parquet = {
  name: "parquet",
  summary: "Apache Parquet with flat columns submit, runtime, cores, memory and more: the fastest to read",

  /** By content (`PAR1`), and by name where there is none yet. */
  matches(fileName: string, firstBytes: Uint8Array): boolean {
    if (firstBytes.length < 4) return fileName.endsWith(".parquet");
    return (
      firstBytes[0] === 0x50 && firstBytes[1] === 0x41 && firstBytes[2] === 0x52 && firstBytes[3] === 0x31
    );
  },

  read(source: string | NamedBytes, options: ParquetOptions = {}): Promise<Workload> {
    return readParquet(source, options);
  },
} as const;
