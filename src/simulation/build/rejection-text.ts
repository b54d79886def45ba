import {
  excessText,
  ineligibleText,
  type LimitExcess,
  type Rejection,
  type Requirement,
} from "../../core/index.ts";
import { limitText, type AppliedLimit } from "./limits.ts";

/** What the numbers in a request stand for. */
interface RequestNames {
  readonly requirements: readonly (Requirement | null)[];
  readonly licences: readonly string[];
  readonly farm: { readonly pools: readonly { readonly name: string }[] };
  readonly limit: (excess: LimitExcess) => Pick<AppliedLimit, "of" | "name">;
}

/** Pools that are named of many. */
const NAMED = 5;

/** Why no pool takes a job, in words; the same for jobs that ask for the same. */
export function rejectionText(
  { pools }: Rejection,
  { requirements, licences, farm, limit }: RequestNames,
): string {
  if (pools.length === 0) return "its virtual pool is connected to none of the pools that it names";
  const texts = pools.map(({ reason }) => {
    if (reason.kind === "requirement") return `no machine meets ${requirements[reason.requirement]!.text}`;
    if (reason.kind === "limit") {
      const { asked, most } = excessText(reason.excess);
      return `asks for ${asked}, above ${limitText(limit(reason.excess))} of ${most}`;
    }
    if (reason.kind !== "licence") return ineligibleText(reason);
    const { licence, asked, held } = reason;
    return `asks for ${asked} of the licence ${licences[licence]}; the pool has ${held === 0 ? "none" : held}`;
  });
  const different = [...new Set(texts)];
  if (different.length === 1) return different[0];
  const told = different.map((text) => {
    const names = pools.filter((_, at) => texts[at] === text).map(({ pool }) => farm.pools[pool].name);
    const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
    return `in ${names.slice(0, NAMED).join(", ")}${more}: ${text}`;
  });
  return told.join(", and ");
}
