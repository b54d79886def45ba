import { defaultSettings, printedPolicyName, resolvePolicy, type Estimates } from "../../simulation/index.ts";
import type { Farm } from "../../workload/index.ts";
import { CARRIED_SECONDS, outagesOn, type History } from "../../whatif/index.ts";
import type { PlannedRun } from "../simulate/runs.ts";

/** What is tried. */
export interface Tried {
  readonly policy?: readonly string[];
  readonly strategy?: readonly string[];
  readonly routing?: string;
  readonly maxJobs?: readonly string[];
  readonly estimates?: Estimates;
  readonly seed?: number;
  readonly load?: readonly number[];
}

/**
 * The farm as it is, and then each policy with each strategy on the farm to try.
 *
 * @param other null: on the same farm
 */
export function planWhatIf(tried: Tried, history: History, other: Farm | null): PlannedRun[] {
  const { farm, counts } = history;
  const common = {
    ...defaultSettings,
    ...(counts.carried > 0 ? { warmupSeconds: CARRIED_SECONDS } : {}),
    ...(tried.seed === undefined ? {} : { seed: tried.seed }),
  };
  const on = other ?? farm;
  const own: PlannedRun = {
    settings: { ...common, failures: outagesOn(farm, history) },
    labels: other === null ? {} : { policy: policyOf(farm) },
    policy: "",
    name: `as it is (${policyOf(farm)})`,
  };
  const policies = (tried.policy ?? []).map(printedPolicyName);
  const changed = tried.routing !== undefined || tried.maxJobs !== undefined || tried.estimates !== undefined;
  const strategies = tried.strategy ?? [null];
  const ownPolicies: readonly (string | null)[] = policies.length > 0 ? policies : [null];
  const isOwn = (policy: string | null, strategy: string | null): boolean =>
    other === null && !changed && strategy === null && (policy === null || policy === policyOf(farm));
  const runs = ownPolicies.flatMap((policy) =>
    strategies.flatMap((strategy): PlannedRun[] => {
      if (isOwn(policy, strategy)) return [];
      const words = [policy ?? policyOf(on), ...(strategy === null ? [] : [strategy])].join(", ");
      const name =
        other === null
          ? strategy === null && !changed
            ? undefined
            : changedName(words, changed)
          : `${words}, new`;
      return [
        {
          settings: {
            ...common,
            policy,
            strategy,
            failures: outagesOn(on, history),
            ...(tried.routing === undefined ? {} : { routing: tried.routing }),
            ...(tried.maxJobs === undefined ? {} : { maxJobsList: tried.maxJobs }),
            ...(tried.estimates === undefined ? {} : { estimates: tried.estimates }),
          },
          labels: { policy: name ?? words },
          policy: policy ?? "",
          ...(other === null ? {} : { on: other }),
          ...(name === undefined ? {} : { name }),
        },
      ];
    }),
  );
  if (tried.load === undefined) return [own, ...runs];
  return tried.load.flatMap((load) =>
    [own, ...runs].map((run) => ({
      ...run,
      settings: { ...run.settings, load },
      labels: { ...run.labels, load },
    })),
  );
}

function changedName(words: string, isChanged: boolean): string {
  return isChanged ? `${words}, changed` : words;
}

function policyOf({ pools }: Farm): string {
  return [...new Set(pools.map(({ policy, maxJobsList }) => resolvePolicy(policy, maxJobsList).name))].join(
    ", ",
  );
}
