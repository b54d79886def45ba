import { describe, expect, it } from "vitest";

import { NONE } from "../none.ts";
import { EngineJobs } from "./engine-jobs.ts";
import { FREE, HELD, IN_TRANSFER, RUNNING, STARTING, UNASSIGNED, WAITING } from "./job-states.ts";
import { go, loadStates, transition } from "./transition.ts";

const request = {
  cores: 1000,
  memory: 0,
  gpu: 0,
  tasks: 1,
  project: 0,
  heuristic: NONE,
  estimateSeconds: null,
};

function aJob(jobs: EngineJobs): number {
  const job = jobs.jobs.add(request);
  jobs.open(job);
  return job;
}

describe("a job's transitions", () => {
  it("are counted by state, in all and by pool", () => {
    const jobs = new EngineJobs(false, 2, true);
    const [a, b] = [aJob(jobs), aJob(jobs)];
    go(jobs, a, UNASSIGNED, NONE);
    go(jobs, b, IN_TRANSFER, 1);
    const { counts } = jobs;
    expect([counts.ofPool(NONE, UNASSIGNED), counts.ofPool(1, IN_TRANSFER), jobs.waiting]).toEqual([1, 1, 1]);
    go(jobs, a, WAITING, 0);
    go(jobs, b, WAITING, 1);
    expect([counts.ofPool(NONE, UNASSIGNED), counts.of(WAITING), counts.ofPool(0, WAITING)]).toEqual([
      0, 2, 1,
    ]);
    transition(jobs, a, STARTING);
    transition(jobs, a, RUNNING);
    // To another pool: it is counted there, and no longer where it was.
    go(jobs, b, WAITING, 0);
    expect([counts.ofPool(0, RUNNING), counts.ofPool(0, WAITING), counts.ofPool(1, WAITING)]).toEqual([
      1, 1, 0,
    ]);
    jobs.close(a);
    jobs.close(b);
    expect([counts.of(RUNNING), counts.of(WAITING), counts.of(FREE), jobs.state[a]]).toEqual([0, 0, 0, FREE]);
  });

  it("are refused where a state cannot follow", () => {
    const jobs = new EngineJobs(true, 1, false);
    const job = aJob(jobs);
    expect(() => go(jobs, job, STARTING, 0)).toThrow("a job in state 0 cannot go to state 6");
    go(jobs, job, WAITING, 0);
    transition(jobs, job, HELD);
    expect(() => transition(jobs, job, RUNNING)).toThrow("a job in state 5 cannot go to state 2");
  });

  it("are counted in no pool after a job was loaded that is in none", () => {
    const jobs = new EngineJobs(false, 1, false);
    const job = aJob(jobs);
    loadStates(jobs, [UNASSIGNED], [NONE]);
    transition(jobs, job, HELD);
    expect([jobs.counts.ofPool(NONE, HELD), jobs.counts.ofPool(0, HELD)]).toEqual([1, 0]);
  });
});
