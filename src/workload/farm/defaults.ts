/** The defaults of a farm file. The names of rules are those of the core's registries. */
export const farmDefaults = {
  // The first eligible machine that is free (Zhang 2010, section 2.1).
  policy: "first-fit",
  // Zhang 2010, section 2.1.
  routing: "round-robin",
  victim: "lowest-priority",
  strategy: "NoRes",
  // Slurm's PriorityDecayHalfLife.
  halfLifeSeconds: 7 * 86_400,
  // Zhang 2010, section 3.3.
  waitThresholdSeconds: 1800,
  // Zhang 2010, section 3.1: states are sampled each minute.
  checkSeconds: 60,
} as const;
