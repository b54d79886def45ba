import { Argument, Command, Option } from "commander";

import {
  exporters,
  exportPolicy,
  packingPolicies,
  parseExportedFamilies,
  writeExport,
  type ExportRequest,
} from "../../export/index.ts";
import { duration } from "../options.ts";
import { print, say } from "../terminal.ts";

interface ExportFlags {
  readonly policy: ExportRequest["policy"];
  readonly family: readonly string[];
  readonly ttl?: number;
  readonly out: string;
}

export function exportCommand(): Command {
  const systems = exporters.map(({ name }) => name);
  return new Command("export")
    .description("write a packing policy as the configuration of a batch system")
    .addArgument(new Argument("<system>", "the batch system").choices(systems))
    .addOption(
      new Option("--policy <name>", "what jobs of a family prefer, and whether others keep off")
        .choices(packingPolicies)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        "--family <kind=name>",
        "whose jobs: queue=, user=, group= or project=; may be given several times",
      )
        .argParser((text: string, earlier: readonly string[] | undefined) => [...(earlier ?? []), text])
        .makeOptionMandatory(),
    )
    .option(
      "--ttl <time>",
      "free a reserved node when no job of its family has come for so long (exclusive)",
      duration,
    )
    .requiredOption("--out <folder>", "a new folder, an empty one, or that of an earlier export")
    .addHelpText("after", `\n${exporters.map(({ name, summary }) => `${name}: ${summary}`).join("\n")}`)
    .action(run);
}

async function run(system: string, { policy, family, ttl, out }: ExportFlags): Promise<void> {
  const exporter = exporters.find(({ name }) => name === system)!;
  const request = { policy, families: parseExportedFamilies(family), ttlSeconds: ttl ?? null };
  if (policy === "exclusive" && ttl === 0)
    say("exclusive with a TTL of 0 is relaxed: that is what is written");
  const files = exportPolicy(exporter, request);
  await writeExport(out, system, files);
  await print(
    [
      `${out}: ${exporter.title}`,
      ...files.map(({ name }) => `  ${name}`),
      "",
      "README.md has the steps.",
    ].join("\n"),
  );
}
