import {
  logFacts,
  propose,
  schedulingExporters,
  schedulingPolicy,
  unlimitedText,
  type FairShareRule,
} from "../../export/index.ts";
import { isStartLatency, type NextSteps, type Verdict } from "../../report/index.ts";
import {
  drawnUnits,
  FEWEST_UNITS,
  FEWEST_WEEKS,
  isAssumed,
  resolvePolicy,
  wholeWeeks,
  type Fidelity,
  type RecordedRun,
} from "../../simulation/index.ts";
import { InputError, type Machines, type Workload } from "../../workload/index.ts";
import { isPluginPolicy } from "../exporting.ts";
import type { SimulateFlags } from "./flags.ts";
import { usageOf } from "./shares.ts";

/** By the format of the log: the batch system to export to, or the name of one for which there is no export. */
const systems: Readonly<Record<string, string>> = {
  slurm: "slurm",
  "slurm-json": "slurm",
  pbs: "pbs",
  lsf: "lsf",
  kubernetes: "kubernetes",
  "grid-engine": "grid-engine",
  qacct: "grid-engine",
  htcondor: "HTCondor",
  "htcondor-json": "HTCondor",
};

export function systemOf(format: string | undefined): string | undefined {
  return systems[format ?? ""];
}

/**
 * How to set up the best policy in the farm's batch system, or in each if the log does not say which it is. Undefined
 * if there is no verdict, or no batch system has such a policy.
 */
export function nextSteps(
  verdict: Verdict,
  workload: Workload,
  machines: Machines,
  fidelity: Fidelity | undefined,
  flags: SimulateFlags,
  recorded?: RecordedRun,
): NextSteps | undefined {
  const { best, ranked, hasVerdict, waits } = verdict;
  const row = ranked.find(({ policy }) => policy === best);
  if (!hasVerdict || waits === null || row === undefined || flags.farm !== undefined) return undefined;
  const name = row.run.policy;
  const choice = resolved(name);
  if (choice === null) return undefined;
  const policy = schedulingPolicy(name, choice.kind.name, choice.heuristic.name, {
    fairShare:
      usageOf(flags) ?? (flags.fairShare === undefined && flags.shares === undefined ? null : "running"),
    hasReservations: flags.reservations !== 0,
    hasMemory: workload.memoryMiB !== null && machines.memoryMiB !== null,
  });
  const own = systemOf(workload.format);
  const there = fidelity?.policy === name && fidelity.nearer === undefined ? fidelity.because : null;
  const isPlugins = isPluginPolicy(choice);
  // No block to paste where nothing should change.
  const isChange = there === null && (verdict.standing === "shorter" || verdict.standing === "itself");
  const basis = { facts: logFacts(workload), against: [] };
  const exporters = schedulingExporters.filter(
    (exporter) => !isPlugins && (own === undefined || exporter.name === own),
  );
  const isLacking =
    isChange && exporters.some((exporter) => unlimitedText(exporter, policy, basis.facts) !== null);
  return {
    policy: name,
    options: `${fairShareWords(policy.fairShare)}${flags.reservations === 0 ? " --reservations none" : ""}`,
    there,
    ...(there === null ? {} : unexplainedOf(fidelity!, recorded)),
    ...assumedOf(fidelity),
    ...(waits.againstBaseline.some(({ by }) => by === "resampling") || !canBeDrawn(workload)
      ? {}
      : { canResample: true }),
    ...(isLacking ? { withoutLimits: basis.facts!.withoutLimitShare } : {}),
    ...(isPlugins ? { isPlugins } : {}),
    ...(own === undefined ? {} : { own }),
    systems: exporters.map((exporter) => {
      const { files, decisions, missing, first } = propose(exporter, policy, basis);
      const attainable = exporter.attainable(policy);
      // Nor of a policy that the system would not follow: it would do another.
      const isTold = isChange && attainable.instead === null;
      return {
        name: exporter.name,
        title: exporter.title,
        ...(attainable.instead === null ? {} : { instead: attainable.policy }),
        ...(isTold && first !== null ? { first } : {}),
        // Nor before it can do what it does in the simulation.
        settings:
          isTold && first === null ? files.map(({ name, where, lines }) => ({ name, where, lines })) : [],
        decisions: isTold ? decisions : [],
        missing,
        tried: exporter.tried,
      };
    }),
  };
}

/** What the record has beyond the simulation: of the farm's own policy, not of one that happens to be close. */
function unexplainedOf(
  { because, isMeanNear, waitMeanRatio, waitMeanSeconds }: Fidelity,
  recorded: RecordedRun | undefined,
): Pick<NextSteps, "unexplained" | "isStartLatency"> {
  if (because === "closest" || isMeanNear || waitMeanRatio === null || waitMeanRatio >= 1) return {};
  const isStart = recorded !== undefined && isStartLatency(recorded.waitMeanSeconds, waitMeanSeconds);
  return { unexplained: 1 - waitMeanRatio, ...(isStart ? { isStartLatency: true } : {}) };
}

function canBeDrawn(workload: Workload): boolean {
  return wholeWeeks(workload) >= FEWEST_WEEKS && drawnUnits(workload) >= FEWEST_UNITS;
}

/** What is only assumed to have run, where that does not follow the record. */
function assumedOf(fidelity: Fidelity | undefined): Pick<NextSteps, "assumed"> {
  if (fidelity === undefined || fidelity.isNear || !isAssumed(fidelity.because)) return {};
  const { policy, nearer } = fidelity;
  return { assumed: { policy, ...(nearer === undefined ? {} : { nearer }) } };
}

/** The options of `croft export`. */
function fairShareWords(fairShare: FairShareRule | null): string {
  if (fairShare === null) return "";
  if (fairShare === "running") return " --fair-share";
  const { halfLifeSeconds, of } = fairShare;
  return ` --fair-share usage --half-life ${halfLifeSeconds}s${of === "cores" ? "" : ` --fair-share-of ${of}`}`;
}

/** Null for a policy of a plugin's, and for those that share nodes in parts. */
function resolved(name: string): ReturnType<typeof resolvePolicy> | null {
  try {
    return resolvePolicy(name);
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}
