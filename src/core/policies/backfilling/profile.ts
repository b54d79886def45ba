import { doubleColumns, doubled } from "../../arrays.ts";
import { tasksWithin } from "../../machines/machine-state.ts";
import { Amounts, BLOCK } from "./amounts.ts";

/** The number of steps put in a block that is filled in order, so that a few can be added later. */
const FILLED = 12;

/**
 * What the pool as a whole is expected to have free from now on: a step function of time, each step with the cores,
 * memory and GPUs that are free until the next. The last step lasts for ever.
 *
 * On RICC's log a pass makes hundreds of promises on a profile of as many steps. So the steps are kept in blocks, in
 * order of time. A block knows the least and the most that is free on its steps, so a search can pass over it, and a
 * promise can take from all of it, without touching the steps.
 */
export class Profile {
  /** Set by `earliest`: how often the request fits from then on. */
  times = 0;
  /** By step, block after block. What is free on a step is its amount plus what was added to its whole block. */
  private time = new Float64Array(BLOCK * 16);
  private readonly cores = new Amounts();
  private readonly memory = new Amounts();
  private readonly gpu = new Amounts();
  /** By block: the number of its steps. */
  private length = new Int32Array(16);
  /** The blocks in order of time, and their number. */
  private order = new Int32Array(16);
  private count = 0;
  /** The result of `find`: the position of a step's block in the order, and the step. */
  private place = 0;
  private step = 0;

  start(now: number, cores: number, memory: number, gpu: number): void {
    this.count = 0;
    this.append(now, cores, memory, gpu);
  }

  /** Adds a step at a time after the last. Nothing on it is less than before. */
  append(time: number, cores: number, memory: number, gpu: number): void {
    let block = this.count === 0 ? NaN : this.order[this.count - 1];
    if (this.count === 0 || this.length[block] >= FILLED) block = this.newBlock(this.count);
    const step = block * BLOCK + this.length[block]++;
    this.time[step] = time;
    this.cores.set(block, step, cores);
    this.memory.set(block, step, memory);
    this.gpu.set(block, step, gpu);
  }

  /** Until when this much is free from now on: -Infinity if it is not free now, Infinity if it always is. */
  freeUntil(cores: number, memory: number, gpu: number): number {
    const { order, count, time, length } = this;
    for (let place = 0; place < count; place++) {
      const block = order[place];
      if (
        this.cores.least[block] >= cores &&
        this.memory.least[block] >= memory &&
        this.gpu.least[block] >= gpu
      )
        continue;
      const needCores = cores - this.cores.added[block];
      const needMemory = memory - this.memory.added[block];
      const needGpu = gpu - this.gpu.added[block];
      let step = block * BLOCK;
      for (const end = step + length[block]; step < end; step++) {
        if (
          this.cores.at[step] < needCores ||
          this.memory.at[step] < needMemory ||
          this.gpu.at[step] < needGpu
        )
          return step === 0 ? -Infinity : time[step];
      }
    }
    return Infinity;
  }

  /**
   * The earliest time from which this much is free for this long, not before `notBefore` (now, or an earlier result);
   * Infinity if there is none. `times` says how many times it fits then.
   */
  earliest(
    cores: number,
    memory: number,
    gpu: number,
    seconds: number,
    notBefore: number,
    limit: number,
  ): number {
    const { order, count, time, length } = this;
    const { at: coresAt, least: leastCores, most: mostCores, added: addedCores } = this.cores;
    const { at: memoryAt, least: leastMemory, most: mostMemory, added: addedMemory } = this.memory;
    const { at: gpuAt, least: leastGpu, most: mostGpu, added: addedGpu } = this.gpu;
    let from = Infinity;
    let until = Infinity;
    let hasCores = Infinity;
    let hasMemory = Infinity;
    let hasGpu = Infinity;
    this.times = Infinity;
    if (notBefore === Infinity) return Infinity;
    this.find(notBefore);
    let step = this.step;
    search: for (let place = this.place; place < count; place++) {
      const block = order[place];
      if (place > this.place) step = block * BLOCK;
      if (time[step] >= until || (from === Infinity && time[step] >= limit)) break;
      if (mostCores[block] < cores || mostMemory[block] < memory || mostGpu[block] < gpu) {
        from = until = Infinity;
        continue;
      }
      const end = block * BLOCK + length[block];
      if (
        leastCores[block] >= cores &&
        leastMemory[block] >= memory &&
        leastGpu[block] >= gpu &&
        (from === Infinity ? time[step] + seconds : until) > time[end - 1]
      ) {
        if (from === Infinity) {
          from = time[step];
          until = from + seconds;
          hasCores = hasMemory = hasGpu = Infinity;
        }
        if (leastCores[block] < hasCores) hasCores = leastCores[block];
        if (leastMemory[block] < hasMemory) hasMemory = leastMemory[block];
        if (leastGpu[block] < hasGpu) hasGpu = leastGpu[block];
        continue;
      }
      const moreCores = addedCores[block];
      const moreMemory = addedMemory[block];
      const moreGpu = addedGpu[block];
      for (; step < end; step++) {
        if (time[step] >= until) break search;
        const freeCores = coresAt[step] + moreCores;
        const freeMemory = memoryAt[step] + moreMemory;
        const freeGpu = gpuAt[step] + moreGpu;
        if (freeCores < cores || freeMemory < memory || freeGpu < gpu) {
          from = until = Infinity;
          continue;
        }
        if (from === Infinity) {
          from = time[step];
          until = from + seconds;
          hasCores = hasMemory = hasGpu = Infinity;
        }
        if (freeCores < hasCores) hasCores = freeCores;
        if (freeMemory < hasMemory) hasMemory = freeMemory;
        if (freeGpu < hasGpu) hasGpu = freeGpu;
      }
    }
    if (from < Infinity) this.times = tasksWithin(hasCores, hasMemory, hasGpu, cores, memory, gpu);
    return from;
  }

