import type { Report, Unreachable } from "./engine.ts";
import { diskFailure } from "./system/disk.ts";
import type { Clock } from "./system/clock.ts";

const RETRY_SECONDS = 1;

/** Whether an engine can do its work, or what prevents it: its disk, or its controller. */
export class Reachability {
  private readonly clock: Clock;
  private readonly report: (report: Report) => void;
  private readonly problems = new Map<string, Unreachable>();
  private readonly waiting: (() => void)[] = [];

  constructor(clock: Clock, report: (report: Report) => void) {
    this.clock = clock;
    this.report = report;
  }

  /** The first of the problems; null: there is none. */
  get unreachable(): Unreachable | null {
    for (const problem of this.problems.values()) return problem;
    return null;
  }

  setProblem(what: string, reason: string): void {
    if (this.problems.has(what)) return;
    const problem: Unreachable = { kind: "unreachable", reason, sinceUnixSeconds: this.clock.unixSeconds() };
    this.problems.set(what, problem);
    this.report(problem);
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  /** Resolves as soon as something prevents its work. */
  async whenLost(): Promise<void> {
    if (this.unreachable === null) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  clearProblem(what: string): void {
    if (this.problems.delete(what) && this.problems.size === 0) this.report({ kind: "reachable" });
  }

  /** Does a task that must be done: repeats it as long as the disk fails. */
  async insist<Result>(task: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        const result = await task();
        this.clearProblem("disk");
        return result;
      } catch (error) {
        this.setProblem("disk", diskFailure(error));
        await new Promise<void>((resolve) => this.clock.after(RETRY_SECONDS, resolve));
      }
    }
  }
}
