import { tasksWithin } from "../../machines/machine-state.ts";

/**
 * What the pool as a whole is expected to have free from now on: a staircase of
 * times and the cores, memory and GPUs free from each until the next. The last
 * step lasts for ever.
 */
export class Profile {
  /** After `earliest`: how often what was asked for is free then. */
  times = 0;
  private time = new Float64Array(256);
  private cores = new Float64Array(256);
  private memory = new Float64Array(256);
  private gpu = new Float64Array(256);
  private count = 0;

  start(now: number, cores: number, memory: number, gpu: number): void {
    this.count = 1;
    this.time[0] = now;
    this.cores[0] = cores;
    this.memory[0] = memory;
    this.gpu[0] = gpu;
  }

  /** More is free from a time on that is not before the last step. */
  release(time: number, cores: number, memory: number, gpu: number): void {
    let last = this.count - 1;
    if (time > this.time[last]) {
      this.insert(this.count, time, last);
      last++;
    }
    this.cores[last] += cores;
    this.memory[last] += memory;
    this.gpu[last] += gpu;
  }

  get coresNow(): number {
    return this.cores[0];
  }

  /** Whether so much is free from now on for so long. */
  isFreeNow(cores: number, memory: number, gpu: number, seconds: number): boolean {
    for (let i = 0; i < this.count && (i === 0 || this.time[i] < this.time[0] + seconds); i++) {
      if (this.cores[i] < cores || this.memory[i] < memory || this.gpu[i] < gpu) return false;
    }
    return true;
  }

  /**
   * The earliest time, not before the step at `notBefore`, from which so much is
   * free for so long. How many times it is free there is in `times`.
   */
  earliest(cores: number, memory: number, gpu: number, seconds: number, notBefore: number): number {
    const { time, cores: freeCores, memory: freeMemory, gpu: freeGpu, count } = this;
    let from = this.firstStep(notBefore);
    let leastCores = Infinity;
    let leastMemory = Infinity;
    let leastGpu = Infinity;
    for (let i = from; i < count; i++) {
      if (i > from && time[i] >= time[from] + seconds) break;
      if (freeCores[i] < cores || freeMemory[i] < memory || freeGpu[i] < gpu) {
        from = i + 1;
        leastCores = leastMemory = leastGpu = Infinity;
        continue;
      }
      if (freeCores[i] < leastCores) leastCores = freeCores[i];
      if (freeMemory[i] < leastMemory) leastMemory = freeMemory[i];
      if (freeGpu[i] < leastGpu) leastGpu = freeGpu[i];
    }
    this.times = tasksWithin(leastCores, leastMemory, leastGpu, cores, memory, gpu);
    return time[from];
  }

  /** Takes so much from `time`, at which a step or now lies, for so long. */
  take(time: number, cores: number, memory: number, gpu: number, seconds: number): void {
    const from = this.stepAt(time);
    const until = this.stepAt(time + seconds);
    for (let i = from; i < until; i++) {
      this.cores[i] -= cores;
      this.memory[i] -= memory;
      this.gpu[i] -= gpu;
    }
  }

  /** The step that begins at a time, made if there is none. */
  private stepAt(time: number): number {
    const step = this.firstStep(time);
    if (step === this.count || this.time[step] !== time) this.insert(step, time, step - 1);
    return step;
  }

  /** The first step that does not begin before a time. */
  private firstStep(time: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.time[middle] < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** A new step at a place, with what is free in step `like`. */
  private insert(at: number, time: number, like: number): void {
    if (this.count === this.time.length) {
      for (const column of ["time", "cores", "memory", "gpu"] as const) {
        const wider = new Float64Array(this[column].length * 2);
        wider.set(this[column]);
        this[column] = wider;
      }
    }
    const { time: times, cores, memory, gpu, count } = this;
    const likeCores = cores[like];
    const likeMemory = memory[like];
    const likeGpu = gpu[like];
    times.copyWithin(at + 1, at, count);
    cores.copyWithin(at + 1, at, count);
    memory.copyWithin(at + 1, at, count);
    gpu.copyWithin(at + 1, at, count);
    times[at] = time;
    cores[at] = likeCores;
    memory[at] = likeMemory;
    gpu[at] = likeGpu;
    this.count++;
  }
}
