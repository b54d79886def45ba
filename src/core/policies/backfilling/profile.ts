import { doubleColumns, doubled } from "../../arrays.ts";
import { tasksWithin } from "../../machines/machine-state.ts";
import { Amounts, BLOCK } from "./amounts.ts";

/** A profile with fewer steps than this is not rewritten to forget some. */
const FEW_STEPS = 2 * BLOCK;

/**
 * What is expected to be free from now on, on a machine or in a pool: a step function of time, each step with the
 * cores, memory and GPUs that are free until the next. The first step began long ago; the last lasts for ever.
 *
 * The steps are kept in blocks, in order of time. A block knows the least and the most that is free on its steps, so a
 * search can pass over it, and a window can be taken from all of it, without touching the steps: a pool of thousands of
 * running and promised jobs has as many steps. A machine's profile mostly is one block.
 */
export class Profile {
  /** Set by `room`: a time before which the room does not grow. */
  risesAt = 0;
  /** Set by `lookAt`. */
  cores = 0;
  memory = 0;
  gpu = 0;
  /** The number of steps. */
  steps = 0;
  /** By step, block after block. What is free on a step is its amount plus what was added to its whole block. */
  private time = new Float64Array(BLOCK);
  private readonly coreAmounts = new Amounts();
  private readonly memoryAmounts = new Amounts();
  private readonly gpuAmounts = new Amounts();
  /** By block: the number of its steps. */
  private length = new Int32Array(1);
  /** The blocks in order of time, and their number. */
  private order = new Int32Array(1);
  private count = 0;
  /** The number of steps after which the profile is rewritten. */
  private most = FEW_STEPS;
  /** The result of `find`: the position of a step's block in the order, and the step. */
  private place = 0;
  private step = 0;

  constructor(cores: number, memory: number, gpu: number) {
    this.append(-Infinity, cores, memory, gpu);
  }

  /** Takes this much from one time until another, or gives it back if the amounts are negative. */
  take(from: number, until: number, cores: number, memory: number, gpu: number): void {
    if (from >= until) return;
    let lastPlace = this.count - 1;
    let end = this.order[lastPlace] * BLOCK + this.length[this.order[lastPlace]];
    if (from > -Infinity) this.makeStep(from);
    if (until < Infinity) {
      this.makeStep(until);
      lastPlace = this.place;
      end = this.step;
    } else {
      lastPlace = this.count - 1;
      end = this.order[lastPlace] * BLOCK + this.length[this.order[lastPlace]];
    }
    this.find(from);
    const first = this.step;
    for (let place = this.place; place <= lastPlace; place++) {
      const block = this.order[place];
      const start = block * BLOCK;
      const begin = place === this.place ? first : start;
      const to = place === lastPlace ? end : start + this.length[block];
      if (begin === to) continue;
      const { [block]: length } = this.length;
      if (cores !== 0) this.coreAmounts.take(block, begin, to, length, cores);
      if (memory !== 0) this.memoryAmounts.take(block, begin, to, length, memory);
      if (gpu !== 0) this.gpuAmounts.take(block, begin, to, length, gpu);
    }
  }

  /** Forgets what was free before `now`, and steps without a change, if there are many. */
  tidy(now: number): void {
    if (this.steps < this.most) return;
    const { time, order, length, count } = this;
    const kept: number[] = [];
    this.find(now);
    const { place: firstPlace, step: firstStep } = this;
    let before = NaN;
    let beforeMemory = NaN;
    let beforeGpu = NaN;
    for (let place = firstPlace; place < count; place++) {
      const block = order[place];
      const start = block * BLOCK;
      for (let step = place === firstPlace ? firstStep : start; step < start + length[block]; step++) {
        const cores = this.coreAmounts.of(block, step);
        const memory = this.memoryAmounts.of(block, step);
        const gpu = this.gpuAmounts.of(block, step);
        if (cores === before && memory === beforeMemory && gpu === beforeGpu) continue;
        kept.push(kept.length === 0 ? -Infinity : time[step], cores, memory, gpu);
        before = cores;
        beforeMemory = memory;
        beforeGpu = gpu;
      }
    }
    this.count = this.steps = 0;
    for (let i = 0; i < kept.length; i += 4) this.append(kept[i], kept[i + 1], kept[i + 2], kept[i + 3]);
    this.most = Math.max(FEW_STEPS, 2 * this.steps);
  }

  /** Finds what is free at a time. */
  lookAt(time: number): void {
    this.find(time);
    const { step } = this;
    const block = this.order[this.place];
    this.cores = this.coreAmounts.of(block, step);
    this.memory = this.memoryAmounts.of(block, step);
    this.gpu = this.gpuAmounts.of(block, step);
  }

  /** Finds the least of each that is free from a time on. */
  lookAtLeast(from: number): void {
    this.lookAt(from);
    const { order, count, coreAmounts, memoryAmounts, gpuAmounts } = this;
    let { step } = this;
    for (let place = this.place; place < count; place++) {
      const block = order[place];
      const start = block * BLOCK;
      if (place > this.place) step = start;
      for (; step < start + this.length[block]; step++) {
        this.cores = Math.min(this.cores, coreAmounts.of(block, step));
        this.memory = Math.min(this.memory, memoryAmounts.of(block, step));
        this.gpu = Math.min(this.gpu, gpuAmounts.of(block, step));
      }
    }
  }

