import type { Jobs } from "../../jobs/jobs.ts";
import type { WaitingKinds } from "../../jobs/waiting-kinds.ts";
import { NONE } from "../../none.ts";
import type { Candidates, TryOrder } from "./candidates.ts";
import { Heap } from "./heap.ts";
import { KindList } from "./kind-list.ts";

/**
 * The candidates kind by kind: a reason that keeps one job out keeps out all of its kind, or all long ones. So a pass
 * tries a few kinds when tens of thousands of jobs wait; on RICC's log that is the difference between seconds and
 * hours.
 *
 * Only for a queue in order of arrival, in which all jobs behind the head came after it.
 */
export class CandidatesByKind implements Candidates {
  private readonly jobs: Jobs;
  private readonly waitingKinds: WaitingKinds;
  private readonly mayFit: (kind: number) => boolean;
  readonly comesBefore: TryOrder;
  private readonly lists: KindList[] = [];
  /** By kind: the position in its list of the job to try next in this pass. */
  private readonly place: number[] = [];
  /** The kinds that have such a job: a heap, with the job that comes first on top. */
  private readonly heap: Heap;
  /** The kind of the job returned last; `NONE` once no more of it will come. */
  private given = NONE;
  private headArrival = 0;
  private now = 0;
  /** By kind: the state of the machines when its long jobs were left out, and the latest end that was allowed then. */
  private readonly limitedIn: number[] = [];
  private state = 0;
  private until = 0;
  /** The kinds of which only short jobs are tried in this pass. */
  private readonly limited: number[] = [];

  constructor(
    jobs: Jobs,
    waitingKinds: WaitingKinds,
    mayFit: (kind: number) => boolean,
    comesBefore: TryOrder,
  ) {
    this.jobs = jobs;
    this.waitingKinds = waitingKinds;
    this.mayFit = mayFit;
    this.comesBefore = comesBefore;
    const { lists, place } = this;
    this.heap = new Heap((kind, other) =>
      comesBefore(lists[kind].at(place[kind]), lists[other].at(place[other])),
    );
  }

  add(job: number): void {
    const kind = this.jobs.kind[job];
    const list = (this.lists[kind] ??= new KindList(this.jobs, this.comesBefore));
    // If no job of a kind is left its number may have gone to another kind.
    if (list.length === 0) this.limitedIn[kind] = NONE;
    list.add(job);
  }

  remove(job: number): void {
    this.lists[this.jobs.kind[job]].remove(job);
  }

  begin(head: number, now: number): void {
    const { jobs, waitingKinds, heap, limited } = this;
    this.headArrival = jobs.arrival[head];
    this.now = now;
    this.given = NONE;
    heap.items.length = 0;
    limited.length = 0;
    for (let i = 0; i < waitingKinds.count; i++) this.enter(waitingKinds.list[i], 0);
    heap.order();
  }

  next(): number {
    const { heap, lists, place } = this;
    if (this.given !== NONE) {
      const kind = this.given;
      if (this.advance(kind, place[kind] + 1)) this.heap.push(kind);
    }
    for (;;) {
      if (heap.items.length === 0) return (this.given = NONE);
      const kind = heap.pop();
      if (!this.mayFit(kind)) continue;
      this.given = kind;
      return lists[kind].at(place[kind]);
    }
  }

  leaveOutKind(): void {
    this.given = NONE;
  }

  leaveOutLong(until: number): void {
    const kind = this.given;
    this.until = until;
    this.limitedIn[kind] = this.state;
    this.limited.push(kind);
  }

  started(): void {
    this.state++;
    const { limited, given, lists, place, heap } = this;
    if (limited.length === 0) return;
    // The machines have changed, so long jobs that come after this one are to be tried again.
    const job = lists[given].at(place[given]);
    const isLimited = new Set(limited);
    limited.length = 0;
    let kept = 0;
    const { items } = heap;
    for (const kind of items) if (!isLimited.has(kind)) items[kept++] = kind;
    items.length = kept;
    for (const kind of isLimited) if (kind !== given) this.enter(kind, lists[kind].placeAfter(job));
    heap.order();
  }

  forget(): void {
    this.state++;
  }

  /** Takes a kind into the pass, from a position in its list on. */
  private enter(kind: number, from: number): void {
    if (!this.mayFit(kind)) return;
    if (this.limitedIn[kind] === this.state) this.limited.push(kind);
    if (this.advance(kind, from)) this.heap.items.push(kind);
  }

  /** Finds a kind's next job from a position on. Returns whether there is one. */
  private advance(kind: number, from: number): boolean {
    const { jobs, lists, place } = this;
    const list = lists[kind];
    const isLimited = this.limitedIn[kind] === this.state;
    for (let at = from; at < list.length; at++) {
      if (isLimited) at = list.nextWithin(at, this.now, this.until);
      // Jobs before the head have just been started.
      if (at === list.length || jobs.arrival[list.at(at)] > this.headArrival) {
        place[kind] = at;
        return at < list.length;
      }
    }
    return false;
  }
}
