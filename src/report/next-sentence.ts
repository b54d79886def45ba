import type { NearestBecause } from "../simulation/recorded/fidelity.ts";
import type { NextSteps } from "./input.ts";
import { listText } from "./list-text.ts";
import { formatPercent } from "./numbers.ts";
import type { Verdict } from "./verdict.ts";

/** How it is known that the farm uses a policy already. */
function thereText(policy: string, because: NearestBecause): string {
  switch (because) {
    case "named":
      return `${policy} is what you named as yours`;
    case "ran":
      return `${policy} is what ran`;
    case "farm":
      return `${policy} is what the farm file has`;
    case "closest":
      return `${policy} is nearest to what the farm does`;
    case "usual":
    case "presumed":
      return `${policy} is assumed to be what the farm does already`;
  }
}

/** Whether no batch system would do the policy; where the farm's own is known the best policy is one that it does. */
export function isNowhere(systems: NextSteps["systems"]): boolean {
  return systems.length > 0 && systems.every(({ instead }) => instead !== undefined);
}

/**
 * `slurm and pbs do easy, lsf conservative`.
 *
 * @param present what the policies are compared with: a system that does it in place of the best changes nothing
 */
function insteadText(systems: NextSteps["systems"], present: string): string {
  const policies = [...new Set(systems.map(({ instead }) => instead!))];
  return policies
    .map((policy, at) => {
      const names = systems.filter(({ instead }) => instead === policy).map(({ name }) => name);
      const same = policy === present ? " (no change)" : "";
      return `${listText(names)} ${at > 0 ? "" : names.length === 1 ? "does " : "do "}${policy}${same}`;
    })
    .join(", ");
}

/** Where to look if the policy is not what jobs wait for. */
function elsewhere({ unexplained, isStartLatency }: NextSteps): string {
  if (unexplained === undefined) return "";
  if (isStartLatency === true)
    return " In the simulation hardly any job waits: look at how long the farm takes to start one (its cycle, prologs, nodes that boot).";
  return ` Look elsewhere: ${formatPercent(unexplained)} of the recorded wait does not come of it in the simulation. Limits of users and queues, reservations, priorities, machines that were down and the time that a start takes are the usual reasons.`;
}

/** Where what ran is not known, so that nothing follows from a comparison with it. */
function findOut({ policy, nearer }: NonNullable<NextSteps["assumed"]>): string {
  return nearer === undefined
    ? `Find out what the farm runs, and name it (--baseline POLICY): ${policy} is assumed, and does not follow the record.`
    : `If the farm runs ${nearer}, which follows the record, say so (--baseline ${nearer}): what is compared here is ${policy}, which is assumed and does not.`;
}

/** What has to be done before the policy can do what it does in the simulation; empty: nothing. */
function limitsFirst(share: number | undefined): string {
  if (share === undefined) return "";
  const jobs = share === 1 ? "no job has one" : `${formatPercent(share)} of them have none`;
  return `Give jobs limits of their run time first: ${jobs} in the log, and such hardly pass others. `;
}

/** What to do with a verdict, in a sentence or two. */
export function nextSentence(next: NextSteps, verdict: Verdict): string {
  const { policy, there, assumed, isPlugins, own, systems, options } = next;
  if (there !== null) {
    const busyQueue = verdict.busyQueue === "" ? "" : ` ${verdict.busyQueue}`;
    const same = `${thereText(policy, there)}: there is no policy to change.`;
    return `${same}${assumed === undefined ? "" : " If another runs, name it (--baseline POLICY)."}${elsewhere(next)}${busyQueue}`;
  }
  if (isPlugins === true)
    return `${policy} is a plugin's: its program decides, and no batch system runs that, so there are no settings of it.`;
  const able = systems.filter(({ instead }) => instead === undefined);
  const names = able.map(({ name }) => name).join("|");
  const command = `croft export ${names} --policy ${policy}${options} --out FOLDER`;
  const isByHand = systems.length === 0;
  const first = limitsFirst(next.withoutLimits);
  const byHand = `Croft writes no settings of it for ${own}`;
  switch (verdict.standing) {
    case "shorter":
      if (isNowhere(systems))
        return `${own === undefined ? "No batch system that settings are written for does" : `${own} does not do`} ${policy}. In its place ${insteadText(systems, verdict.reference.policy)}: run these, too, and change nothing where they gain nothing.`;
      if (isByHand) return `Try ${policy}. ${byHand}.`;
      return `${first}${first === "" ? "Try" : "Then try"} ${policy}: ${command} writes its settings, and says what is not supported.`;
    case "itself":
      if (isByHand) return `Of the policies that were run ${policy} is the best. ${byHand}.`;
      return `${first}Of the policies that were run ${policy} is the best: ${command} writes its settings, and says what is not supported.`;
    case "nothing to win":
      return "Change nothing: hardly any job waits.";
    case "longer":
      if (assumed !== undefined) return findOut(assumed);
      return "Change nothing: no policy that was run is better than the baseline.";
    default:
      if (assumed !== undefined) return findOut(assumed);
      return `${
        verdict.standing === "no clear difference"
          ? "Change nothing for this alone, the difference may be chance."
          : `One log does not tell whether that is more than chance: ${next.canResample === true ? "--resample 20 draws others from it and simulates them, which does; or " : ""}try it on a longer one, or on other months.`
      } ${isByHand ? `${byHand}.` : isNowhere(systems) ? `Nor does ${own ?? "any batch system that settings are written for"} do ${policy}.` : `To try ${policy} all the same: ${command}.`}`;
  }
}
