import { kubernetesFactors } from "../../kubernetes-factors.ts";

/** The number of a quantity such as `500m`, `4Gi`, `129e6` or `2`; NaN if it is not one. */
export function quantity(value: unknown): number {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return Number.NaN;
  if (/^\d+(\.\d*)?e[+-]?\d+$/i.test(value)) return Number(value);
  const [, amount, unit = ""] = /^(\d+(?:\.\d*)?|\.\d+)([numkMGTPE]?i?)$/.exec(value) ?? [];
  const factor = kubernetesFactors[unit];
  return amount === undefined || factor === undefined ? Number.NaN : Number(amount) * factor;
}
