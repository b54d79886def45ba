import type { Jobs } from "../../jobs/jobs.ts";
import { NONE } from "../../none.ts";
import { takeGivenBack } from "./given-back.ts";
import type { Planner } from "./planner.ts";
import type { Profile } from "./profile.ts";

/** A job whose promise was taken back, and when that was to start. */
interface Displaced {
  readonly job: number;
  readonly start: number;
}

/**
 * So many jobs behind one that comes later are placed again: each costs as much as a new promise, and on a full farm
 * thousands wait while runs outlive their estimates every minute. Those farther behind keep what they were promised.
 */
const BEHIND = 100;

/** Takes back promises that cannot be kept, and places their jobs again. */
export class Displacing {
  private readonly planner: Planner;
  private readonly jobs: Jobs;

  constructor(planner: Planner, jobs: Jobs) {
    this.planner = planner;
    this.jobs = jobs;
  }

  /**
   * More is planned on these machines, or of licences, than there is. Takes back promises there, those of the lowest
   * rank first, until the rest fits, and places their jobs again.
   */
  makeGood(machines: number[], delay: number): void {
    const { plans, promises } = this.planner;
    const { kind, kinds } = this.jobs;
    const displaced: Displaced[] = [];
    this.countGivenBack(-1);
    for (const machine of machines)
      this.displaceFrom(plans.profiles[machine], displaced, (visit) => promises.visitOn(machine, visit));
    plans.licences.forEach((profile, licence) =>
      this.displaceFrom(profile, displaced, (visit) =>
        promises.visitAll((job) => {
          if (plans.asksFor(kinds.licences[kind[job]], licence)) visit(job);
        }),
      ),
    );
    this.countGivenBack(1);
    machines.length = 0;
    this.placeAgain(displaced, delay);
  }

  /** Takes back promises, of those that `visitAll` visits, until no time is left at which one is in the way. */
  private displaceFrom(
    profile: Profile,
    displaced: Displaced[],
    visitAll: (visit: (job: number) => void) => void,
  ): void {
    const { planner } = this;
    const { promises } = planner;
    let at = profile.overcommittedAt(planner.now);
    while (at < Infinity) {
      let last = NONE;
      let next = Infinity;
      visitAll((job) => {
        const start = promises.start[job];
        if (start > at) next = Math.min(next, start);
        else if (start + promises.seconds[job] <= at) return;
        else if (last === NONE || promises.rank[job] > promises.rank[last]) last = job;
      });
      if (last !== NONE) displaced.push(this.displace(last));
      // What runs alone may take more than there is, for a while: the promises after that count.
      else if (next < Infinity) at = next;
      else break;
      at = profile.overcommittedAt(at);
    }
  }

  /** Takes back a promise that is to be placed again. */
  displace(job: number): Displaced {
    const start = this.planner.promises.start[job];
    this.planner.withdraw(job);
    return { job, start };
  }

  /**
   * Places jobs whose promises were taken back again, in the order of their ranks. If one of them comes later than it was
   * promised, so are the next that rank behind it: none of these passes it by keeping its promise.
   */
  placeAgain(displaced: Displaced[], delay: number): void {
    const { givenBack, moves } = this.planner;
    if (displaced.length === 0) return;
    this.countGivenBack(-1);
    this.placeInOrder(displaced, delay);
    this.countGivenBack(1);
    // They may be where the ended jobs still are: until these are gone, the sum of all machines hides what others have.
    if (givenBack.length > 0) moves.freedLicences(Infinity);
  }

  private placeInOrder(displaced: Displaced[], delay: number): void {
    const { planner } = this;
    const { promises } = planner;
    const byRank = (a: Displaced, b: Displaced): number => promises.rank[a.job] - promises.rank[b.job];
    displaced.sort(byRank);
    let first = 0;
    for (; first < displaced.length; first++) {
      const { job, start } = displaced[first];
      planner.place(job);
      if (promises.start[job] > start) break;
    }
    if (first === displaced.length) return;
    planner.withdraw(displaced[first].job);
    const rank = promises.rank[displaced[first].job];
    const behind: number[] = [];
    promises.visitAll((job) => {
      if (promises.rank[job] > rank) behind.push(job);
    });
    behind.sort((a, b) => promises.rank[a] - promises.rank[b]);
    const again = displaced.slice(first).concat(behind.slice(0, BEHIND).map((job) => this.displace(job)));
    for (const { job, start } of again.sort(byRank)) {
      planner.place(job);
      if (promises.start[job] > Math.max(start, promises.first[job])) promises.delay[job] = delay;
    }
  }

  /**
   * Counts what ended jobs left unused as taken (`sign` 1), or as free (-1). To jobs that come in this pass it counts as
   * taken. While promises are put off it counts as free: none is put off for a job that has ended.
   */
  private countGivenBack(sign: number): void {
    const { plans, givenBack } = this.planner;
    for (const each of givenBack) takeGivenBack(plans, each, sign);
  }
}
