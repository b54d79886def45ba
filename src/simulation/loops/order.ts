import { NONE } from "../../core/index.ts";
import { InputError, type Machines, type Workload } from "../../workload/index.ts";
import type { Driver } from "../driver.ts";
import type { Sampler } from "../sampler.ts";
import { CompletionHeap } from "./completion-heap.ts";

/**
 * The order-driven clock of Dal Pra 2014, section 3.2, for logs that do not tell
 * when jobs were submitted: their order and their run times count, and the clock
 * is the farm's own.
 *
 * 1. Free the slots whose job ends no later than the clock.
 * 2. Take the first job of the queues that the policy has a slot for, until it has
 *    none. The log's next job arrives for each that starts, so that as many wait
 *    as the farm has nodes: jobs that the policy holds back are passed by those
 *    it does not, and the log as a whole waits for them.
 * 3. Move the clock to one second after the earliest end of a running job; or to
 *    where a reserved node becomes free by itself, if that is sooner.
 *
 * (Where the paper frees slots with f > Ts, and takes the least of all of F, it
 * means f ≤ Ts, and the least of the slots that are busy.)
 */
export function runOrder(driver: Driver, sampler: Sampler, begin: number): void {
  const { pool } = driver;
  const queues = new FamilyQueues(driver, pool.machines.count);
  const running = new CompletionHeap();
  const started = (job: number, end: number): void => running.add(job, end);
  for (let now = begin; ;) {
    driver.advance(now);
    sampler.take(now, queues.waiting);
    while (running.firstTime <= now) driver.finish(running.take());
    queues.open();
    for (let row = queues.first(now); row !== NONE; row = queues.first(now)) {
      const job = driver.submitRow(row);
      if (driver.cycle(now, started) > 0) queues.shift();
      else {
        // What a family's first job found no slot for, its others find none for.
        queues.close();
        pool.cancel(job);
      }
    }
    if (queues.waiting === 0) return;
    now = Math.min(running.firstTime + 1, pool.nextChange);
  }
}

/**
 * The queues V1 … Vk: a family's rows in the order of the log. Those of a family
 * that the policy has no slot for are closed until the clock moves.
 */
class FamilyQueues {
  /** Rows in all queues. */
  waiting = 0;
  private readonly driver: Driver;
  private readonly most: number;
  private readonly queues: readonly RowQueue[];
  private readonly isClosed: boolean[];
  /** The family of the row that `first` gave. */
  private family = 0;

  /** @param most rows that wait at a time, while the log has any */
  constructor(driver: Driver, most: number) {
    this.driver = driver;
    this.most = most;
    const families = driver.pool.packing?.families ?? 0;
    this.queues = Array.from({ length: families + 1 }, () => new RowQueue());
    this.isClosed = this.queues.map(() => false);
  }

  /** The clock has moved: every family may try again. */
  open(): void {
    this.isClosed.fill(false);
  }

  /** The first row of the queues that are open, or `NONE`. What there is room for arrives before. */
  first(now: number): number {
    const { driver, queues, isClosed } = this;
    const { submitSeconds } = driver.schedule;
    for (; this.waiting < this.most && driver.nextRow < submitSeconds.length; this.waiting++) {
      const row = driver.takeRow();
      submitSeconds[row] = now;
      queues[driver.familyOf === null ? 0 : driver.familyOf[row]].push(row);
    }
    if (this.waiting > driver.queueLengthMax) driver.queueLengthMax = this.waiting;
    let first = NONE;
    for (let family = 0; family < queues.length; family++) {
      const row = isClosed[family] ? NONE : queues[family].first;
      if (row === NONE || (first !== NONE && row > first)) continue;
      first = row;
      this.family = family;
    }
    return first;
  }

  /** The row that `first` gave has started. */
  shift(): void {
    this.queues[this.family].shift();
    this.waiting--;
  }

  close(): void {
    this.isClosed[this.family] = true;
  }
}

/** Rows, first in, first out. */
class RowQueue {
  private rows = new Int32Array(64);
  private start = 0;
  private count = 0;

  get first(): number {
    return this.count === 0 ? NONE : this.rows[this.start];
  }

  push(row: number): void {
    const { length } = this.rows;
    if (this.count === length) {
      const wider = new Int32Array(length * 2);
      wider.set(this.rows.subarray(this.start));
      wider.set(this.rows.subarray(0, this.start), length - this.start);
      this.rows = wider;
      this.start = 0;
    }
    this.rows[(this.start + this.count++) % this.rows.length] = row;
  }

  shift(): void {
    this.start = (this.start + 1) % this.rows.length;
    this.count--;
  }
}

/** @throws InputError where it is no farm of equal nodes, with one slot a job */
export function checkSlotFarm(workload: Workload, machines: Machines): void {
  const cores = machines.coresMilli[0];
  if (
    machines.memoryMiB !== null ||
    machines.gpuMilli !== null ||
    cores % 1000 !== 0 ||
    machines.coresMilli.some((each) => each !== cores)
  ) {
    throw new InputError(
      `the order-driven clock is for equal nodes with a number of slots and nothing else, such as 800x8c; machines ${machines.name} are others`,
    );
  }
  const row = workload.coresMilli.findIndex(
    (cores, row) => cores !== 1000 || (workload.tasks !== null && workload.tasks[row] !== 1),
  );
  if (row >= 0) {
    throw new InputError(
      `the order-driven clock is for jobs of one slot; row ${row + 1} of workload ${workload.name} asks for more: use the time-driven clock`,
    );
  }
}