  /** Takes this much from `time` (now, or a result of `earliest`) on, for this long. */
  take(time: number, cores: number, memory: number, gpu: number, seconds: number): void {
    if (seconds === 0) return;
    let lastPlace = this.count - 1;
    let end = this.order[lastPlace] * BLOCK + this.length[this.order[lastPlace]];
    if (time + seconds < Infinity) {
      this.makeStep(time + seconds);
      lastPlace = this.place;
      end = this.step;
    }
    this.find(time);
    const first = this.step;
    for (let place = this.place; place <= lastPlace; place++) {
      const block = this.order[place];
      const start = block * BLOCK;
      const from = place === this.place ? first : start;
      const to = place === lastPlace ? end : start + this.length[block];
      this.cores.take(block, from, to, this.length[block], cores);
      if (memory !== 0) this.memory.take(block, from, to, this.length[block], memory);
      if (gpu !== 0) this.gpu.take(block, from, to, this.length[block], gpu);
    }
  }

  /** The step at a time, which is made if there is none. */
  private makeStep(time: number): void {
    this.find(time);
    if (this.time[this.step] === time) return;
    let block = this.order[this.place];
    if (this.length[block] === BLOCK) {
      this.split(this.place);
      this.find(time);
      block = this.order[this.place];
    }
    const start = block * BLOCK;
    const before = this.step;
    const end = start + this.length[block]++;
    const { time: times, cores, memory, gpu } = this;
    for (let to = end; to > before; to--) {
      times[to] = times[to - 1];
      cores.at[to] = cores.at[to - 1];
      memory.at[to] = memory.at[to - 1];
      gpu.at[to] = gpu.at[to - 1];
    }
    times[before + 1] = time;
    this.step = before + 1;
  }

  /** Finds the last step that begins at a time or before. */
  private find(at: number): void {
    const { order, time } = this;
    let low = 1;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (time[order[middle] * BLOCK] <= at) low = middle + 1;
      else high = middle;
    }
    this.place = low - 1;
    const block = order[low - 1];
    const start = block * BLOCK;
    low = start + 1;
    high = start + this.length[block];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (time[middle] <= at) low = middle + 1;
      else high = middle;
    }
    this.step = low - 1;
  }

  /** Inserts a block without steps at a position in the order. */
  private newBlock(place: number): number {
    const block = this.count;
    if (block === this.order.length) {
      this.order = doubled(this.order);
      this.length = doubled(this.length);
      this.time = doubled(this.time);
      for (const amounts of [this.cores, this.memory, this.gpu]) doubleColumns(amounts);
    }
    this.order.copyWithin(place + 1, place, this.count++);
    this.order[place] = block;
    this.length[block] = 0;
    this.cores.clear(block);
    this.memory.clear(block);
    this.gpu.clear(block);
    return block;
  }

  /** Moves half the steps of the block at a position to a new one behind it. */
  private split(place: number): void {
    const block = this.order[place];
    const half = BLOCK >> 1;
    const to = this.newBlock(place + 1);
    this.length[block] = half;
    this.length[to] = BLOCK - half;
    const from = block * BLOCK + half;
    this.time.copyWithin(to * BLOCK, from, from + BLOCK - half);
    this.cores.split(block, half, to);
    this.memory.split(block, half, to);
    this.gpu.split(block, half, to);
  }
}
