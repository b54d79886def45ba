import type { NextSteps } from "./input.ts";
import type { Verdict } from "./verdict.ts";

/** What to do with a verdict, in a sentence or two. */
export function nextSentence({ policy, isThere, systems, options }: NextSteps, verdict: Verdict): string {
  if (isThere) return `${policy} is taken for what the farm does already: there is nothing to change.`;
  const names = systems.map(({ name }) => name).join("|");
  const command = `croft export ${names} --policy ${policy}${options} --out FOLDER`;
  switch (verdict.standing) {
    case "shorter":
      return `Try ${policy}: ${command} writes its settings, and what cannot be had.`;
    case "itself":
      return `Of the policies that were run ${policy} is the best: ${command} writes its settings, and what cannot be had.`;
    case "longer":
      return "Change nothing: none of the policies that were run is better than what they are held against.";
    default:
      return `Change nothing for this alone, the difference may be chance. To try ${policy} all the same: ${command}.`;
  }
}
