import { Command, Option } from "commander";

import {
  generators,
  InputError,
  workloadWriters,
  type Workload,
  type WorkloadWriter,
} from "../../workload/index.ts";
import { formatCount } from "../../report/index.ts";
import { addWorkloadOptions, loadWorkload, type WorkloadFlags } from "../input.ts";
import { positiveInteger, wholeNumber } from "../options.ts";
import { say } from "../terminal.ts";

export function workloadCommand(): Command {
  return new Command("workload")
    .description("look into logs, turn them into other formats, make synthetic ones")
    .addCommand(convertCommand())
    .addCommand(generateCommand());
}

interface TargetFlags {
  readonly to?: string;
}

function convertCommand(): Command {
  const command = new Command("convert")
    .description("write a workload in another format")
    .argument("<workload>", "the log")
    .argument("<file>", "what to write: its name tells the format, as in month.parquet or month.swf.gz")
    .addOption(targetOption());
  return addWorkloadOptions(command).action(
    async (from: string, file: string, flags: WorkloadFlags & TargetFlags) => {
      const writer = writerFor(file, flags);
      await write(await loadWorkload(from, flags), file, writer);
    },
  );
}

function generateCommand(): Command {
  const list = generators.map(({ name, summary }) => `  ${name}  ${summary}`).join("\n");
  return new Command("generate")
    .description("make a synthetic workload where no log is to be had")
    .argument("<generator>", "its name")
    .option("--jobs <number>", "how many jobs; a month's unless given", positiveInteger)
    .option("--seed <number>", "the same seed gives the same workload (1)", wholeNumber)
    .requiredOption("--out <file>", "what to write: its name tells the format")
    .addOption(targetOption())
    .addHelpText("after", `\nGenerators:\n${list}\n\nTheir machines: croft simulate … --machines NAME`)
    .action(async (name: string, flags: TargetFlags & { jobs?: number; seed?: number; out: string }) => {
      const generator = generators.find((each) => each.name === name);
      if (generator === undefined) {
        const known = generators.map((each) => each.name).join(", ");
        throw new InputError(`no generator "${name}": choose ${known}`);
      }
      const writer = writerFor(flags.out, flags);
      const { jobs, seed } = flags;
      const workload = generator.generate({
        ...(jobs === undefined ? {} : { jobs }),
        ...(seed === undefined ? {} : { seed }),
      });
      await write(workload, flags.out, writer);
    });
}

function targetOption(): Option {
  const formats = workloadWriters.map(({ name }) => name);
  return new Option("--to <format>", "the format to write; the file's name tells it otherwise").choices(
    formats,
  );
}

function writerFor(file: string, { to }: TargetFlags): WorkloadWriter {
  const ending = /\.([a-z]+)(\.(gz|zst))?$/i.exec(file)?.[1]?.toLowerCase();
  const writer = workloadWriters.find(({ name }) => name === (to ?? ending));
  if (writer === undefined) {
    const known = workloadWriters.map(({ name }) => `.${name}`).join(", ");
    throw new InputError(`the name does not tell the format: end it in ${known}, or give --to`, { file });
  }
  return writer;
}

async function write(workload: Workload, file: string, writer: WorkloadWriter): Promise<void> {
  await writer.write(workload, file);
  const kind = workload.synthetic ? "synthetic jobs" : "jobs";
  say(`${file}: ${formatCount(workload.count)} ${kind} written as ${writer.name}`);
}
