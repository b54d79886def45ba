import {
  schedulingExporters,
  schedulingPolicy,
  type SchedulingExporter,
  type SchedulingPolicy,
} from "../../export/index.ts";
import { resolvePolicy, type RunResult } from "../../simulation/index.ts";
import { InputError } from "../../workload/index.ts";
import { systemOf } from "./next-steps.ts";

/** Knows what a log's batch system does when told to follow a policy; other systems are presumed to do all. */
function exporterOf(format: string | undefined): SchedulingExporter | undefined {
  const system = systemOf(format);
  // Nothing is exported to HTCondor. It looks no more than Kubernetes at how long jobs run.
  const like = system === "HTCondor" ? "kubernetes" : system;
  return schedulingExporters.find(({ name }) => name === like);
}

/** Whether the batch system of such a log backfills conservatively where EASY is asked for. */
export function backfillsConservatively(format: string | undefined): boolean {
  const easy = schedulingPolicy("easy", "easy", "first-fit");
  return exporterOf(format)?.attainable(easy).policy.startsWith("conservative") === true;
}

/** Of the policies that were run, those that the log's batch system cannot do, and what it does instead. */
export function unattainable(
  format: string | undefined,
  runs: readonly RunResult[],
  hasReservations: boolean,
): Readonly<Record<string, string>> {
  const exporter = exporterOf(format);
  if (exporter === undefined) return {};
  const told: Record<string, string> = {};
  for (const name of new Set(runs.map(({ policy }) => policy))) {
    const policy = policyOf(name, hasReservations);
    const instead = policy === null ? null : exporter.attainable(policy).instead;
    if (instead !== null) told[name] = instead;
  }
  return told;
}

/** Null for a plugin's policy, and for those that share nodes in parts. */
function policyOf(name: string, hasReservations: boolean): SchedulingPolicy | null {
  try {
    const { kind, heuristic } = resolvePolicy(name);
    return schedulingPolicy(name, kind.name, heuristic.name, { hasReservations });
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}
