import { maxJobsDefaults } from "../../core/index.ts";
import {
  defaultSettings,
  farmChecks,
  licencesCount,
  presets,
  printedPolicyName,
  registry,
  resolvePolicy,
  type FailureSettings,
  type Preset,
  type RunLabels,
  type SimulationSettings,
} from "../../simulation/index.ts";
import { InputError, type Workload } from "../../workload/index.ts";
import { say } from "../terminal.ts";
import { backfillsConservatively } from "./attainable.ts";
import type { SimulateFlags } from "./flags.ts";
import { checkPackingFlags, leastLoaded, packingVariants } from "./packing.ts";
import { isFarm, type Place } from "./place.ts";

const noPreset: Preset = { name: "", summary: "", settings: {}, workload: {}, machines: {} };

/** The policies run by default: those that the thesis compares (Shai 2014, sections 3 to 5). */
const defaultPolicies = ["first-fit", ...maxJobsDefaults, "max-jobs"];

/** Run as well if the log tells how long jobs may run: most farms with such limits backfill. */
const defaultBackfilling = "easy";

export function presetOf(flags: SimulateFlags): Preset {
  return presets.find(({ name }) => name === flags.preset) ?? noPreset;
}

interface PolicyChoice {
  /**
   * Policies that come from a default list or `all`: those that the workload and the machines do not allow are left
   * out.
   */
  readonly listed: readonly string[];
  /** Policies that the user named, as they are printed. */
  readonly named: readonly string[];
}

/**
 * What is asked for, checked before anything is read but the plugin.
 * @throws InputError naming the nearest known names
 */
export function chosenPolicies(flags: SimulateFlags): PolicyChoice {
  const { policy, maxJobs, packing } = flags;
  checkPackingFlags(flags);
  for (const heuristic of maxJobs ?? []) resolvePolicy("max-jobs", [heuristic]);
  for (const name of flags.strategy ?? []) if (name !== "all") farmChecks.strategy!(name);
  if (flags.routing !== undefined) farmChecks.routing!(flags.routing);
  const usual = packing === undefined ? defaultPolicies : [leastLoaded];
  const listed =
    policy === undefined ? usual : policy.includes("all") ? registry.policies.map(({ name }) => name) : [];
  const own = flags.baseline === undefined ? [] : [flags.baseline];
  const named = [...(policy ?? []).filter((name) => name !== "all"), ...own].map(printedPolicyName);
  return { listed, named };
}

/** The policies to run; null: each pool's own. */
function allowedPolicies(flags: SimulateFlags, workload: Workload, place: Place): readonly (string | null)[] {
  const { listed: asked, named } = chosenPolicies(flags);
  if (flags.policy === undefined && isFarm(place)) return [null, ...named];
  const backfills =
    flags.policy === undefined && flags.packing === undefined && workload.estimateSeconds !== null;
  // What the farm's batch system does in place of EASY, so that the verdict can be on that.
  const instead = backfillsConservatively(workload.format) ? ["conservative"] : [];
  const listed = backfills ? [...asked, defaultBackfilling, ...instead] : asked;
  const needsMemory = (name: string): boolean => {
    const { kind, heuristic } = resolvePolicy(name, flags.maxJobs);
    return kind.needsMemory || heuristic.needsMemory;
  };
  const left = isMemoryKnown(workload, place) ? [] : listed.filter(needsMemory);
  if (left.length > 0) {
    const without =
      workload.memoryMiB === null
        ? `workload ${workload.name}`
        : `${isFarm(place) ? "a pool of farm" : "machines"} ${place.name}`;
    say(`left out, as ${without} has no memory: ${left.join(", ")}`);
  }
  const promising = isFarm(place) && licencesCount(workload, place) ? listed.filter(promisesStarts) : [];
  if (promising.length > 0)
    say(`left out, as they do not know when licences will be free: ${promising.join(", ")}`);
  return [
    ...new Set([...listed.filter((name) => !left.includes(name) && !promising.includes(name)), ...named]),
  ];
}

function promisesStarts(name: string): boolean {
  return resolvePolicy(name).kind.heedsLicences === false;
}

function isMemoryKnown({ memoryMiB }: Workload, place: Place): boolean {
  return memoryMiB !== null && tellsMemory(place);
}

function tellsMemory(place: Place): boolean {
  return isFarm(place)
    ? place.pools.every(({ groups }) => groups.some(({ memoryMiB }) => memoryMiB !== null))
    : place.memoryMiB !== null;
}

