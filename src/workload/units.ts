import { InputError } from "./errors.ts";

/** Units of memory, in bytes. All are powers of 1024. */
const BYTES_PER_UNIT = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3, TiB: 1024 ** 4 } as const;

export type MemoryUnit = keyof typeof BYTES_PER_UNIT;

const UNITS = Object.keys(BYTES_PER_UNIT) as MemoryUnit[];

/**
 * The unit called `name`, in any case. `KB`, `K` and `Ki` are `KiB`, as in logs and machine lists.
 *
 * @throws InputError if there is no such unit, or if bits are meant: a small b after a capital letter
 */
export function parseMemoryUnit(name: string): MemoryUnit {
  const unit = memoryUnit(name);
  if (unit === undefined) throw new InputError(`no memory unit "${name}": choose ${UNITS.join(", ")}`);
  if (unit === "bits") {
    throw new InputError(`"${name}" means bits: memory is counted in bytes, write ${name.slice(0, -1)}B`);
  }
  return unit;
}

/**
 * MiB in an amount such as `31.3G`, `131841848kb` or `512` (which is in `unit`), not rounded. NaN if it is not an
 * amount, or in bits.
 */
export function parseMemory(text: string, unit: MemoryUnit): number {
  const [, number, name] =
    /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?) *([a-z]*)$/i.exec(text.trim()) ?? [];
  if (number === undefined || name === undefined) return Number.NaN;
  const itsUnit = name === "" ? unit : memoryUnit(name);
  if (itsUnit === undefined || itsUnit === "bits") return Number.NaN;
  const amount = Number(number) * mebibytesPer(itsUnit);
  return Number.isFinite(amount) ? amount : Number.NaN;
}

/** `Gb` and `Gib` are gigabits to those who distinguish b from B. PBS's `gb` is bytes, like anything in one case. */
function memoryUnit(name: string): MemoryUnit | "bits" | undefined {
  if (/^[KMGT][iI]?b$/.test(name)) return "bits";
  const wanted = name.toLowerCase();
  return UNITS.find((unit) =>
    [unit, unit.replace("i", ""), unit.replace("iB", "i"), unit[0]!].some(
      (each) => each.toLowerCase() === wanted,
    ),
  );
}

/** The factor from amounts in `unit` to MiB. */
export function mebibytesPer(unit: MemoryUnit): number {
  return BYTES_PER_UNIT[unit] / BYTES_PER_UNIT.MiB;
}

/** Decimal fractions such as 0.57 × 1000 may be off from an integer by less than this. */
const ROUNDING = 1e-6;

/** Thousandths of a core or GPU in a request, rounded up: never less than was asked for. */
export function milliAsked(amount: number): number {
  return Math.ceil(amount * 1000 - ROUNDING);
}

/** Thousandths of a core or GPU in a capacity, rounded down: never more than there is. */
export function milliOffered(amount: number): number {
  return Math.floor(amount * 1000 + ROUNDING);
}
