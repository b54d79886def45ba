const FACTORS: Readonly<Record<string, number>> = {
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
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: 1024 ** 3,
  Ti: 1024 ** 4,
  Pi: 1024 ** 5,
  Ei: 1024 ** 6,
};

/** The number of a quantity such as `500m`, `4Gi`, `129e6` or `2`; NaN if it is not one. */
export function quantity(value: unknown): number {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return Number.NaN;
  if (/^\d+(\.\d*)?e[+-]?\d+$/i.test(value)) return Number(value);
  const [, amount, unit = ""] = /^(\d+(?:\.\d*)?|\.\d+)([numkMGTPE]?i?)$/.exec(value) ?? [];
  const factor = FACTORS[unit];
  return amount === undefined || factor === undefined ? Number.NaN : Number(amount) * factor;
}
