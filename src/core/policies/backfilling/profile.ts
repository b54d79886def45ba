/**
 * What the pool as a whole is expected to have free from now on: a staircase of
 * times and the cores, memory and GPUs free from each until the next. The last
 * step lasts for ever.
 */
export class Profile {
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

  /** The earliest time, not before the step at `notBefore`, from which so much is free for so long. */
  earliest(cores: number, memory: number, gpu: number, seconds: number, notBefore: number): number {
    let from = this.firstStep(notBefore);
    for (let i = from; i < this.count; i++) {
      if (this.time[i] >= this.time[from] + seconds && i > from) break;
      if (this.cores[i] < cores || this.memory[i] < memory || this.gpu[i] < gpu) from = i + 1;
    }
    return this.time[from];
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
    const level = [cores[like], memory[like], gpu[like]] as const;
    for (const column of [times, cores, memory, gpu]) column.copyWithin(at + 1, at, count);
    times[at] = time;
    [cores[at], memory[at], gpu[at]] = level;
    this.count++;
  }
}
