import { kubernetesFactors } from "../../../workload/kubernetes-factors.ts";

const PATTERN = /^([+-]?\d+(?:\.\d*)?|[+-]?\.\d+)(?:([eE][+-]?\d+)|([numkMGTPE]|[KMGTPE]i)?)$/;
const MIB = 2 ** 20;

/** The value of a quantity as the API writes it, such as `500m`, `1Gi`, `2e3`; 0 where there is none. */
export function valueOf(quantity: string | number | undefined): number {
  const match = PATTERN.exec(String(quantity ?? "0"));
  if (match === null) return 0;
  return Number(`${match[1]}${match[2] ?? ""}`) * kubernetesFactors[match[3] ?? ""]!;
}

/** Thousandths of cores or GPUs. */
export function milliOf(quantity: string | number | undefined): number {
  // A sum of parts is not exact: 0.1 cores are 100.00000000000001 thousandths.
  return Math.round(valueOf(quantity) * 1e6) / 1e3;
}

export function mibOf(quantity: string | number | undefined): number {
  return valueOf(quantity) / MIB;
}
