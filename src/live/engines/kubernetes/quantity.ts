const SUFFIXES: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  "": 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};
const PATTERN = /^([+-]?\d+(?:\.\d*)?|[+-]?\.\d+)(?:([eE][+-]?\d+)|([numkMGTPE]|[KMGTPE]i)?)$/;
const MIB = 2 ** 20;

/** The value of a quantity as the API writes it, such as `500m`, `1Gi`, `2e3`; 0 where there is none. */
export function valueOf(quantity: string | number | undefined): number {
  const match = PATTERN.exec(String(quantity ?? "0"));
  if (match === null) return 0;
  return Number(`${match[1]}${match[2] ?? ""}`) * SUFFIXES[match[3] ?? ""]!;
}

/** Thousandths of cores or GPUs. */
export function milliOf(quantity: string | number | undefined): number {
  // A sum of parts is not exact: 0.1 cores are 100.00000000000001 thousandths.
  return Math.round(valueOf(quantity) * 1e6) / 1e3;
}

export function mibOf(quantity: string | number | undefined): number {
  return valueOf(quantity) / MIB;
}
