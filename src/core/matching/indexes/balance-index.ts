import type { MachineState } from "../../machines/machine-state.ts";
import { NONE } from "../heuristic.ts";
import { DirtyList } from "./dirty-list.ts";

/** A machine's place in a bucket: its free memory, then its number, in one exactly representable double. */
const MACHINE_RANGE = 2 ** 20;

/** A score over the amounts left free, with what the machine is configured with. Lower is better. */
export type BalanceScore = (
  cores: number,
  memory: number,
  freeCores: number,
  freeMemory: number,
  capacityCores: number,
  capacityMemory: number,
) => number;

/**
 * The free memory at which a score is best, all else held: the score falls up to
 * it and rises after it. `Infinity` where more is always better.
 */
export type BestMemory = (
  cores: number,
  memory: number,
  freeCores: number,
  capacityCores: number,
  capacityMemory: number,
) => number;

/**
 * Finds the machine with the lowest balance score without scoring all of them.
 *
 * Machines of the same configuration and the same free cores differ only in
 * free memory, and a balance score has one valley in it. Each such bucket is
 * kept sorted by memory, so that its best machine is one of the two next to the
 * bottom of the valley; the buckets' best are then compared. A pool of a few
 * machine types with some tens of cores has a few hundred buckets at most.
 */
export class BalanceIndex {
  private readonly machines: MachineState;
  private readonly dirty: DirtyList;
  private readonly grain: number;
  private readonly isExact: boolean;
  private readonly typeOf: Int32Array;
  private readonly types: { cores: number; memory: number; firstBucket: number; levels: number }[] = [];
  private readonly buckets: Bucket[] = [];
  /** As of the last refresh: each machine's bucket (`NONE` while closed) and place in it. */
  private readonly bucketOf: Int32Array;
  private readonly placeOf: Float64Array;

  /** @param grain the largest amount that divides every capacity and request of cores */
  constructor(machines: MachineState, grain: number, maxLevels = 1024) {
    this.machines = machines;
    this.dirty = new DirtyList(machines.count);
    machines.watch(this.dirty);
    let mostCores = 0;
    for (const cores of machines.capacityCores) mostCores = Math.max(mostCores, cores);
    this.isExact = Math.floor(mostCores / grain) + 1 <= maxLevels;
    this.grain = this.isExact ? grain : Math.ceil((mostCores + 1) / maxLevels);
    this.typeOf = new Int32Array(machines.count);
    const typeByKey = new Map<string, number>();
    for (let machine = 0; machine < machines.count; machine++) {
      const cores = machines.capacityCores[machine];
      const memory = machines.capacityMemory[machine];
      const key = `${cores} ${memory}`;
      let type = typeByKey.get(key);
      if (type === undefined) {
        type = this.types.length;
        typeByKey.set(key, type);
        const levels = Math.floor(cores / this.grain) + 1;
        this.types.push({ cores, memory, firstBucket: this.buckets.length, levels });
        for (let level = 0; level < levels; level++) this.buckets.push(new Bucket());
      }
      this.typeOf[machine] = type;
    }
    this.bucketOf = new Int32Array(machines.count).fill(NONE);
    this.placeOf = new Float64Array(machines.count);
  }

