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
  readonly limit: (excess: LimitExcess) => Pick<AppliedLimit, "of" | "name">;
}

/** Why no pool takes a job, in words; the same for jobs that ask for the same. */
export function rejectionText({ pools }: Rejection, { requirements, licences, limit }: RequestNames): string {
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
  return different.length === 1 ? different[0] : `in each of its pools: ${different.join("; ")}`;
}