  /** The number of tasks of this size that there is room for from one time until another. */
  room(from: number, until: number, cores: number, memory: number, gpu: number): number {
    const { order, count, time, length } = this;
    const { at: coresAt, added: addedCores, least: leastCores } = this.coreAmounts;
    const { at: memoryAt, added: addedMemory, least: leastMemory } = this.memoryAmounts;
    const { at: gpuAt, added: addedGpu, least: leastGpu } = this.gpuAmounts;
    this.find(from);
    let step = this.step;
    let room = Infinity;
    this.risesAt = Infinity;
    let isLowest = false;
    for (let place = this.place; place < count; place++) {
      const block = order[place];
      const start = block * BLOCK;
      if (place > this.place) {
        step = start;
        if (isLowest) {
          this.risesAt = time[step];
          isLowest = false;
        }
        if (time[step] >= until) break;
        if (tasksWithin(leastCores[block], leastMemory[block], leastGpu[block], cores, memory, gpu) >= room)
          continue;
      }
      const end = start + length[block];
      for (; step < end; step++) {
        if (time[step] >= until) {
          if (isLowest) this.risesAt = time[step];
          return room;
        }
        if (isLowest) {
          this.risesAt = time[step];
          isLowest = false;
        }
        const here = tasksWithin(
          coresAt[step] + addedCores[block],
          memoryAt[step] + addedMemory[block],
          gpuAt[step] + addedGpu[block],
          cores,
          memory,
          gpu,
        );
        if (here > room) {
          // With no room it rises here at the earliest; whether it is low again later is seen then.
          if (room === 0) return 0;
          continue;
        }
        room = here;
        isLowest = true;
        this.risesAt = Infinity;
      }
    }
    return room;
  }

  /**
   * The earliest time, not before `notBefore`, from which this much is free for this long; Infinity if it is not before
   * `limit`.
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
    const { at: coresAt, least: leastCores, most: mostCores, added: addedCores } = this.coreAmounts;
    const { at: memoryAt, least: leastMemory, most: mostMemory, added: addedMemory } = this.memoryAmounts;
    const { at: gpuAt, least: leastGpu, most: mostGpu, added: addedGpu } = this.gpuAmounts;
    if (notBefore >= limit) return Infinity;
    this.find(notBefore);
    let from = Infinity;
    let step = this.step;
    for (let place = this.place; place < count; place++) {
      const block = order[place];
      if (place > this.place) step = block * BLOCK;
      if (from === Infinity ? time[step] >= limit : time[step] >= from + seconds) return from;
      if (mostCores[block] < cores || mostMemory[block] < memory || mostGpu[block] < gpu) {
        from = Infinity;
        continue;
      }
      if (leastCores[block] >= cores && leastMemory[block] >= memory && leastGpu[block] >= gpu) {
        if (from === Infinity) from = Math.max(time[step], notBefore);
        continue;
      }
      const end = block * BLOCK + length[block];
      const moreCores = addedCores[block];
      const moreMemory = addedMemory[block];
      const moreGpu = addedGpu[block];
      for (; step < end; step++) {
        if (from < Infinity && time[step] >= from + seconds) return from;
        if (
          coresAt[step] + moreCores < cores ||
          memoryAt[step] + moreMemory < memory ||
          gpuAt[step] + moreGpu < gpu
        ) {
          from = Infinity;
          continue;
        }
        if (from < Infinity) continue;
        if (time[step] >= limit) return Infinity;
        from = Math.max(time[step], notBefore);
      }
    }
    return from;
  }

  /** The first time from `from` on at which less than nothing is free; Infinity if there is none. */
  overcommittedAt(from: number): number {
    const { order, count, time, length } = this;
    this.find(from);
    for (let place = this.place; place < count; place++) {
      const block = order[place];
      const { coreAmounts, memoryAmounts, gpuAmounts } = this;
      if (coreAmounts.least[block] >= 0 && memoryAmounts.least[block] >= 0 && gpuAmounts.least[block] >= 0)
        continue;
      const start = block * BLOCK;
      for (let step = place === this.place ? this.step : start; step < start + length[block]; step++)
        if (
          coreAmounts.of(block, step) < 0 ||
          memoryAmounts.of(block, step) < 0 ||
          gpuAmounts.of(block, step) < 0
        )
          return Math.max(time[step], from);
    }
    return Infinity;
  }

  /** Adds a step after the last. */
  private append(time: number, cores: number, memory: number, gpu: number): void {
    let block = this.count === 0 ? 0 : this.order[this.count - 1];
    // Filled by three quarters, so that a few steps can be added later.
    if (this.count === 0 || this.length[block] >= (BLOCK * 3) / 4) block = this.newBlock(this.count);
    const step = block * BLOCK + this.length[block]++;
    this.steps++;
    this.time[step] = time;
    this.coreAmounts.set(block, step, cores);
    this.memoryAmounts.set(block, step, memory);
    this.gpuAmounts.set(block, step, gpu);
  }

  /** Finds the step at a time, and makes it if there is none. */
  private makeStep(time: number): void {
    this.find(time);
    if (this.time[this.step] === time) return;
    let block = this.order[this.place];
    if (this.length[block] === BLOCK) {
      this.split(this.place);
      this.find(time);
      block = this.order[this.place];
    }
    const before = this.step;
    const end = block * BLOCK + this.length[block]++;
    this.steps++;
    this.time.copyWithin(before + 1, before, end);
    this.coreAmounts.repeat(before, end);
    this.memoryAmounts.repeat(before, end);
    this.gpuAmounts.repeat(before, end);
    this.time[before + 1] = time;
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
      for (const amounts of [this.coreAmounts, this.memoryAmounts, this.gpuAmounts]) doubleColumns(amounts);
    }
    this.order.copyWithin(place + 1, place, this.count++);
    this.order[place] = block;
    this.length[block] = 0;
    this.coreAmounts.clear(block);
    this.memoryAmounts.clear(block);
    this.gpuAmounts.clear(block);
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
    this.coreAmounts.split(block, half, to);
    this.memoryAmounts.split(block, half, to);
    this.gpuAmounts.split(block, half, to);
  }
}
