import { Option, type Command } from "commander";

import { packingPolicies, type PackingPolicy } from "../../core/index.ts";
import { parseFamily, type Family, type RunLabels, type SimulationSettings } from "../../simulation/index.ts";
import { InputError } from "../../workload/index.ts";
import { durations, names, positive, positiveInteger, wholeNumber } from "../options.ts";

/** The packing options; absent: not given. */
export interface PackingFlags {
  readonly packing?: readonly PackingPolicy[];
  readonly family?: readonly Family[];
  readonly ttl?: readonly number[];
  readonly clock?: "time" | "order";
  readonly queue?: number;
  readonly idleWatts?: number;
  readonly busyWatts?: number;
  readonly frames?: readonly number[];
}

/** The policy of a farm that packs, unless one is given: the least loaded machine (Dal Pra 2014, section 1). */
export const leastLoaded = "worse-fit-cores";

export const queueHelp = "with the order-driven clock: jobs that wait at a time (as many as there are nodes)";

export const familyHelp =
  "a family of jobs: queue=NAME, user=NAME, group=NAME, project=PATH or cores=NUMBER; give one for each family";

export function packingOptions(command: Command): Command {
  return command
    .option(
      "--packing <policies>",
      `keep the jobs of families together: ${packingPolicies.join(", ")}, or several of them to compare`,
      policies,
    )
    .option("--family <what>", familyHelp, families)
    .option(
      "--ttl <times>",
      "exclusive: a reserved machine that no new packed job reaches for 1h, … is free again (never)",
      durations,
    )
    .addOption(
      new Option(
        "--clock <kind>",
        "order: jobs of one slot come one after the other, as a farm of equal nodes takes them, whatever the log's times",
      ).choices(["time", "order"]),
    )
    .option("--queue <jobs>", queueHelp, positiveInteger);
}

/** The options for measuring and showing packing. */
export function packingOutputOptions(command: Command): Command {
  return command
    .option("--idle-watts <watts>", "what a node draws with nothing to do, for the energy", wholeNumber)
    .option("--busy-watts <watts>", "what it draws with all cores busy", positive)
    .option(
      "--frames <times>",
      "with --out: pictures of the farm at 1d, 36h, … after the beginning",
      durations,
    );
}

/** @throws InputError if options are given that need others */
export function checkPackingFlags({
  packing,
  family,
  ttl,
  clock,
  queue,
  idleWatts,
  busyWatts,
  frames,
}: PackingFlags): void {
  if (queue !== undefined && clock !== "order")
    throw new InputError("--queue is for --clock order: else jobs come when the log says");
  if (packing === undefined) {
    const given = [
      family === undefined ? "" : "--family",
      ttl === undefined ? "" : "--ttl",
      idleWatts === undefined && busyWatts === undefined ? "" : "--idle-watts and --busy-watts",
      frames === undefined ? "" : "--frames",
    ].filter((flag) => flag !== "");
    if (given.length > 0) throw new InputError(`${given.join(", ")}: give --packing with it`);
    return;
  }
  if (family === undefined) throw new InputError("--packing needs to know which jobs: --family queue=NAME");
  if (ttl !== undefined && !packing.includes("exclusive"))
    throw new InputError("--ttl is for --packing exclusive: the other policies reserve nothing");
  if ((idleWatts === undefined) !== (busyWatts === undefined))
    throw new InputError("give both --idle-watts and --busy-watts");
}

/** A way to pack, with the labels that identify it. */
interface PackingVariant {
  readonly settings: Partial<SimulationSettings>;
  readonly labels: RunLabels;
}

/** Every way to pack that is asked for; if none is, a single variant without packing. */
export function packingVariants(flags: PackingFlags & { readonly out?: string }): readonly PackingVariant[] {
  const { packing, family, ttl, clock, queue, idleWatts, busyWatts, out } = flags;
  const common = {
    ...(clock === undefined ? {} : { clock }),
    ...(queue === undefined ? {} : { queuedJobs: queue }),
  };
  if (packing === undefined || family === undefined) return [{ settings: common, labels: {} }];
  const power = idleWatts === undefined || busyWatts === undefined ? null : { idleWatts, busyWatts };
  const ways = packing.flatMap((policy) =>
    (policy === "exclusive" ? (ttl ?? [Infinity]) : [0]).map((ttlSeconds) => ({ policy, ttlSeconds })),
  );
  return ways.map(({ policy, ttlSeconds }) => ({
    settings: {
      ...common,
      packing: { policy, families: family, ttlSeconds },
      power,
      pictures: out !== undefined,
    },
    labels: {
      ...(packing.length > 1 ? { packing: policy } : {}),
      ...(ttl !== undefined && ttl.length > 1 ? { ttl: policy === "exclusive" ? ttlSeconds : 0 } : {}),
    },
  }));
}

function policies(text: string, earlier: readonly PackingPolicy[] = []): PackingPolicy[] {
  const given = names(text).map((name) => {
    const policy = packingPolicies.find((each) => each === name);
    if (policy === undefined)
      throw new InputError(`no packing policy "${name}": give ${packingPolicies.join(", ")}`);
    return policy;
  });
  return [...new Set([...earlier, ...given])];
}

/** An option that may be given several times, each time with a family. */
export function families(text: string, earlier: readonly Family[] = []): Family[] {
  return [...earlier, parseFamily(text)];
}
