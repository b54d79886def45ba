import { askedLicences } from "../../workload/licences.ts";
import { Numbered } from "./numbered.ts";
import { listed, Refusal } from "../refusal.ts";

/** What jobs have asked for of the pools' licences: how many of each, by name. */
export type LicenceRequests = Numbered<ReadonlyMap<string, number>>;

/** @param texts by number, from 1 */
export function licenceRequestsOf(texts: readonly string[]): LicenceRequests {
  return new Numbered(askedLicences, new Map(), texts);
}

interface LicensedPool {
  readonly licences?: readonly { readonly name: string; readonly count: number }[];
}

/** @throws Refusal where a list of licences cannot be read, or no pool has one of them */
export function checkLicences(text: string, pools: readonly LicensedPool[]): void {
  const known = new Set(namesIn(pools));
  for (const name of readAsked(text).keys())
    if (!known.has(name))
      throw new Refusal(422, `no pool has the licence ${JSON.stringify(name)}: ${listed([...known])}`);
}

function readAsked(text: string): ReadonlyMap<string, number> {
  try {
    return askedLicences(text);
  } catch (error) {
    throw new Refusal(422, (error as Error).message);
  }
}

function namesIn(pools: readonly LicensedPool[]): string[] {
  return pools.flatMap(({ licences = [] }) => licences.map(({ name }) => name));
}

/**
 * The farm's licences by number, and after them those that only jobs from before name: a new job asks for no others
 * than the farm's, so the numbers stay.
 */
export function licenceNames(pools: readonly LicensedPool[], requests: LicenceRequests): string[] {
  return [...new Set([...namesIn(pools), ...requests.all.flatMap((asked) => [...asked.keys()])])];
}
