import { doubled } from "../../arrays.ts";
import { tasksWithin } from "../../machines/machine-state.ts";
import { Amounts, BLOCK } from "./amounts.ts";

/** Steps in a block that is filled in order, so that some have room beside them. */
const FILLED = 12;

/**
 * What the pool as a whole is expected to have free from now on: a staircase of
 * times and the cores, memory and GPUs free from each until the next. The last
 * step lasts for ever.
 *
 * On RICC's log a pass makes hundreds of promises on a staircase of as many
 * steps. So the steps lie in blocks, in order of time: a block knows the least
 * and the most that is free on any of its steps, and a search passes over it, or
 * a promise takes from all of it, without a look at the steps themselves.
 */
export class Profile {
  /** After `earliest`: how often what was asked for is free then. */
  times = 0;
  /** By step, block after block. What is free on it is its amount and what was added to its whole block. */
  private time = new Float64Array(BLOCK * 16);
  private readonly cores = new Amounts();
  private readonly memory = new Amounts();
  private readonly gpu = new Amounts();
  /** By block: how many steps it has. */
  private length = new Int32Array(16);
  /** The blocks in order of time, and how many there are. */
  private order = new Int32Array(16);
  private count = 0;
  /** What `find` has found: the place in the order of a step's block, and the step. */
  private place = 0;
  private step = 0;

  start(now: number, cores: number, memory: number, gpu: number): void {
    this.count = 0;
    this.append(now, cores, memory, gpu);
  }

  /** So much is free from a time on that is after the last step, and of nothing less than before. */
  append(time: number, cores: number, memory: number, gpu: number): void {
    let block = this.count === 0 ? NaN : this.order[this.count - 1];
    if (this.count === 0 || this.length[block] >= FILLED) block = this.newBlock(this.count);
    const step = block * BLOCK + this.length[block]++;
    this.time[step] = time;
    this.cores.set(block, step, cores);
    this.memory.set(block, step, memory);
    this.gpu.set(block, step, gpu);
  }

  get coresNow(): number {
    return this.cores.at[0] + this.cores.added[0];
  }

  /** Until when so much is free from now on: -Infinity where it is not free now, Infinity where it always is. */
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
   * The earliest time, `notBefore` (now, or a time that it gave before) or later,
   * from which so much is free for so long; Infinity if it never is. How many
   * times it is free there is in `times`.
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

  /** Takes so much from `time`, now or one that `earliest` gave, for so long. */
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

  /** The step at a time, made if there is none. */
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

  /** Finds the last step that does not begin after a time. */
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

  /** A block without steps, at a place in the order. */
  private newBlock(place: number): number {
    const block = this.count;
    if (block === this.order.length) {
      this.order = doubled(this.order);
      this.length = doubled(this.length);
      this.time = doubled(this.time);
      this.cores.grow();
      this.memory.grow();
      this.gpu.grow();
    }
    this.order.copyWithin(place + 1, place, this.count++);
    this.order[place] = block;
    this.length[block] = 0;
    this.cores.clear(block);
    this.memory.clear(block);
    this.gpu.clear(block);
    return block;
  }

  /** Half the steps of the block at a place go to a new one behind it. */
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
