import type { NextSteps } from "./input.ts";
import type { Verdict } from "./verdict.ts";

/** What to do with a verdict, in a sentence or two. */
export function nextSentence({ policy, isThere, systems, options }: NextSteps, verdict: Verdict): string {
  if (isThere) return `${policy} is taken for what the farm does already: there is nothing to change.`;
  const names = systems.map(({ name }) => name).join("|");
  const command = `croft export ${names} --policy ${policy}${options} --out FOLDER`;
  return verdict.isClear
    ? `Try ${policy}: ${command} writes its settings.`
    : `Change nothing for this alone, the difference may be chance. To try ${policy} all the same: ${command}.`;
}
