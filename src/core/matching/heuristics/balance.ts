import type { MachineView } from "../../machines/machine-view.ts";

/**
 * How far a point lies from the diagonal, as what orders like the angle.
 *
 * On a grid scaled to a square, x and y are the parts of cores and memory at a
 * point, with a of c cores and b of m memory: x = a/c, y = b/m. The angle
 * between the diagonal and the line to the point has the tangent
 * |x − y| ÷ (x + y) = |a·m − b·c| ÷ (a·m + b·c). The products are exact
 * integers in doubles (up to 2^53), so equal angles give equal quotients and a
 * tie is a tie on every machine, which trigonometry does not promise.
 */
export function tangentFromDiagonal(a: number, c: number, b: number, m: number): number {
  const first = a * m;
  const second = b * c;
  const sum = first + second;
  return sum === 0 ? 0 : Math.abs(first - second) / sum;
}

/**
 * The same for any number of resources: 1 − cos² of the angle between the
 * vector of parts and the all-ones vector, which orders like the angle (Shai
 * 2014, section 8: "can be extended to more than two resources").
 *
 * Rounded to 12 places, so that parts which are equal as fractions tie whatever
 * their last bits are.
 *
 * @param parts the part of each resource, 0…1
 */
export function squaredSineFromDiagonal(parts: readonly number[]): number {
  let sum = 0;
  let squares = 0;
  for (const part of parts) {
    sum += part;
    squares += part * part;
  }
  return squares === 0 ? 0 : Math.round((1 - (sum * sum) / (parts.length * squares)) * 1e12) / 1e12;
}

/**
 * The parts of each resource that stay free on a machine once a task is placed; a machine without a resource does not
 * count it.
 */
export function partsLeft(
  machines: MachineView,
  machine: number,
  cores: number,
  memory: number,
  gpu: number,
): number[] {
  const parts = [(machines.freeCores[machine] - cores) / machines.capacityCores[machine]];
  if (machines.capacityMemory[machine] > 0)
    parts.push((machines.freeMemory[machine] - memory) / machines.capacityMemory[machine]);
  if (machines.capacityGpu[machine] > 0)
    parts.push((machines.freeGpu[machine] - gpu) / machines.capacityGpu[machine]);
  return parts;
}
