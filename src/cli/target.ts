import { Option } from "commander";

import { counted } from "../report/index.ts";
import { InputError, workloadWriters, type Workload, type WorkloadWriter } from "../workload/index.ts";
import { replacing } from "./overwriting.ts";
import { say } from "./terminal.ts";

/** The option that says which format a workload is written in. */
export interface TargetFlags {
  readonly to?: string;
}

export function targetOption(): Option {
  const formats = workloadWriters.map(({ name }) => name);
  return new Option("--to <format>", "the format to write, if the file's name does not tell").choices(
    formats,
  );
}

/** @throws InputError where neither the flag nor the name tells the format */
export function writerFor(file: string, { to }: TargetFlags): WorkloadWriter {
  const ending = /\.([a-z]+)(\.(gz|zst))?$/i.exec(file)?.[1]?.toLowerCase();
  const writer = workloadWriters.find(({ name }) => name === (to ?? ending));
  if (writer === undefined) {
    const known = workloadWriters.map(({ name }) => `.${name}`).join(", ");
    throw new InputError(`the name does not tell the format: end it in ${known}, or give --to`, { file });
  }
  return writer;
}

export async function writeWorkload(workload: Workload, file: string, writer: WorkloadWriter): Promise<void> {
  const instead = replacing(file);
  await writer.write(workload, file);
  const kind = workload.synthetic ? "synthetic job" : "job";
  say(`${file}: ${counted(workload.count, kind)} written as ${writer.name}${instead}`);
  for (const loss of writer.losses(workload)) say(`${file}: ${loss}`);
}
