/** Above every key of the other list. */
export const HEAVY_IN_CPU = 1 << 16;

/** Sorts descending into the order of the lists: CPU-heavy first; larger of the two, then the smaller. */
export function sortKey(cpu: number, memory: number): number {
  return cpu > memory ? HEAVY_IN_CPU | (cpu << 8) | memory : (memory << 8) | cpu;
}

/** Up to this many sizes are sorted by insertion: calling the library's sort took longer than the packing. */
const FEW = 40;

export function sortDescending(values: Int32Array, count: number): void {
  if (count > FEW) {
    values.subarray(0, count).sort().reverse();
    return;
  }
  for (let i = 1; i < count; i++) {
    const value = values[i];
    let at = i;
    for (; at > 0 && values[at - 1] < value; at--) values[at] = values[at - 1];
    values[at] = value;
  }
}
