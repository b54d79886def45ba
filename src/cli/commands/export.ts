import { Argument, Command, Option } from "commander";

import {
  exporters,
  exportPolicy,
  exportScheduling,
  logFacts,
  packingPolicies,
  parseExportedFamilies,
  schedulingExporters,
  schedulingPolicy,
  unlimitedText,
  writeExport,
  type ExportedFile,
  type Exporter,
  type LogFacts,
  type SchedulingExporter,
} from "../../export/index.ts";
import { loadPlugin, resolvePolicy } from "../../simulation/index.ts";
import { InputError } from "../../workload/index.ts";
import { readSiteFiles, refusePluginPolicy } from "../exporting.ts";
import { loadWorkload } from "../input.ts";
import { duration, fairShareOfOption, fairShareOption, halfLifeOption, systemAmong } from "../options.ts";
import { usageOf, type FairShareFlags } from "../simulate/shares.ts";
import { print, say } from "../terminal.ts";

interface ExportFlags extends FairShareFlags {
  readonly policy: string;
  readonly family?: readonly string[];
  readonly ttl?: number;
  readonly reservations?: "all" | "none";
  readonly log?: string;
  readonly against?: readonly string[];
  readonly plugin?: string;
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
      ).argParser(several),
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
    .option("--log <workload>", "scheduling: the log that values are taken from, such as the longest limit")
    .addOption(
      new Option(
        "--against <file>",
        "scheduling: what the site has now; may be given several times. Only what differs is written, and a file that goes back",
      ).argParser(several),
    )
    .option("--plugin <file>", "scheduling: a module with heuristics or policies of your own")
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
  const {
    title,
    files,
    tried,
    first = null,
  } = isPacking ? packing(system, flags) : await scheduling(system, flags);
  await writeExport(flags.out, system, files);
  const names = files.map(({ name }) => `  ${name}`);
  await print(
    [
      `${flags.out}: ${title}`,
      ...names,
      "",
      ...(first === null ? [] : [`First: ${first}`]),
      `Tried ${tried}`,
      "README.md has the steps.",
    ].join("\n"),
  );
}

function several(text: string, earlier: readonly string[] | undefined): readonly string[] {
  return [...(earlier ?? []), text];
}

interface Written {
  readonly title: string;
  readonly files: readonly ExportedFile[];
  readonly tried: string;
  /** What has to be done before; absent or null: nothing. */
  readonly first?: string | null;
}

function packing(
  system: string,
  {
    policy,
    family = [],
    ttl,
    fairShare,
    halfLife,
    fairShareOf,
    reservations,
    log,
    against,
    plugin,
  }: ExportFlags,
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
  if ([log, against, plugin].some((each) => each !== undefined))
    throw new InputError("--log, --against and --plugin are for scheduling policies, such as easy");
  const name = packingPolicies.find((each) => each === policy)!;
  if (name === "exclusive" && ttl === 0) say("exclusive with a TTL of 0 is relaxed: that is what is written");
  const request = { policy: name, families: parseExportedFamilies(family), ttlSeconds: ttl ?? null };
  return { title: exporter.title, files: exportPolicy(exporter, request), tried: exporter.tried };
}

async function scheduling(system: string, flags: ExportFlags): Promise<Written> {
  const { policy, family, ttl, fairShare, reservations, log, against = [], plugin } = flags;
  if (plugin !== undefined) await loadPlugin(plugin);
  const resolved = resolveScheduling(policy, plugin);
  refusePluginPolicy(resolved);
  const { kind, heuristic } = resolved;
  const exporter = found(schedulingExporters, system, "scheduling");
  if (family !== undefined || ttl !== undefined)
    throw new InputError(
      `--family and --ttl are for packing policies (${packingPolicies.join(", ")}), not for ${policy}`,
    );
  const request = schedulingPolicy(policy, kind.name, heuristic.name, {
    fairShare: usageOf(flags) ?? (fairShare === undefined ? null : "running"),
    hasReservations: reservations !== "none",
  });
  const basis = { facts: await factsOf(log), against: await readSiteFiles(against) };
  return {
    title: exporter.title,
    files: exportScheduling(exporter, request, basis),
    tried: exporter.tried,
    first: unlimitedText(exporter, request, basis.facts),
  };
}

async function factsOf(log: string | undefined): Promise<LogFacts | null> {
  return log === undefined ? null : logFacts(await loadWorkload(log, {}));
}

function resolveScheduling(policy: string, plugin: string | undefined): ReturnType<typeof resolvePolicy> {
  try {
    return resolvePolicy(policy);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const own = plugin === undefined ? "; one of your own needs --plugin FILE" : "";
    throw new InputError(`${error.message} Packing policies are ${packingPolicies.join(", ")}${own}`);
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
