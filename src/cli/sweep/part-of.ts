import { formatCount, type SweepInput } from "../../report/index.ts";
import type { LogSpec } from "./read-sweep.ts";

/** Which jobs of a log are taken, in words; nothing where all are. */
export function partOf(
  spec: Pick<LogSpec, "from" | "until" | "jobs"> & { readonly generate?: unknown },
): Pick<SweepInput["logs"][number], "part"> {
  const { from, until, jobs } = spec;
  const first = spec.generate === undefined ? "the first " : "";
  const told = [
    ...(jobs === null ? [] : [`${first}${formatCount(jobs)} jobs`]),
    ...(from === null ? [] : [`from ${from}`]),
    ...(until === null ? [] : [`until ${until}`]),
  ];
  return told.length === 0 ? {} : { part: told.join(" ") };
}
