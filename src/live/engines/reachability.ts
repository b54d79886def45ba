import type { Report, Unreachable } from "./engine.ts";
import { diskFailure } from "./system/disk.ts";
import type { Clock } from "./system/clock.ts";

const RETRY_SECONDS = 1;

/** Whether an engine can do its work, or what prevents it: its disk, or its controller. */
export class Reachability {
  private readonly clock: Clock;
  private readonly report: (report: Report) => void;
  private readonly troubles = new Map<string, Unreachable>();
  private readonly waiting: (() => void)[] = [];

  constructor(clock: Clock, report: (report: Report) => void) {
    this.clock = clock;
    this.report = report;
  }

  /** The first of the troubles; null: there is none. */
  get unreachable(): Unreachable | null {
    for (const trouble of this.troubles.values()) return trouble;
    return null;
  }

  lost(what: string, reason: string): void {
    if (this.troubles.has(what)) return;
    const trouble: Unreachable = { kind: "unreachable", reason, sinceUnixSeconds: this.clock.unixSeconds() };
    this.troubles.set(what, trouble);
    this.report(trouble);
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  /** Resolves as soon as something prevents its work. */
  async whenLost(): Promise<void> {
    if (this.unreachable === null) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  found(what: string): void {
    if (this.troubles.delete(what) && this.troubles.size === 0) this.report({ kind: "reachable" });
  }

  /** Does a task that must be done: repeats it as long as the disk fails. */
  async insist<Result>(task: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        const result = await task();
        this.found("disk");
        return result;
      } catch (error) {
        this.lost("disk", diskFailure(error));
        await new Promise<void>((resolve) => this.clock.after(RETRY_SECONDS, resolve));
      }
    }
  }
}
