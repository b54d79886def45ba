import type { NextSteps } from "./input.ts";
import type { Verdict } from "./verdict.ts";

/** What to do with a verdict, in a sentence or two. */
export function nextSentence(
  { policy, isThere, isPlugins, own, systems, options }: NextSteps,
  verdict: Verdict,
): string {
  if (isThere) return `${policy} is assumed to be what the farm does already: there is nothing to change.`;
  if (isPlugins === true)
    return `${policy} is a plugin's: its program decides, and no batch system runs that, so there are no settings of it.`;
  const names = systems.map(({ name }) => name).join("|");
  const command = `croft export ${names} --policy ${policy}${options} --out FOLDER`;
  const isByHand = systems.length === 0;
  const byHand = `Croft writes no settings of it for ${own}`;
  switch (verdict.standing) {
    case "shorter":
      if (isByHand) return `Try ${policy}. ${byHand}.`;
      return `Try ${policy}: ${command} writes its settings, and says what is not supported.`;
    case "itself":
      if (isByHand) return `Of the policies that were run ${policy} is the best. ${byHand}.`;
      return `Of the policies that were run ${policy} is the best: ${command} writes its settings, and says what is not supported.`;
    case "nothing to win":
      return "Change nothing: hardly any job waits.";
    case "longer":
      return "Change nothing: no policy that was run is better than the baseline.";
    default:
      if (isByHand) return `Change nothing for this alone, the difference may be chance. ${byHand}.`;
      return `Change nothing for this alone, the difference may be chance. To try ${policy} all the same: ${command}.`;
  }
}
