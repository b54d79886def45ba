import { generatorDefaults, type GeneratorSettings } from "../../instances/index.ts";

/** Which instances a study makes: some of every combination of the lists. */
export interface Sweep {
  readonly hosts: readonly number[];
  readonly services: readonly number[];
  readonly dimensions: readonly number[];
  /** Of the rigid resources: what is left of them when all requirements are met. */
  readonly slack: readonly number[];
  /** Coefficients of variation of needs and requirements. */
  readonly variation: readonly number[];
  /** Shares of services with a minimum yield of 0.5. */
  readonly constrained: readonly number[];
  readonly shape: GeneratorSettings["shape"];
  /** Of each combination. */
  readonly instances: number;
  readonly seed: number;
}

/** A service needs half a host on average, as on the slides: the total need follows from the number of services. */
const NEED_MEAN = 0.5;

/** The settings of every instance, in order; each has a seed of its own. */
export function settingsOf(sweep: Sweep): GeneratorSettings[] {
  const settings: GeneratorSettings[] = [];
  for (const hosts of sweep.hosts)
    for (const services of sweep.services)
      for (const dimensions of sweep.dimensions)
        for (const slack of sweep.slack)
          for (const needVariation of sweep.variation)
            for (const constrained of sweep.constrained)
              for (let i = 0; i < sweep.instances; i++)
                settings.push({
                  ...generatorDefaults,
                  hosts,
                  services,
                  dimensions,
                  slack,
                  needVariation,
                  constrained,
                  shape: sweep.shape,
                  ...(sweep.shape === "equal" ? { load: (NEED_MEAN * services) / hosts } : {}),
                  seed: sweep.seed * SEEDS_APART + settings.length,
                });
  return settings;
}

/** So that studies of neighbouring seeds share no instance. */
const SEEDS_APART = 1_000_003;
