import { sum, tasksIn, type Job, type Size } from "./farm.fixture.ts";
import { countOn, placeTasks, type Heuristic } from "./place.fixture.ts";

/** Where and when a job is to run. */
export interface Place {
  readonly start: number;
  /** The machine of each task. */
  readonly machines: readonly number[];
}

/** What a job takes of one machine, from a time until before another. */
interface Window {
  readonly job: Job;
  readonly from: number;
  readonly to: number;
  readonly tasks: number;
}

/** How much of each machine is free at each time, beside the windows of running jobs and of promises. */
export class Timeline {
  readonly machines: readonly Size[];
  private windows: Window[][];

  constructor(machines: readonly Size[]) {
    this.machines = machines;
    this.windows = machines.map(() => []);
  }

  add(job: Job, { start, machines }: Place): void {
    for (const machine of new Set(machines))
      this.windows[machine].push({
        job,
        from: start,
        to: start + job.estimate,
        tasks: countOn(machines, machine),
      });
  }

  remove(job: Job): void {
    this.windows = this.windows.map((windows) => windows.filter((window) => window.job !== job));
  }

  /** What is free of a machine at a time. */
  freeAt(machine: number, time: number): Size {
    let { cores, memory, gpus } = this.machines[machine];
    for (const { job, from, to, tasks } of this.windows[machine]) {
      if (time < from || time >= to) continue;
      cores -= tasks * job.task.cores;
      memory -= tasks * job.task.memory;
      gpus -= tasks * job.task.gpus;
    }
    return { cores, memory, gpus };
  }

  /** How many tasks of a job a machine can take for the whole estimate from a time on. */
  roomFor(job: Job, machine: number, start: number): number {
    let room = tasksIn(this.freeAt(machine, start), job.task);
    for (const { from } of this.windows[machine]) {
      if (room === 0) break;
      if (from > start && from < start + job.estimate)
        room = Math.min(room, tasksIn(this.freeAt(machine, from), job.task));
    }
    return room;
  }

  /** Where a job would be if it started at a time; null if it does not fit then for its whole estimate. */
  placeAt(job: Job, start: number, heuristic: Heuristic): Place | null {
    const rooms = this.machines.map((_, machine) => this.roomFor(job, machine, start));
    if (sum(rooms) < job.tasks) return null;
    const free = this.machines.map((_, machine) => this.freeAt(machine, start));
    const mayTake = (machine: number, placed: readonly number[]) => countOn(placed, machine) < rooms[machine];
    return { start, machines: placeTasks(job, free, heuristic, mayTake)! };
  }

  /**
   * The earliest place of a job: at `now`, or at the end of a window, since what is free grows only there.
   *
   * @returns null if there is none before `limit`
   */
  earliest(job: Job, now: number, heuristic: Heuristic, limit = Infinity): Place | null {
    const ends = this.windows.flat().map(({ to }) => to);
    const times = [...new Set([now, ...ends])].filter((time) => time >= now && time < limit);
    for (const time of times.sort((a, b) => a - b)) {
      const place = this.placeAt(job, time, heuristic);
      if (place !== null) return place;
    }
    return null;
  }
}
