import { ineligibleText, type Rejection, type Requirement } from "../../core/index.ts";

/** Why no pool takes a job, in words; the same for jobs that ask for the same. */
export function rejectionText({ pools }: Rejection, requirements: readonly (Requirement | null)[]): string {
  if (pools.length === 0) return "its virtual pool is connected to none of the pools that it names";
  const texts = pools.map(({ reason }) =>
    reason.kind === "requirement"
      ? `no machine meets ${requirements[reason.requirement]!.text}`
      : ineligibleText(reason),
  );
  const different = [...new Set(texts)];
  return different.length === 1 ? different[0] : `in each of its pools: ${different.join("; ")}`;
}
