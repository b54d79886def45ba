import { Argument, Command, Option } from "commander";

import {
  exporters,
  exportPolicy,
  exportScheduling,
  packingPolicies,
  parseExportedFamilies,
  schedulingExporters,
  schedulingPolicy,
  writeExport,
  type ExportedFile,
  type Exporter,
  type SchedulingExporter,
} from "../../export/index.ts";
import { resolvePolicy } from "../../simulation/index.ts";
import { InputError } from "../../workload/index.ts";
import { duration, fairShareOfOption, fairShareOption, halfLifeOption, systemAmong } from "../options.ts";
import { usageOf, type FairShareFlags } from "../simulate/shares.ts";
import { print, say } from "../terminal.ts";

interface ExportFlags extends FairShareFlags {
  readonly policy: string;
  readonly family?: readonly string[];
  readonly ttl?: number;
  readonly reservations?: "all" | "none";
  readonly out: string;
}

export function exportCommand(): Command {
  const systems = [...new Set([...exporters, ...schedulingExporters].map(({ name }) => name))];
  return new Command("export")
    .description("write a scheduling or packing policy as the configuration of a batch system")
    .addArgument(
      new Argument("<system>", "the batch system").choices(systems).argParser(systemAmong(systems)),
    )
    .requiredOption(
      "--policy <name>",
      `a scheduling policy (croft policies), or how families are packed: ${packingPolicies.join(", ")}`,
    )
    .addOption(
      new Option(
        "--family <kind=name>",
        "packing: whose jobs: queue=, user=, group= or project=; may be given several times",
      ).argParser((text: string, earlier: readonly string[] | undefined) => [...(earlier ?? []), text]),
    )
    .option(
      "--ttl <time>",
      "packing: free a reserved node when no job of its family has come for so long (exclusive)",
      duration,
    )
    .addOption(fairShareOption())
    .addOption(halfLifeOption())
    .addOption(fairShareOfOption())
    .addOption(
      new Option(
        "--reservations <which>",
        "scheduling by a heuristic: whether jobs that do not fit keep machines free (all)",
      ).choices(["all", "none"]),
    )
    .requiredOption("--out <folder>", "a new folder, an empty one, or that of an earlier export")
    .addHelpText(
      "after",
      `\nPacking:\n${exporters.map(({ name, summary }) => `  ${name}: ${summary}`).join("\n")}\n` +
        `Scheduling: ${schedulingExporters.map(({ name }) => name).join(", ")}`,
    )
    .action(run);
}

async function run(system: string, flags: ExportFlags): Promise<void> {
  const isPacking = packingPolicies.some((name) => name === flags.policy);
  const { title, files } = isPacking ? packing(system, flags) : scheduling(system, flags);
  await writeExport(flags.out, system, files);
  await print(
    [`${flags.out}: ${title}`, ...files.map(({ name }) => `  ${name}`), "", "README.md has the steps."].join(
      "\n",
    ),
  );
}

interface Written {
  readonly title: string;
  readonly files: readonly ExportedFile[];
}

function packing(
  system: string,
  { policy, family = [], ttl, fairShare, halfLife, fairShareOf, reservations }: ExportFlags,
): Written {
  const exporter = found(exporters, system, "packing");
  if (family.length === 0)
    throw new InputError(
      `the packing policy ${policy} needs --family: say which jobs to keep together, as in queue=ams`,
    );
  if ([fairShare, halfLife, fairShareOf, reservations].some((each) => each !== undefined))
    throw new InputError(
      "--fair-share, with --half-life and --fair-share-of, and --reservations are for scheduling policies, such as easy",
    );
  const name = packingPolicies.find((each) => each === policy)!;
  if (name === "exclusive" && ttl === 0) say("exclusive with a TTL of 0 is relaxed: that is what is written");
  const request = { policy: name, families: parseExportedFamilies(family), ttlSeconds: ttl ?? null };
  return { title: exporter.title, files: exportPolicy(exporter, request) };
}

function scheduling(system: string, flags: ExportFlags): Written {
  const { policy, family, ttl, fairShare, reservations } = flags;
  const { kind, heuristic } = resolveScheduling(policy);
  const exporter = found(schedulingExporters, system, "scheduling");
  if (family !== undefined || ttl !== undefined)
    throw new InputError(
      `--family and --ttl are for packing policies (${packingPolicies.join(", ")}), not for ${policy}`,
    );
  const request = schedulingPolicy(policy, kind.name, heuristic.name, {
    fairShare: usageOf(flags) ?? (fairShare === undefined ? null : "running"),
    hasReservations: reservations !== "none",
  });
  return { title: exporter.title, files: exportScheduling(exporter, request) };
}

function resolveScheduling(policy: string): ReturnType<typeof resolvePolicy> {
  try {
    return resolvePolicy(policy);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(`${error.message} Packing policies are ${packingPolicies.join(", ")}`);
  }
}

function found<Each extends Exporter | SchedulingExporter>(
  known: readonly Each[],
  system: string,
  what: string,
): Each {
  const exporter = known.find(({ name }) => name === system);
  if (exporter !== undefined) return exporter;
  throw new InputError(
    `${what} policies are not written for ${system}, but for ${known.map(({ name }) => name).join(", ")}`,
  );
}
