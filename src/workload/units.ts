import { InputError } from "./errors.ts";

/** Units of memory, in bytes; powers of 1024 throughout. */
const BYTES_PER_UNIT = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 } as const;

export type MemoryUnit = keyof typeof BYTES_PER_UNIT;

/** The unit called `name`, in any case; `KB` is `KiB`, as logs and machine lists mean it. */
export function parseMemoryUnit(name: string): MemoryUnit {
  const units = Object.keys(BYTES_PER_UNIT) as MemoryUnit[];
  const wanted = name.toLowerCase();
  const unit = units.find((unit) => [unit, unit.replace("i", "")].some((u) => u.toLowerCase() === wanted));
  if (unit === undefined) throw new InputError(`no memory unit "${name}": choose ${units.join(", ")}`);
  return unit;
}

/** What to multiply an amount in `unit` with to have MiB. */
export function mebibytesPer(unit: MemoryUnit): number {
  return BYTES_PER_UNIT[unit] / BYTES_PER_UNIT.MiB;
}

/** Decimal fractions such as 0.57 × 1000 miss their integer by less than this. */
const ROUNDING = 1e-6;

/** Thousandths of a core, or of a GPU, to ask for: never less than was asked. */
export function milliAsked(amount: number): number {
  return Math.ceil(amount * 1000 - ROUNDING);
}

/** Thousandths of a core, or of a GPU, to offer: never more than there is. */
export function milliOffered(amount: number): number {
  return Math.floor(amount * 1000 + ROUNDING);
}
