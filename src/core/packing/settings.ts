/** The packing policies of Dal Pra 2014, section 2. A packed job is one of a family; the others are ordinary. */
export const packingPolicies = ["relaxed", "exclusive", "none"] as const;

export type PackingPolicy = (typeof packingPolicies)[number];

/**
 * - `relaxed`: a family's jobs prefer machines on which jobs of the family run.
 * - `exclusive`: so they do, and those machines are reserved to the family.
 * - `none`: a family's jobs prefer machines on which none of the family runs (spreading).
 */
export interface PackingSettings {
  readonly policy: PackingPolicy;
  /** Families, numbered from 1; a job of family 0 is ordinary. */
  readonly families: number;
  /**
   * A reserved machine that no new packed job has reached for so long is free to
   * all again. 0: never reserved, which is `relaxed`; Infinity: for as long as
   * jobs of the family run there. Only `exclusive` asks.
   */
  readonly ttlSeconds: number;
}

/** Families at most: each has indexes of its own. */
export const maxFamilies = 16;
