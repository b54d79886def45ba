import { NONE } from "../../matching/heuristic.ts";
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
      for (let machine = 0; machine < machines.count; machine++) sum += amounts[machine];
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
    /** Whether any waiting job is small enough for the cores that are free: if none is, no promise matters now. */
    const mayStart = (): boolean => {
      queue.begin();
      for (let job = queue.next(); job !== NONE; job = queue.next()) {
        if (jobs.cores[job] * jobs.tasks[job] <= machines.totalFreeCores) return true;
      }
      return false;
    };

    return {
      finished: (job) => running.remove(job),
      cycle(now, plan) {
        if (!mayStart()) return;
        startProfile(now);
        queue.begin();
        for (let job = queue.next(); job !== NONE && profile.coresNow > 0; job = queue.next()) {
          const tasks = jobs.tasks[job];
          const cores = jobs.cores[job] * tasks;
          const memory = jobs.memory[job] * tasks;
          const gpu = jobs.gpu[job] * tasks;
          const seconds = jobs.estimateSeconds[job];
          const time = profile.earliest(cores, memory, gpu, seconds);
          profile.take(time, cores, memory, gpu, seconds);
          if (time > now || !placer.place(job, own, plan)) continue;
          queue.placed(job);
          running.add(job, now);
        }
      },
    };
  },
};
