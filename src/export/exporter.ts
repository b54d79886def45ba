import { InputError } from "../workload/index.ts";
import type { ExportedFamily, FamilyKind } from "./exported-family.ts";

/** Where jobs of a family go, and whether other jobs are kept off their nodes: see the table in docs/export.md. */
export const packingPolicies = ["relaxed", "exclusive", "none"] as const;
export type PackingPolicy = (typeof packingPolicies)[number];

export interface ExportRequest {
  readonly policy: PackingPolicy;
  /** At least one; a job belongs to the first that it fits. */
  readonly families: readonly ExportedFamily[];
  /** After so long without a new job of its family a reserved node is free to all. Null: never. */
  readonly ttlSeconds: number | null;
}

export interface ExportedFile {
  /** Its name in the folder. */
  readonly name: string;
  readonly text: string;
  readonly isExecutable: boolean;
}

/** Writes a packing policy in the language of one batch system. */
export interface Exporter {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** The kinds of families that it can recognise. */
  readonly kinds: readonly FamilyKind[];
  /** Whether a node can be made to declare itself free again. */
  readonly takesTtl: boolean;
  /** What was tried, and what was not. */
  readonly tried: string;
  /** @throws {InputError} where the system has no such thing as what is asked for. */
  files(request: ExportRequest): ExportedFile[];
}

/**
 * Simplifies the policy: a node whose reservation ends at once is not reserved, so exclusive with a TTL of 0 is
 * relaxed.
 *
 * @throws {InputError} for a TTL where nothing is reserved, or where the system knows none, and for
 * families that it cannot tell apart
 */
export function effective(request: ExportRequest, exporter: Exporter): ExportRequest {
  for (const { kind, name } of request.families)
    if (!exporter.kinds.includes(kind))
      throw new InputError(
        `${exporter.title} does not tell jobs apart by ${kind}, so ${kind}=${name} cannot be exported: ` +
          `name a ${exporter.kinds.join(", a ")}`,
      );
  if (request.ttlSeconds === null) return request;
  if (request.policy !== "exclusive")
    throw new InputError(`a TTL goes with the policy exclusive: under ${request.policy} no node is reserved`);
  if (request.ttlSeconds === 0) return { ...request, policy: "relaxed", ttlSeconds: null };
  // The scripts count in whole seconds, as the shell does.
  if (!Number.isSafeInteger(request.ttlSeconds))
    throw new InputError(`a TTL of ${request.ttlSeconds} s cannot be exported: give whole seconds`);
  if (!exporter.takesTtl)
    throw new InputError(
      `${exporter.title} has no means to free a reserved node after a while: leave the TTL out ` +
        "(docs/export.md says what happens instead)",
    );
  return request;
}
