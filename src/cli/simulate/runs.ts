import { maxJobsDefaults, policies } from "../../core/index.ts";
import {
  presets,
  printedPolicyName,
  resolvePolicy,
  type Preset,
  type RunLabels,
  type GivenSettings,
  type SimulationSettings,
} from "../../simulation/index.ts";
import { InputError, type Machines, type Workload } from "../../workload/index.ts";
import { say } from "../terminal.ts";
import type { SimulateFlags } from "./flags.ts";
import { optionRemarks } from "./options-of-policies.ts";
import { checkPackingFlags, leastLoaded, packingVariants } from "./packing.ts";

const noPreset: Preset = { name: "", summary: "", settings: {}, workload: {}, machines: {} };

/** Those that the thesis compares (Shai 2014, sections 3 to 5). */
const defaultPolicies = ["first-fit", ...maxJobsDefaults, "max-jobs"];

export function presetOf(flags: SimulateFlags): Preset {
  return presets.find(({ name }) => name === flags.preset) ?? noPreset;
}

interface PolicyChoice {
  /** Those of a list that was not named one by one: of them only what the workload and the machines allow is run. */
  readonly listed: readonly string[];
  /** Those that the user named, as they are printed. */
  readonly named: readonly string[];
}

/**
 * What is asked for, checked before anything is read.
 * @throws InputError naming the nearest known names
 */
export function chosenPolicies(flags: SimulateFlags): PolicyChoice {
  const { policy, maxJobs, packing } = flags;
  checkPackingFlags(flags);
  for (const heuristic of maxJobs ?? []) resolvePolicy("max-jobs", [heuristic]);
  const usual = packing === undefined ? defaultPolicies : [leastLoaded];
  const listed =
    policy === undefined ? usual : policy.includes("all") ? policies.map(({ name }) => name) : [];
  const named = (policy ?? []).filter((name) => name !== "all").map(printedPolicyName);
  return { listed, named };
}

function allowedPolicies(flags: SimulateFlags, workload: Workload, machines: Machines): readonly string[] {
  const { listed, named } = chosenPolicies(flags);
  const needsMemory = (name: string): boolean => {
    const { kind, heuristic } = resolvePolicy(name, flags.maxJobs);
    return kind.needsMemory || heuristic.needsMemory;
  };
  const isMemoryKnown = workload.memoryMiB !== null && machines.memoryMiB !== null;
  const left = isMemoryKnown ? [] : listed.filter(needsMemory);
  if (left.length > 0) {
    const without = workload.memoryMiB === null ? `workload ${workload.name}` : `machines ${machines.name}`;
    say(`left out, as ${without} has no memory: ${left.join(", ")}`);
  }
  return [...new Set([...listed.filter((name) => !left.includes(name)), ...named])];
}

/** A run to make, and what tells it from the others in the schedule file. */
export interface PlannedRun {
  readonly settings: GivenSettings;
  readonly labels: RunLabels;
}

/**
 * Every policy at every load, load by load; where jobs are packed, every way of packing beside the others.
 * @throws InputError where the workload lacks what the settings need
 */
export function planRuns(
  flags: SimulateFlags,
  shares: SimulationSettings["fairShare"],
  workload: Workload,
  machines: Machines,
): PlannedRun[] {
  if (shares !== null && workload.project === null) {
    throw new InputError(`workload ${workload.name} names no projects to share the farm among`);
  }
  const common = { ...presetOf(flags).settings, ...givenSettings(flags, shares) };
  const names = allowedPolicies(flags, workload, machines);
  for (const remark of optionRemarks(flags, names, workload)) say(remark);
  const paces =
    flags.load?.map((load) => ({ settings: { load }, label: { load } })) ??
    (flags.beta ?? [1]).map((beta) => ({ settings: { beta }, label: { beta } }));
  const variants = packingVariants(flags);
  return paces.flatMap((pace) =>
    names.flatMap((policy) =>
      variants.map((variant) => ({
        settings: { ...common, ...pace.settings, ...variant.settings, policy },
        labels: {
          ...(names.length > 1 ? { policy } : {}),
          ...variant.labels,
          ...(paces.length > 1 ? pace.label : {}),
        },
      })),
    ),
  );
}

function givenSettings(
  flags: SimulateFlags,
  shares: SimulationSettings["fairShare"],
): Partial<SimulationSettings> {
  const { maxJobs, interval, estimates, examine, reservations, warmup, cooldown } = flags;
  const { penalty, period, mvt, nodeMemory } = flags;
  return {
    ...(maxJobs === undefined ? {} : { maxJobsList: maxJobs }),
    ...(interval === undefined ? {} : { intervalSeconds: interval }),
    // An interval asks for cycles: a preset's own event order gives way.
    ...(interval === undefined || interval === 0 ? {} : { eventOrder: "instant" }),
    ...(estimates === undefined ? {} : { estimates }),
    ...(shares === null ? {} : { fairShare: shares }),
    ...(examine === undefined ? {} : { examined: examine }),
    ...(reservations === undefined ? {} : { reserving: reservations }),
    ...(warmup === undefined ? {} : { warmupSeconds: warmup }),
    ...(cooldown === undefined ? {} : { cooldownSeconds: cooldown }),
    ...(penalty === undefined ? {} : { penaltySeconds: penalty }),
    ...(period === undefined ? {} : { periodSeconds: period }),
    ...(mvt === undefined ? {} : { minimumVirtualSeconds: mvt }),
    ...(nodeMemory === undefined ? {} : { nodeMemoryGiB: nodeMemory }),
  };
}
