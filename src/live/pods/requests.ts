import type { PlainRequest } from "../../core/index.ts";
import { Numbers } from "./numbers.ts";
import type { ScheduledPod } from "./objects.ts";
import type { Plan } from "./plan.ts";
import type { Terms } from "./terms.ts";
import type { PodWish } from "./wish.ts";

/** Families at a time: the most that the core packs. */
export const FAMILIES = 16;
/** Each priority has a queue, whether jobs have it or not. Of more, the lowest count as one. */
const MOST_PRIORITIES = 1000;
const MOST_TERMS = 10_000;

/** What pods ask for, as a decision engine knows it: by numbers, which are given as pods come. */
export class Requests {
  private readonly plan: Plan;
  private readonly terms = new Numbers<Terms>(Infinity);
  private readonly families = new Numbers<string>(FAMILIES);
  /** A family has no number: as many others have, or have had. */
  private isCrowded = false;
  /** Those that there are, ascending. */
  private priorities: readonly number[] = [];

  constructor(plan: Plan) {
    this.plan = plan;
  }

  /** Gives all numbers anew, for a new decision engine. */
  begin(ours: readonly ScheduledPod[]): void {
    this.terms.clear();
    this.families.clear();
    this.isCrowded = false;
    const values = ours.map(({ spec }) => spec.priority ?? 0);
    this.priorities = [...new Set([0, ...values])].sort((a, b) => a - b).slice(-MOST_PRIORITIES);
  }

  get priorityCount(): number {
    return this.priorities.length;
  }

  termsOf(requirement: number): Terms {
    return this.terms.of(requirement)!;
  }

  of({
    coresMilli,
    memoryMiB,
    gpuMilli,
    tasks,
    terms,
    family,
    priority,
    estimateSeconds,
  }: PodWish): PlainRequest {
    return {
      cores: coresMilli,
      memory: memoryMiB,
      gpu: gpuMilli,
      tasks,
      project: 0,
      heuristic: -1,
      estimateSeconds,
      requirement: this.terms.numberOf(terms),
      family: this.familyOf(family),
      virtualPool: 0,
      candidates: 0,
      priority: Math.max(0, this.priorities.indexOf(priority)),
    };
  }

  /** Whether numbers given anew would do better: there is a new priority, families have left, or there are very many terms. */
  isOutgrown(changed: readonly ScheduledPod[], ours: () => readonly ScheduledPod[], nodes: number): boolean {
    if (this.isCrowded) {
      this.isCrowded = false;
      const label = this.plan.familyLabel!;
      const families = new Set(ours().map(({ metadata: { labels = {} } }) => labels[label] ?? ""));
      families.delete("");
      if (families.size <= FAMILIES) return true;
    }
    return this.terms.count > MOST_TERMS + 4 * nodes || changed.some((pod) => this.isOfNewPriority(pod));
  }

  private isOfNewPriority({ spec: { schedulerName, priority = 0 } }: ScheduledPod): boolean {
    return (
      schedulerName === this.plan.schedulerName &&
      this.priorities.length < MOST_PRIORITIES &&
      !this.priorities.includes(priority)
    );
  }

  /** One for which there is no number is ordinary until another has left. */
  private familyOf(family: string): number {
    if (family === "") return 0;
    const number = this.families.numberOf(family);
    if (number === 0) this.isCrowded = true;
    return number;
  }
}
