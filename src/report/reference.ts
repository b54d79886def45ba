import type { Fidelity, NearestBecause } from "../simulation/recorded/fidelity.ts";
import type { RecordedRun } from "../simulation/recorded/recorded-run.ts";
import type { RunResult } from "../simulation/result.ts";
import type { PolicyRun } from "./runs.ts";

/** The name of the record among policies. */
export const AS_IT_WAS = "as it was";

/** What the policies are compared with. */
export interface Reference {
  /**
   * The `record`, where the simulation of the site's own policy follows it; that policy simulated (`own`), where it does
   * not; the policy that the reader `named`; or just the `first`.
   */
  readonly kind: "record" | "own" | "named" | "first";
  /** A policy, or `as it was`. */
  readonly policy: string;
  readonly run: Pick<RunResult, "waitMeanSeconds" | "waitMaxSeconds" | "days" | "waitsBy"> &
    Partial<Pick<RunResult, "beta" | "started" | "intervalSeconds">>;
}

/**
 * The reference for a policy that is the site's own: itself, simulated. What its simulation differs by from the record is
 * no gain.
 */
export function ofOwnPolicy(reference: Reference, policy: string, fidelity: Fidelity | undefined): Reference {
  return reference.kind === "record" && fidelity?.policy === policy
    ? { kind: "own", policy, run: fidelity }
    : reference;
}

/**
 * @param base the policy that the others are held against where nothing was recorded
 * @param isOwn whether the reader named it as theirs
 * @param recorded what was recorded at this load; null where nothing was
 */
export function referenceOf(
  base: PolicyRun,
  isOwn: boolean,
  recorded: RecordedRun | null,
  fidelity: Fidelity | undefined,
): Reference {
  if (isOwn) return { kind: "named", ...base };
  if (recorded === null) return { kind: "first", ...base };
  return fidelity === undefined || isFollowed(fidelity)
    ? { kind: "record", policy: AS_IT_WAS, run: recorded }
    : { kind: "own", policy: fidelity.policy, run: fidelity };
}

/** Whether simulated waits can be held against the record. A policy that only happens to be close says nothing. */
export function isFollowed({ isNear, because }: Fidelity): boolean {
  return isNear && because !== "closest";
}

/** Whether the record contradicts that the farm waits as the reference does: a policy, simulated, that does not come near. */
export function isContradicted({ kind, policy }: Reference, fidelity: Fidelity | undefined): boolean {
  if (fidelity === undefined || fidelity.isNear || kind === "record") return false;
  return kind !== "first" || policy === fidelity.policy;
}

export function nearestText(because: NearestBecause): string {
  switch (because) {
    case "named":
      return "the policy that you named as yours";
    case "usual":
      return "near to the batch system's default";
    case "presumed":
      return "assumed to be the farm's own policy";
    case "ran":
      return "the policy that ran";
    case "closest":
      return "the one that comes nearest to the record";
    case "farm":
      return "as the farm file has it";
  }
}
