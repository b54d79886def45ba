import type { NextSteps } from "./input.ts";
import type { Verdict } from "./verdict.ts";

/** What to do with a verdict, in a sentence or two. */
export function nextSentence({ policy, isThere, systems }: NextSteps, verdict: Verdict): string {
  if (isThere) return `${policy} is taken for what the farm does already: there is nothing to change.`;
  const [first] = systems;
  const how = first === undefined ? "" : ` ${first.command} writes its settings.`;
  const others = systems.length > 1 ? " (Or another batch system, in place of the first.)" : "";
  return verdict.isClear
    ? `Try ${policy}.${how}${others}`
    : `Change nothing for this alone: the difference may be chance. To try ${policy} all the same:${how}${others}`;
}
