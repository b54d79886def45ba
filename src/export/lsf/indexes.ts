import { InputError } from "../../workload/index.ts";
import type { ExportRequest } from "../exporter.ts";
import type { ExportedFamily } from "../exported-family.ts";

/** LSF's limit for names of resources. */
const MAX_RESOURCE_NAME = 39;

/** Jobs of families, of whichever. */
export const PACKED = "pkyes";
/** All other jobs. */
export const OTHERS = "pknone";
/** With a TTL: the number of the family that the node is reserved to, 0 for none. */
export const HELD_BY = "pkheld";

/** The external load index that counts a family's jobs: `pkyes` itself where there is one family. */
export function countOf(family: ExportedFamily, { families }: ExportRequest): string {
  const name = families.length === 1 ? PACKED : `${PACKED}_${family.id}`;
  if (name.length > MAX_RESOURCE_NAME)
    throw new InputError(
      `the family's name ${family.name} is too long: LSF's resource ${name} would have ${name.length} ` +
        `characters, and may have ${MAX_RESOURCE_NAME}`,
    );
  return name;
}

export interface LoadIndex {
  readonly name: string;
  readonly description: string;
}

/** Every index that the elim reports, in its order. */
export function loadIndexes(request: ExportRequest): LoadIndex[] {
  const { families, ttlSeconds } = request;
  return [
    { name: PACKED, description: "jobs of packed families" },
    { name: OTHERS, description: "jobs of no packed family" },
    ...(families.length === 1
      ? []
      : families.map((family) => ({
          name: countOf(family, request),
          description: `jobs of ${family.kind} ${family.name}`,
        }))),
    ...(ttlSeconds === null ? [] : [{ name: HELD_BY, description: "family the host is reserved to" }]),
  ];
}

/** What a job of the family requires of its host, and how it likes hosts best; empty: anything. */
export function familyRequirement(family: ExportedFamily, request: ExportRequest): Requirement {
  const { policy, families, ttlSeconds } = request;
  const count = countOf(family, request);
  const number = families.indexOf(family) + 1;
  if (policy === "none") return { select: "", order: count };
  // The index grows with load, so LSF puts the lowest first; the minus turns that round.
  const order = `-${count}`;
  if (policy === "relaxed") return { select: "", order };
  if (ttlSeconds !== null) return { select: `${HELD_BY} == 0 || ${HELD_BY} == ${number}`, order };
  return { select: families.length === 1 ? "" : `${PACKED} == ${count}`, order };
}

/** What a job of no family requires. */
export function otherRequirement({ policy, ttlSeconds }: ExportRequest): Requirement {
  if (policy !== "exclusive") return { select: "", order: "" };
  return { select: ttlSeconds === null ? `${PACKED} == 0` : `${HELD_BY} == 0`, order: "" };
}

export interface Requirement {
  readonly select: string;
  readonly order: string;
}
