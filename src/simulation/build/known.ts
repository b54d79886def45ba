import {
  findRouting,
  findStrategy,
  findVictimRule,
  routings,
  strategies,
  victimRules,
  type Routing,
  type Strategy,
  type VictimRule,
} from "../../core/index.ts";
import { InputError, nearest } from "../../workload/index.ts";

/** The rules of a farm by the names that people type. Each throws an InputError that tells the nearest names. */

export function knownStrategy(name: string): Strategy {
  return known("rescheduling strategy", name, findStrategy(name), strategies);
}

export function knownRouting(name: string): Routing {
  return known("routing", name, findRouting(name), routings);
}

export function knownVictimRule(name: string): VictimRule {
  return known("rule for whom to suspend", name, findVictimRule(name), victimRules);
}

function known<T>(
  what: string,
  name: string,
  found: T | undefined,
  all: readonly { readonly name: string }[],
): T {
  if (found !== undefined) return found;
  const near = nearest(
    name,
    all.map((each) => each.name),
  );
  throw new InputError(`unknown ${what} "${name}"; did you mean ${near.join(", ")}?`);
}
