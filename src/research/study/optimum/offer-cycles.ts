import type { NamedPolicy, Policy, PolicyContext, PolicyKind } from "../../../core/index.ts";
import { Plan } from "../../../core/pool/plan.ts";
import { InputError } from "../../../workload/index.ts";
import { takeSnapshot, type Snapshot } from "./snapshot.ts";

/** What a contestant did with the jobs and machines of a cycle. */
export interface Try {
  readonly jobs: number;
  readonly seconds: number;
}

/** A cycle that was put to the contestants. */
export interface OfferedCycle {
  /** Of the run's clock. */
  readonly nowSeconds: number;
  readonly waitingJobs: number;
  readonly snapshot: Snapshot;
  /** By contestant: with the pool's reservations, and with none. */
  readonly reserved: readonly Try[];
  readonly unreserved: readonly Try[];
}

/** The cycles of a run, and those of them that were put to the contestants. */
interface OfferedCycles {
  /** Cycles with jobs waiting. */
  cycles: number;
  /** Those of them in which the run's policy left jobs waiting. */
  contested: number;
  /** Of every so many contested cycles one is kept. */
  stride: number;
  kept: OfferedCycle[];
}

/**
 * A policy that decides as another does, and puts some of its cycles to contestants first: the same jobs and the same
 * machines to each, as they are in the run of the one policy. Nothing that a contestant does remains.
 *
 * Only cycles in which the policy leaves jobs waiting are kept, evenly over the run: whenever there are twice as many
 * as wanted, every second one is dropped, and from then on every second one is left out.
 *
 * @throws InputError where a contestant keeps records of jobs: it would have to see the whole run
 */
export function offeringCycles(
  runs: NamedPolicy,
  contestants: readonly NamedPolicy[],
  wanted: number,
): { readonly kind: PolicyKind; readonly offered: OfferedCycles } {
  const offered: OfferedCycles = { cycles: 0, contested: 0, stride: 1, kept: [] };
  const all = [runs, ...contestants].map(({ kind }) => kind);
  const kind: PolicyKind = {
    name: runs.name,
    summary: runs.kind.summary,
    takesHeuristic: false,
    needsEstimates: runs.kind.needsEstimates,
    plansOnPredictions: runs.kind.plansOnPredictions === true,
    reactsToEvents: runs.kind.reactsToEvents,
    needsMemory: all.some(({ needsMemory }) => needsMemory),
    create(context) {
      const policy = runs.kind.create(context, runs.heuristic);
      const tries = triesOf(context, contestants);
      return {
        ...eventsOf(policy),
        cycle(now, plan) {
          policy.cycle(now, plan);
          const waitingJobs = context.queue.length;
          if (waitingJobs > 0) offered.cycles++;
          if (waitingJobs === plan.jobCount) return;
          if (offered.contested++ % offered.stride !== 0) return;
          const { length, jobCount } = plan;
          context.placer.undo(plan);
          offered.kept.push({
            nowSeconds: now,
            waitingJobs,
            snapshot: takeSnapshot(context),
            ...tries(now, offered.kept.length),
          });
          context.placer.redo(plan, length);
          plan.jobCount = jobCount;
          if (offered.kept.length >= 2 * wanted) thinOut(offered);
        },
      };
    },
  };
  return { kind, offered };
}

function thinOut(offered: OfferedCycles): void {
  offered.stride *= 2;
  offered.kept = offered.kept.filter((_, i) => i % 2 === 0);
}

type Tries = (now: number, turn: number) => Pick<OfferedCycle, "reserved" | "unreserved">;

function triesOf(context: PolicyContext, contestants: readonly NamedPolicy[]): Tries {
  const without = { ...context, limits: { ...context.limits, reserving: 0 } };
  const policies = [context, without].flatMap((own) =>
    contestants.map(({ name, kind, heuristic }) => {
      const policy = kind.create(own, heuristic);
      refuseRecords(name, policy);
      return policy;
    }),
  );
  const plan = new Plan();
  return (now, turn) => {
    const results: Try[] = [];
    // Each begins in turn: the first finds the indexes out of date and the caches cold.
    for (let i = 0; i < policies.length; i++) {
      const which = (turn + i) % policies.length;
      plan.clear();
      const startedAt = performance.now();
      policies[which]!.cycle(now, plan);
      const seconds = (performance.now() - startedAt) / 1000;
      results[which] = { jobs: plan.jobCount, seconds };
      context.placer.undo(plan);
    }
    return {
      reserved: results.slice(0, contestants.length),
      unreserved: results.slice(contestants.length),
    };
  };
}

/** What the engine tells a policy, passed on. */
function eventsOf(policy: Policy): Omit<Policy, "cycle" | "winners"> {
  return {
    waits: (job) => policy.waits?.(job),
    leaves: (job) => policy.leaves?.(job),
    finished: (job) => policy.finished?.(job),
    joined: (job, now, how) => policy.joined?.(job, now, how),
  };
}

function refuseRecords(name: string, policy: Policy): void {
  const hooks = ["waits", "leaves", "finished", "joined"] as const;
  if (hooks.every((hook) => policy[hook] === undefined)) return;
  throw new InputError(
    `policy "${name}" keeps records of jobs over the whole run, so it cannot be asked for single cycles of another's: leave it out`,
  );
}
