import { meets, type Rejection } from "../../core/index.ts";
import { attributesOfMachine, groupsOf, rejectionText } from "../../simulation/index.ts";
import { limitNamed } from "./accounts.ts";
import { licenceNames } from "./licence-requests.ts";
import type { PlainFarm, PlainMachine, PlainPool } from "./plain-farm.ts";
import type { Requirements } from "./requirements.ts";

interface Named {
  readonly name: string;
}

/** Pools that are named of many. */
const NAMED = 5;

/** As `rejectedText`, from what the decision engine says. */
export function rejectedBecause(
  farm: PlainFarm,
  requirements: Requirements,
  rejection: Rejection,
  asksFor: string | null,
): string {
  const why = rejectionText(rejection, {
    requirements: requirements.expressions.all,
    licences: licenceNames(farm.pools, requirements.licences),
    farm,
    limit: (excess) => limitNamed(farm, requirements, excess),
  });
  // A limit holds in all pools.
  if (rejection.pools.some(({ reason }) => reason.kind === "limit")) return why;
  const names = licenceNames(farm.pools, requirements.licences);
  const has = (pool: PlainPool, reason: IneligibleReason): boolean => {
    if (reason.kind === "licence")
      return (pool.licences ?? []).some(
        ({ name, count }) => name === names[reason.licence] && count >= reason.asked,
      );
    return kindsOf(pool).some((machine) => isAble(machine, reason, requirements));
  };
  const others = farm.pools.filter((pool) => rejection.pools.every(({ reason }) => has(pool, reason)));
  return rejectedText(farm, rejection, asksFor, why, others);
}

type IneligibleReason = Rejection["pools"][number]["reason"];

/** Whether a machine has what others lack; of some kinds of reasons nothing is known here. */
function isAble(machine: PlainMachine, reason: IneligibleReason, { expressions }: Requirements): boolean {
  switch (reason.kind) {
    case "cores":
      return machine.coresMilli >= reason.asked;
    case "memory":
      return machine.memoryMiB >= reason.asked;
    case "gpu":
      return machine.gpuMilli >= reason.asked;
    case "requirement": {
      const requirement = expressions.of(reason.requirement);
      return requirement === null || meets(requirement, attributesOfMachine(machine));
    }
    default:
      return true;
  }
}

const kinds = new WeakMap<PlainPool, readonly PlainMachine[]>();

/** A machine of each kind: a pool may have a million, and as many jobs be rejected. */
function kindsOf(pool: PlainPool): readonly PlainMachine[] {
  const known = kinds.get(pool) ?? groupsOf(pool.machines).leaders;
  kinds.set(pool, known);
  return known;
}

/**
 * Why a job is rejected: which pools were asked, and what they say.
 *
 * @param asksFor the pool, or virtual pool, that it names; null: none
 * @param able the pools that may be worth a try
 */
export function rejectedText(
  { pools, virtualPools }: { readonly pools: readonly Named[]; readonly virtualPools: readonly Named[] },
  { pools: asked }: { readonly pools: readonly { readonly pool: number }[] },
  asksFor: string | null,
  why: string,
  able = pools,
): string {
  if (asked.length === 0 || pools.length === 1) return why;
  if (asked.length === pools.length) return `no pool takes it: ${why}`;
  const names = namesOf(pools.filter((_, number) => asked.some(({ pool }) => pool === number)));
  const who = asked.length === 1 ? `pool ${names} does not take it` : `of the pools ${names} none takes it`;
  if (asksFor !== null) return `${who}: ${why}`;
  const others = pools.filter(
    (each, number) => able.includes(each) && asked.every(({ pool }) => pool !== number),
  );
  if (others.length === 0) return `${who}: ${why}; no other pool could hold it`;
  return `${who}: ${why}; jobs that name no pool go to ${virtualPools[0]!.name}, and --pool sends them elsewhere: ${namesOf(others)}`;
}

function namesOf(pools: readonly Named[]): string {
  const more = pools.length > NAMED ? ` and ${pools.length - NAMED} more` : "";
  return (
    pools
      .slice(0, NAMED)
      .map(({ name }) => name)
      .join(", ") + more
  );
}
