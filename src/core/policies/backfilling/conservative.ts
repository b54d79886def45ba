import type { PolicyKind } from "../../pool/policy.ts";
import { KeptPromises } from "./kept-promises.ts";

/**
 * Conservative backfilling (Mu'alem and Feitelson 2001): every waiting job is promised the earliest time at which it
 * fits beside the promises before it, and a machine for each of its tasks. No job starts later than it was promised at
 * its submission, unless machines fail or jobs run for longer than estimated.
 */
export const conservative: PolicyKind = {
  name: "conservative",
  summary: "conservative backfilling: later jobs may pass as long as no waiting job is delayed",
  takesHeuristic: true,
  needsEstimates: true,
  needsMemory: false,
  reactsToEvents: true,
  heedsLimits: false,
  heedsLicences: true,
  create: (context, heuristic) => new KeptPromises(context, heuristic, Infinity),
};
