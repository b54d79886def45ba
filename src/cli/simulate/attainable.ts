import { schedulingPolicy, type Passing } from "../../export/index.ts";
import { resolvePolicy, type RunResult } from "../../simulation/index.ts";
import { InputError } from "../../workload/index.ts";

/** What a batch system does in place of policies that it cannot do, a sentence each. */
interface Limits {
  readonly title: string;
  readonly instead: Partial<Readonly<Record<Passing, string>>>;
}

const byPriority = "it backfills in the order of the queue, not the shortest first.";
const notEasy = "it reserves for every waiting parallel job, which is nearer to conservative.";
const noLimits = "it does not look at how long jobs run: jobs that fit pass those that do not.";

/** By the format of the log. Other systems are not known, and can do anything. */
const limits: Readonly<Record<string, Limits>> = Object.fromEntries(
  [
    { formats: ["slurm", "slurm-json"], title: "Slurm", instead: { "easy-sjbf": byPriority } },
    { formats: ["pbs"], title: "PBS", instead: { "easy-sjbf": byPriority } },
    { formats: ["grid-engine", "qacct"], title: "Grid Engine", instead: { "easy-sjbf": byPriority } },
    {
      formats: ["lsf"],
      title: "LSF",
      instead: {
        none: "it passes over a job that does not fit.",
        easy: notEasy,
        "easy-sjbf": notEasy,
        backfill: notEasy,
      },
    },
    ...[
      { formats: ["kubernetes"], title: "Kubernetes" },
      { formats: ["htcondor", "htcondor-json"], title: "HTCondor" },
    ].map((system) => ({
      ...system,
      instead: {
        easy: noLimits,
        "easy-sjbf": noLimits,
        backfill: noLimits,
        conservative: noLimits,
        kept: noLimits,
      },
    })),
  ].flatMap(({ formats, ...system }) => formats.map((format) => [format, system])),
);

/** Whether the batch system of such a log backfills conservatively where EASY is asked for. */
export function backfillsConservatively(format: string | undefined): boolean {
  return limits[format ?? ""]?.instead.easy === notEasy;
}

/** Of the policies that were run, those that the log's batch system cannot do, and what it does instead. */
export function unattainable(
  format: string | undefined,
  runs: readonly RunResult[],
  hasReservations: boolean,
): Readonly<Record<string, string>> {
  const system = limits[format ?? ""];
  if (system === undefined) return {};
  const told: Record<string, string> = {};
  for (const name of new Set(runs.map(({ policy }) => policy))) {
    const rule = ruleOf(name, hasReservations);
    if (rule === null) continue;
    const { passing, beyond } = rule;
    const instead = beyond === null ? system.instead[passing] : `it does not do this: ${beyond}.`;
    if (instead !== undefined) told[name] = `${system.title}: ${instead}`;
  }
  return told;
}

/** Null for a plugin's policy, and for those that share nodes in parts. */
function ruleOf(
  name: string,
  hasReservations: boolean,
): Pick<ReturnType<typeof schedulingPolicy>, "passing" | "beyond"> | null {
  try {
    const { kind, heuristic } = resolvePolicy(name);
    return schedulingPolicy(name, kind.name, heuristic.name, { hasReservations });
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}
