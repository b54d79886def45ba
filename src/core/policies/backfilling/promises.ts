import { doubleColumns } from "../../arrays.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { Placements } from "../../jobs/placements.ts";
import { NONE } from "../../none.ts";
import { TimeHeap } from "../../time-heap.ts";
import { NOT_DELAYED } from "./delays.ts";

/** The calendar is cleared of times that no longer hold when it has this many more entries than there are promises. */
const OUTDATED = 1024;

/**
 * The promises that waiting jobs hold: for each a time, and machines for its tasks. A job that holds none at present
 * because it fits at no known time has the time `Infinity`.
 */
export class Promises {
  count = 0;
  /** Those of them that have no time at present. */
  timeless = 0;
  /** By job: when it is to start; NaN without a promise. */
  start = new Float64Array(1024).fill(NaN);
  /** By job: how long it is to have its machines. */
  seconds = new Float64Array(1024);
  /** By job: the first known time that it was promised, which is kept when it starts; NaN if there is none. */
  first = new Float64Array(1024).fill(NaN);
  /** By job: what moved it behind its first time, a delay of `delays.ts`. */
  delay = new Uint8Array(1024);
  /** By job: counts up in the order in which promises rank. */
  rank = new Float64Array(1024);
  /** By job: the first of its places, or `NONE`. */
  private entry = new Int32Array(1024).fill(NONE);
  /** The machines of promises, and how many tasks each gets. */
  readonly places = new Placements();
  private readonly jobs: Jobs;
  /** By place: its job and its neighbours on the machine. */
  private readonly onMachine = {
    job: new Int32Array(1024),
    next: new Int32Array(1024),
    previous: new Int32Array(1024),
  };
  /** By machine: its first place, or `NONE`. */
  private readonly firstOn: number[] = [];
  private calendar = new TimeHeap();
  private dated = 0;

  constructor(jobs: Jobs) {
    this.jobs = jobs;
  }

  has(job: number): boolean {
    return job < this.start.length && !Number.isNaN(this.start[job]);
  }

  /** Makes room for this many machines, and for the jobs that there are. */
  makeRoom(machines: number): void {
    while (this.firstOn.length < machines) this.firstOn.push(NONE);
    while (this.start.length < this.jobs.capacity) {
      const { length } = this.start;
      doubleColumns(this);
      this.start.fill(NaN, length);
      this.first.fill(NaN, length);
      this.entry.fill(NONE, length);
    }
  }

  /** A job waits that has not been promised anything. */
  clear(job: number): void {
    this.first[job] = NaN;
    this.delay[job] = NOT_DELAYED;
  }

  /** Promises a job a time. Its places are added next. */
  add(job: number, time: number, seconds: number): void {
    if (!this.has(job)) this.count++;
    this.start[job] = time;
    this.seconds[job] = seconds;
    if (time === Infinity) {
      this.timeless++;
      return;
    }
    if (this.dated > 2 * this.count + OUTDATED) this.renewCalendar();
    this.calendar.add(job, time);
    this.dated++;
  }

  /** Adds a machine to the promise of a job. */
  addPlace(job: number, machine: number, tasks: number): void {
    const entry = this.places.add(machine, tasks, this.entry[job]);
    this.entry[job] = entry;
    const { onMachine, firstOn } = this;
    while (entry >= onMachine.job.length) doubleColumns(onMachine);
    const next = firstOn[machine];
    onMachine.job[entry] = job;
    onMachine.next[entry] = next;
    onMachine.previous[entry] = NONE;
    if (next !== NONE) onMachine.previous[next] = entry;
    firstOn[machine] = entry;
  }

  /** Ends a job's promise. */
  remove(job: number): void {
    const { places, onMachine, firstOn } = this;
    for (let entry = this.entry[job]; entry !== NONE; entry = places.remove(entry)) {
      const next = onMachine.next[entry];
      const previous = onMachine.previous[entry];
      if (next !== NONE) onMachine.previous[next] = previous;
      if (previous === NONE) firstOn[places.machineOf(entry)] = next;
      else onMachine.next[previous] = next;
    }
    this.entry[job] = NONE;
    if (this.start[job] === Infinity) this.timeless--;
    this.start[job] = NaN;
    this.count--;
  }

  /** The job's first place, or `NONE`; `places.after` has the next. */
  firstPlace(job: number): number {
    return this.entry[job];
  }

  /** Calls `visit` with each job that has a place on a machine. */
  visitOn(machine: number, visit: (job: number) => void): void {
    const { job, next } = this.onMachine;
    for (let entry = this.firstOn[machine]; entry !== NONE; entry = next[entry]) visit(job[entry]);
  }

  /** Calls `visit` with each job that holds a promise. */
  visitAll(visit: (job: number) => void): void {
    for (let job = 0; job < this.start.length; job++) if (this.has(job)) visit(job);
  }

  /** The earliest time that is promised; Infinity if there is none. */
  get nextTime(): number {
    const { calendar } = this;
    while (calendar.firstTime < Infinity) {
      const time = calendar.firstTime;
      const job = calendar.first;
      if (this.start[job] === time) return time;
      calendar.take();
      this.dated--;
    }
    return Infinity;
  }

  /** The jobs whose time is `now` or before, by rank. They stay in the calendar until their promises end. */
  due(now: number): number[] {
    const found: number[] = [];
    while (this.nextTime <= now) {
      found.push(this.calendar.take());
      this.dated--;
    }
    return found.sort((a, b) => this.rank[a] - this.rank[b]).filter((job, i) => job !== found[i - 1]);
  }

  private renewCalendar(): void {
    const { start } = this;
    const kept: [number, number][] = [];
    this.calendar.drain((job, time) => {
      if (start[job] === time) kept.push([job, time]);
    });
    for (const [job, time] of kept) this.calendar.add(job, time);
    this.dated = kept.length;
  }
}