/** A run to make, with the labels that identify it in the schedule file. */
export interface PlannedRun {
  readonly settings: SimulationSettings;
  readonly labels: RunLabels;
  /** Its policy's name; empty: each pool's own. */
  readonly policy: string;
  /** Where it is made; absent: where the others are. */
  readonly on?: Place;
  /** What it is called; absent: by its policy. */
  readonly name?: string;
}

/** The inputs of the runs that were read from files. */
interface RunInputs {
  readonly shares: SimulationSettings["fairShare"];
  readonly usage: SimulationSettings["usage"];
  readonly failures: FailureSettings | null;
}

/**
 * Every policy with every strategy at every load, load by load; where jobs are packed, every way of packing beside
 * the others.
 *
 * @throws InputError where the workload lacks what the settings need
 */
export function planRuns(
  flags: SimulateFlags,
  { shares, usage, failures }: RunInputs,
  workload: Workload,
  place: Place,
): PlannedRun[] {
  if (shares !== null && workload.project === null) {
    throw new InputError(`workload ${workload.name} names no projects to share the farm among`);
  }
  if (usage?.of === "memory" && !isMemoryKnown(workload, place))
    throw new InputError("--fair-share-of memory: both the workload and the machines have to tell memory");
  if (shares === null && workload.memoryMiB === null && isFarm(place))
    for (const pool of place.pools)
      if (pool.usage?.of === "memory" && workload.project !== null)
        throw new InputError(
          `pool ${pool.name} of farm ${place.name} shares by memory, and workload ${workload.name} tells none`,
        );
  const common = {
    ...defaultSettings,
    ...presetOf(flags).settings,
    ...givenSettings(flags, shares),
    usage,
    failures,
  };
  const names = allowedPolicies(flags, workload, place);
  const { strategy: asked = [] } = flags;
  const strategies: readonly (string | null)[] =
    asked.length === 0 ? [null] : asked.includes("all") ? registry.strategies.map(({ name }) => name) : asked;
  const paces =
    flags.load?.map((load) => ({ settings: { load }, label: { load } })) ??
    (flags.beta ?? [1]).map((beta) => ({ settings: { beta }, label: { beta } }));
  const variants = packingVariants(flags);
  return paces.flatMap((pace) =>
    names.flatMap((policy) =>
      strategies.flatMap((strategy) =>
        variants.map((variant) => ({
          settings: { ...common, ...pace.settings, ...variant.settings, policy, strategy },
          policy: policy ?? "",
          labels: {
            ...(names.length > 1 && policy !== null ? { policy } : {}),
            ...(strategies.length > 1 && strategy !== null ? { strategy } : {}),
            ...variant.labels,
            ...(paces.length > 1 ? pace.label : {}),
          },
        })),
      ),
    ),
  );
}

/** `--interval` asks for cycles, and so overrides a preset's event order. */
export function eventOrderOf({ interval }: SimulateFlags): Pick<Partial<SimulationSettings>, "eventOrder"> {
  return interval === undefined || interval === 0 ? {} : { eventOrder: "instant" };
}

function givenSettings(
  flags: SimulateFlags,
  shares: SimulationSettings["fairShare"],
): Partial<SimulationSettings> {
  const { maxJobs, interval, estimates, examine, reservations, warmup, cooldown } = flags;
  const { penalty, period, mvt, mft, nodeSpeeds, nodeMemory, routing, seed } = flags;
  return {
    ...(maxJobs === undefined ? {} : { maxJobsList: maxJobs }),
    ...(interval === undefined ? {} : { intervalSeconds: interval }),
    ...eventOrderOf(flags),
    ...(estimates === undefined ? {} : { estimates }),
    ...(shares === null ? {} : { fairShare: shares }),
    ...(examine === undefined ? {} : { examined: examine }),
    ...(reservations === undefined ? {} : { reserving: reservations }),
    ...(warmup === undefined ? {} : { warmupSeconds: warmup }),
    ...(cooldown === undefined ? {} : { cooldownSeconds: cooldown }),
    ...(penalty === undefined ? {} : { penaltySeconds: penalty }),
    ...(period === undefined ? {} : { periodSeconds: period }),
    ...(mvt === undefined ? {} : { minimumVirtualSeconds: mvt }),
    ...(mft === undefined ? {} : { minimumFlowSeconds: mft }),
    ...(nodeSpeeds === undefined ? {} : { nodeSpeeds }),
    ...(nodeMemory === undefined ? {} : { nodeMemoryGiB: nodeMemory }),
    ...(routing === undefined ? {} : { routing }),
    ...(seed === undefined ? {} : { seed }),
    ...(flags.poolDetail === undefined ? {} : { poolDetail: true }),
  };
}
