import type { Port } from "./port.ts";

/** Makes a thousandth of a core of the first machine free twice, as if a bug had done it. */
export function freeTwice(port: Port): void {
  port["pools"][0].pool.machines.freeCores[0] += 1;
}
