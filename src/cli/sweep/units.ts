import { nodePoliciesOf, resolvePolicy, type Estimates, type GivenSettings } from "../../simulation/index.ts";
import { version } from "../package.ts";
import { isFarm } from "../simulate/place.ts";
import { hashOf } from "../fingerprint.ts";
import type { Source } from "./load-log.ts";
import type { Sweep } from "./read-sweep.ts";

/** One run. It is made from this, its log's jobs and machines alone, wherever and whenever. */
export interface Unit {
  /** Of all that its result depends on: its file's name. */
  readonly hash: string;
  readonly settings: GivenSettings;
}

/** A line of the results: cells whose runs are the same share a unit. */
export interface Cell {
  readonly log: string;
  /** Null where nothing is drawn: then one run stands for all seeds. */
  readonly seed: number | null;
  readonly load: number | null;
  readonly estimates: Estimates;
  readonly policy: string;
  readonly unit: Unit;
}

/** All cells of a log, seed by seed. */
export function cellsOf(sweep: Sweep, source: Source): Cell[] {
  const { intervalSeconds, warmupSeconds, cooldownSeconds, plugin } = sweep;
  const common = {
    warmupSeconds,
    cooldownSeconds,
    ...(intervalSeconds === null ? {} : { intervalSeconds }),
  };
  return seedsOf(sweep, source).flatMap((seed) =>
    sweep.loads.flatMap((load) =>
      sweep.estimates.flatMap((estimates) =>
        sweep.policies.map((policy) => {
          const settings: GivenSettings = {
            ...common,
            policy,
            ...(load === null ? {} : { load }),
            ...(plansWithRunTimes(policy, source) ? { estimates } : {}),
            ...(seed === null ? {} : { seed }),
          };
          // In all runs: a farm, and jobs with policies of their own, may name something of the plugin too.
          const own = plugin === null ? [] : [plugin.hash];
          const hash = hashOf([version, source.hash, seed, settings, ...own]);
          return { log: source.log.name, seed, load, estimates, policy, unit: { hash, settings } };
        }),
      ),
    ),
  );
}

/** The seeds of which each makes runs of its own. */
function seedsOf({ seeds }: Sweep, source: Source): readonly (number | null)[] {
  return drawsOf(source) ? seeds : [null];
}

/** Whether random numbers are drawn: by a generator, or by the strategies and routings of a farm. */
export function drawsOf({ generator, place }: Source): boolean {
  return generator !== null || (place !== null && isFarm(place));
}

/** Whether estimates change the policy's runs. On a farm its strategies may use them too. */
function plansWithRunTimes(policy: string, { place }: Source): boolean {
  if (place !== null && isFarm(place)) return true;
  const ofNodes = nodePoliciesOf(policy);
  if (ofNodes !== undefined) return ofNodes.withoutEffect("--estimates", policy) === null;
  const { kind } = resolvePolicy(policy);
  return kind.needsEstimates && kind.plansOnPredictions !== true;
}