  best(cores: number, memory: number, score: BalanceScore, bestMemory: BestMemory): number {
    this.refresh();
    const { types, buckets, machines, grain } = this;
    const { freeCores } = machines;
    const lowest = this.isExact ? Math.ceil(cores / grain) : Math.floor(cores / grain);
    let best = NONE;
    let bestScore = Infinity;
    for (let t = 0; t < types.length; t++) {
      const type = types[t];
      if (type.memory < memory) continue;
      for (let level = lowest; level < type.levels; level++) {
        const bucket = buckets[type.firstBucket + level];
        const count = bucket.count;
        if (count === 0) continue;
        const keys = bucket.keys;
        if (!this.isExact) {
          // Free cores differ within the bucket: its machines are compared one by one.
          for (let i = bucket.atLeast(memory * MACHINE_RANGE); i < count; i++) {
            const machine = keys[i] % MACHINE_RANGE;
            if (freeCores[machine] < cores) continue;
            const free = Math.floor(keys[i] / MACHINE_RANGE);
            const s = score(cores, memory, freeCores[machine], free, type.cores, type.memory);
            if (s < bestScore || (s === bestScore && machine < best)) {
              bestScore = s;
              best = machine;
            }
          }
          continue;
        }
        if (keys[count - 1] < memory * MACHINE_RANGE) continue;
        const free = level * grain;
        const valley = bestMemory(cores, memory, free, type.cores, type.memory);
        // The first machine at or beyond the bottom of the valley …
        const right =
          valley === Infinity ? count : bucket.atLeast(Math.max(memory, Math.ceil(valley)) * MACHINE_RANGE);
        if (right < count) {
          const s = score(
            cores,
            memory,
            free,
            Math.floor(keys[right] / MACHINE_RANGE),
            type.cores,
            type.memory,
          );
          const machine = keys[right] % MACHINE_RANGE;
          if (s < bestScore || (s === bestScore && machine < best)) {
            bestScore = s;
            best = machine;
          }
          // … where the slope is flat (a full machine is at the same angle whatever memory it keeps),
          // all of it ties and the first machine in pool order wins.
          if (s <= bestScore && right + 1 < count) {
            const last = score(
              cores,
              memory,
              free,
              Math.floor(keys[count - 1] / MACHINE_RANGE),
              type.cores,
              type.memory,
            );
            if (last === s) {
              for (let i = right + 1; i < count; i++)
                if (keys[i] % MACHINE_RANGE < best) best = keys[i] % MACHINE_RANGE;
            }
          }
        }
        // … and the first in pool order of the last memory amount before it.
        if (right > 0) {
          const amount = Math.floor(keys[right - 1] / MACHINE_RANGE);
          if (amount >= memory) {
            const s = score(cores, memory, free, amount, type.cores, type.memory);
            if (s <= bestScore) {
              const machine = keys[bucket.atLeast(amount * MACHINE_RANGE)] % MACHINE_RANGE;
              if (s < bestScore || machine < best) {
                bestScore = s;
                best = machine;
              }
            }
          }
        }
      }
    }
    return best;
  }

  private refresh(): void {
    const { dirty, machines, bucketOf, placeOf, typeOf, types, buckets } = this;
    for (let i = 0; i < dirty.count; i++) {
      const machine = dirty.machines[i];
      const level = Math.floor(machines.freeCores[machine] / this.grain);
      const bucket = machines.closed[machine] !== 0 ? NONE : types[typeOf[machine]].firstBucket + level;
      const place = machines.freeMemory[machine] * MACHINE_RANGE + machine;
      const oldBucket = bucketOf[machine];
      if (bucket === oldBucket && place === placeOf[machine]) continue;
      if (oldBucket !== NONE) buckets[oldBucket].remove(placeOf[machine]);
      if (bucket !== NONE) buckets[bucket].insert(place);
      bucketOf[machine] = bucket;
      placeOf[machine] = place;
    }
    dirty.clear();
  }
}

/** Places in ascending order. */
class Bucket {
  keys = new Float64Array(4);
  count = 0;

  /** The first place not below `key`. */
  atLeast(key: number): number {
    const keys = this.keys;
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (keys[middle] < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  insert(key: number): void {
    if (this.count === this.keys.length) {
      const wider = new Float64Array(this.count * 2);
      wider.set(this.keys);
      this.keys = wider;
    }
    const at = this.atLeast(key);
    this.keys.copyWithin(at + 1, at, this.count);
    this.keys[at] = key;
    this.count++;
  }

  remove(key: number): void {
    const at = this.atLeast(key);
    this.keys.copyWithin(at, at + 1, this.count);
    this.count--;
  }
}
