import { victimRules, type Routing, type Strategy, type VictimRule } from "../../core/index.ts";
import { InputError, nearest } from "../../workload/index.ts";
import { registry } from "../settings/plugin.ts";

/** The rules of a farm by the names that people type. Each throws an InputError that tells the nearest names. */

export function knownStrategy(name: string): Strategy {
  return known("rescheduling strategy", name, registry.strategies);
}

export function knownRouting(name: string): Routing {
  return known("routing", name, registry.routings);
}

export function knownVictimRule(name: string): VictimRule {
  return known("rule for whom to suspend", name, victimRules);
}

function known<T extends { readonly name: string }>(what: string, name: string, all: readonly T[]): T {
  // It may come from a program, whatever its type says.
  if (typeof name !== "string") throw new InputError(`a ${what} is given by its name`);
  const found = all.find((each) => each.name === name);
  if (found !== undefined) return found;
  const near = nearest(
    name,
    all.map((each) => each.name),
  );
  throw new InputError(`unknown ${what} "${name}"; did you mean ${near.join(", ")}?`);
}
