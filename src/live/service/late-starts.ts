import type { EngineEvent, PlainDecision, Port } from "../../core/index.ts";
import { latePromiseText } from "../../simulation/index.ts";

/** Engines take some seconds to start and end jobs: a promise that comes so much later is kept. */
export const LATE_SECONDS = 60;

/** Jobs named of many. */
const NAMED = 5;

/** A job that ran for longer than it was expected to, and until when. */
interface Overrun {
  readonly job: number;
  readonly until: number;
}

/** Notices jobs that start later than their policy had first promised, and why. */
export class LateStarts {
  private readonly port: Port;
  /** The number that people know a job by. */
  private readonly jobOf: (engineJob: number) => number;
  /** By pool and machine, the last there. */
  private readonly overruns = new Map<string, Overrun>();

  constructor(port: Port, jobOf: (engineJob: number) => number) {
    this.port = port;
    this.jobOf = jobOf;
  }

  /** Before the decision engine hears of it, which then forgets where the job ran. */
  hears(event: EngineEvent): void {
    if (event.type !== "exited" && event.type !== "lost" && event.type !== "killed") return;
    const { port } = this;
    if (!port.has(event.job)) return;
    const pool = port.view.pools[port.poolOf(event.job)];
    const handle = port.handleOf(event.job);
    if (pool?.promises === undefined || !(port.view.jobs.estimatedEndOf(handle) < event.at)) return;
    const overrun = { job: this.jobOf(event.job), until: event.at };
    for (const machine of pool.machinesOf(handle))
      this.overruns.set(`${port.poolOf(event.job)} ${machine}`, overrun);
  }

  /**
   * What to tell of a job that starts now; null: it starts as promised, or was promised nothing.
   *
   * @param unixOffset what to add to the farm's clock for seconds since 1970
   */
  textOf({ job, pool, placement }: Start, now: number, unixOffset: number): string | null {
    const { promises } = this.port.view.pools[pool]!;
    const handle = this.port.handleOf(job);
    const firstSeconds = promises?.firstSeconds(handle) ?? NaN;
    if (!(now - firstSeconds >= LATE_SECONDS)) return null;
    const delay = promises?.delayOf?.(handle) ?? null;
    const by = delay === "overrun" ? this.overrunsOn(pool, placement, firstSeconds) : [];
    return latePromiseText({ firstSeconds, delay, by }, (seconds) => {
      const time = new Date((seconds + unixOffset) * 1000).toISOString();
      return `at ${time.slice(0, 19).replace("T", " ")} UTC`;
    });
  }

  private overrunsOn(pool: number, placement: Start["placement"], after: number): number[] {
    const found = new Set<number>();
    for (const { machine } of placement) {
      const last = this.overruns.get(`${pool} ${machine}`);
      if (last !== undefined && last.until > after) found.add(last.job);
    }
    return [...found].slice(0, NAMED);
  }
}

type Start = PlainDecision & { readonly type: "START" };
