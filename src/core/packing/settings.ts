/** The packing policies of Dal Pra 2014, section 2. A packed job belongs to a family; the others are ordinary. */
export const packingPolicies = ["relaxed", "exclusive", "none"] as const;

export type PackingPolicy = (typeof packingPolicies)[number];

/**
 * - `relaxed`: a family's jobs prefer machines on which jobs of the family run.
 * - `exclusive`: as `relaxed`, and those machines are reserved for the family.
 * - `none`: a family's jobs prefer machines on which no job of the family runs (spreading).
 */
export interface PackingSettings {
  readonly policy: PackingPolicy;
  /** The number of families, which count from 1. A job of family 0 is ordinary. */
  readonly families: number;
  /**
   * The time to live of a reservation: a machine that no new packed job has reached for this long is open to all again.
   * 0: machines are never reserved, as with `relaxed`. Infinity: they are reserved as long as jobs of the family run there.
   * Only `exclusive` uses it.
   */
  readonly ttlSeconds: number;
}

/** The largest number of families, since each has its own indexes. */
export const maxFamilies = 16;
