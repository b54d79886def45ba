import { doubled } from "../../jobs/jobs.ts";
import { DRAINED } from "../../machines/machine-state.ts";
import { NONE } from "../../none.ts";
import type { PolicyKind } from "../../pool/policy.ts";
import { Profile } from "./profile.ts";
import { RunningJobs } from "./running-jobs.ts";

/**
 * Conservative backfilling (Mu'alem and Feitelson 2001): every waiting job, in
 * order of arrival, is promised the earliest time at which it fits around those
 * promised before it; the jobs whose time is now start.
 *
 * Promises are made anew in every pass from what is known then, on the pool's
 * cores and memory as a whole. On a pool of several machines a job whose time has
 * come may still find them fragmented; it then keeps what it was promised, and is
 * tried again in the next pass.
 */
export const conservative: PolicyKind = {
  name: "conservative",
  summary: "conservative backfilling: later jobs may pass as long as no waiting job is delayed",
  takesHeuristic: true,
  needsEstimates: true,
  needsMemory: false,
  reactsToEvents: true,
  create(context, heuristic) {
    const { machines, jobs, queue, placer } = context;
    const own = context.chooser(heuristic);
    const running = new RunningJobs(jobs);
    const profile = new Profile();

    const total = (amounts: Int32Array): number => {
      let sum = 0;
      for (let machine = 0; machine < machines.count; machine++)
        if (machines.closed[machine] !== DRAINED) sum += amounts[machine];
      return sum;
    };
    const startProfile = (now: number): void => {
      profile.start(now, machines.totalFreeCores, total(machines.freeMemory), total(machines.freeGpu));
      running.look(now);
      for (let i = 0; i < running.count; i++) {
        const job = running.jobAt(i);
        const tasks = jobs.tasks[job];
        profile.release(
          running.expectedEnd(job, now),
          jobs.cores[job] * tasks,
          jobs.memory[job] * tasks,
          jobs.gpu[job] * tasks,
        );
      }
    };
    /** How many jobs, in order, have to be promised a time: up to the last that is small enough for the free cores. */
    const jobsToPromise = (): number => {
      let last = 0;
      queue.begin();
      for (let job = queue.next(), place = 1; job !== NONE; job = queue.next(), place++) {
        if (jobs.cores[job] * jobs.tasks[job] <= machines.totalFreeCores) last = place;
      }
      return last;
    };
    const promises = new PromisesOfKinds();

    return {
      finished: (job) => running.remove(job),
      joined: (job, now) => running.add(job, now),
      cycle(now, plan) {
        const count = jobsToPromise();
        if (count === 0) return;
        startProfile(now);
        promises.clear();
        queue.begin();
        for (let place = 1; place <= count && profile.coresNow > 0; place++) {
          const job = queue.next();
          const tasks = jobs.tasks[job];
          const cores = jobs.cores[job] * tasks;
          const memory = jobs.memory[job] * tasks;
          const gpu = jobs.gpu[job] * tasks;
          const seconds = jobs.estimateSeconds[job];
          const notBefore = Math.max(now, promises.latest(jobs.kind[job], seconds));
          const time = profile.earliest(cores, memory, gpu, seconds, notBefore);
          promises.note(jobs.kind[job], seconds, time);
          profile.take(time, cores, memory, gpu, seconds);
          if (time > now || !placer.place(job, own, plan)) continue;
          queue.placed(job);
          running.add(job, now);
        }
      },
    };
  },
};

/**
 * What jobs of each kind of request were promised last in a pass. What is free
 * only shrinks within one, so a job that asks for the same for at least as long
 * gets no earlier time, and need not be tried at one.
 */
class PromisesOfKinds {
  private pass = 0;
  private passOf = new Float64Array(256);
  private seconds = new Float64Array(256);
  private time = new Float64Array(256);

  clear(): void {
    this.pass++;
  }

  /** A time before which there is no use looking; -Infinity where nothing is known. */
  latest(kind: number, seconds: number): number {
    const isKnown = kind < this.passOf.length && this.passOf[kind] === this.pass;
    return isKnown && seconds >= this.seconds[kind] ? this.time[kind] : -Infinity;
  }

  note(kind: number, seconds: number, time: number): void {
    if (kind === 0) return;
    while (kind >= this.passOf.length) {
      this.passOf = doubled(this.passOf);
      this.seconds = doubled(this.seconds);
      this.time = doubled(this.time);
    }
    this.passOf[kind] = this.pass;
    this.seconds[kind] = seconds;
    this.time[kind] = time;
  }
}
