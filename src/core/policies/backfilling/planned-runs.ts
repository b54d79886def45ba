import { doubleColumns } from "../../arrays.ts";
import { NONE } from "../../none.ts";
import type { PolicyContext, PolicyState } from "../../pool/policy.ts";
import { loadedGivenBack, savedGivenBack, takeGivenBack, type GivenBack } from "./given-back.ts";
import type { Planner } from "./planner.ts";
import { RunningJobs } from "./running-jobs.ts";
import { isBelow, isSeconds, savedColumn } from "./saved-columns.ts";

/** The running jobs as the plans count them: for which time their machines are taken. */
export class PlannedRuns {
  private readonly context: PolicyContext;
  private readonly planner: Planner;
  private readonly running: RunningJobs;
  /** By job that runs: the time for which its machines are taken in the plans. */
  private readonly window = { from: new Float64Array(1024), until: new Float64Array(1024) };

  constructor(context: PolicyContext, planner: Planner) {
    this.context = context;
    this.planner = planner;
    this.running = new RunningJobs(context.jobs);
  }

  save(placeOf: (job: number) => number): PolicyState {
    const { running, window, planner } = this;
    const jobs = Array.from({ length: running.count }, (_, place) => running.at(place));
    jobs.sort((a, b) => placeOf(a) - placeOf(b));
    const runs = jobs.flatMap((job) => [placeOf(job), window.from[job], window.until[job]]);
    return { runs: Float64Array.from(runs), given: savedGivenBack(planner.givenBack) };
  }

  /** @throws RangeError where the state is damaged */
  load(state: PolicyState): void {
    const { planner, window } = this;
    const { jobs, machines } = this.context;
    const runs = savedColumn(state, "runs", [isBelow(jobs.count), isSeconds, isSeconds]);
    for (let i = 0; i < runs.length; i += 3) {
      const job = runs[i];
      planner.takeRunning(job, window.from[job], window.until[job], -1);
      window.from[job] = runs[i + 1];
      window.until[job] = runs[i + 2];
      planner.takeRunning(job, window.from[job], window.until[job], 1);
    }
    for (const each of loadedGivenBack(state, machines.count)) {
      takeGivenBack(planner.plans, each, 1);
      planner.givenBack.push(each);
    }
  }

  /** A job starts, and takes its machines until its expected end. Its promise, or the caller, has taken them in the plans. */
  starts(job: number, now: number): void {
    const { window } = this;
    while (job >= window.from.length) doubleColumns(window);
    this.running.add(job, now);
    window.from[job] = now;
    window.until[job] = now + this.planner.secondsOf(job);
  }

  /** A job runs that took its machines outside of passes. */
  joins(job: number, now: number): void {
    this.starts(job, now);
    this.planner.takeRunning(job, now, this.window.until[job], 1);
  }

  /** A running job stops, and gives this back. */
  stops(job: number, given: GivenBack): void {
    const { plans, givenBack } = this.planner;
    this.running.remove(job);
    if (this.context.queue.length === 0 && givenBack.length === 0) takeGivenBack(plans, given, -1);
    else givenBack.push(given);
  }

  /**
   * A job goes on until another time: `stops` was called for it just before. Its machines are counted once until then.
   * Counted by both calls they would put off promises for which there is room.
   */
  runsOn(job: number, now: number): void {
    const { plans, givenBack } = this.planner;
    const until = now + this.planner.secondsOf(job);
    // None is there if nobody waited for it.
    const given = givenBack.pop();
    if (given !== undefined) {
      takeGivenBack(plans, { ...given, until: Math.min(until, given.until) }, -1);
      if (until < given.until) givenBack.push({ ...given, from: until });
    }
    this.joins(job, now);
  }

  /** What the plans count for a running job. */
  heldBy(job: number): GivenBack {
    const { jobs, placements } = this.context;
    const machine: number[] = [];
    const tasks: number[] = [];
    for (let entry = jobs.placement[job]; entry !== NONE; entry = placements.after(entry)) {
      machine.push(placements.machineOf(entry));
      tasks.push(placements.tasksOf(entry));
    }
    return {
      cores: jobs.coresOf(job),
      memory: jobs.memoryOf(job),
      gpu: jobs.gpuOf(job),
      licences: jobs.kinds.licences[jobs.kind[job]],
      from: this.window.from[job],
      until: this.window.until[job],
      machine,
      tasks,
    };
  }

  /**
   * A job that has outlived its estimate is expected to end 1 s later, then 2, 4, 8 … s after it was to end: promises
   * behind it are not moved every second.
   *
   * @returns the machines that are taken for longer
   */
  followOverruns(now: number): number[] {
    const { running, window, planner } = this;
    const { jobs, placements } = this.context;
    const short: number[] = [];
    for (let place = 0; place < running.count; place++) {
      const job = running.at(place);
      const end = jobs.estimatedEnd[job];
      if (end > now) break;
      if (window.until[job] > now) continue;
      let more = 1;
      while (end + more <= now) more *= 2;
      planner.takeRunning(job, window.until[job], end + more, 1);
      window.until[job] = end + more;
      for (let entry = jobs.placement[job]; entry !== NONE; entry = placements.after(entry))
        short.push(placements.machineOf(entry));
    }
    return short;
  }
}
