/**
 * The parameters of the instances to make. The first half of the dimensions, rounded up, are fluid (needs only, such as
 * cores), the others rigid (requirements only, such as memory).
 */
export interface GeneratorSettings {
  readonly hosts: number;
  readonly services: number;
  readonly dimensions: number;
  /** The part of the rigid dimensions that is left when all requirements are met; 0 to below 1. */
  readonly slack: number;
  /** Needs ÷ capacity in the fluid dimensions, before a service's need is cut to what one host can give. */
  readonly load: number;
  /** Coefficient of variation of requirements and needs before they are cut to between 2 % and 200 % of their mean. */
  readonly needVariation: number;
  /** `equal`: capacity 1 in every dimension. `varied`: capacities differ by `hostVariation`. `cores`: see `generate-hosts.ts`. */
  readonly shape: "equal" | "varied" | "cores";
  /** Coefficient of variation of the capacities where hosts are `varied`. */
  readonly hostVariation: number;
  /** The part of the services that have a minimum yield; 0 to 1. */
  readonly constrained: number;
  /** Their minimum yield, folded in: requirements `r + ŷ n`, needs `(1 − ŷ) n`; 0 to below 1. */
  readonly minYield: number;
  readonly seed: number;
}
