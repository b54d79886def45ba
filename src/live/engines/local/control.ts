import type { WarningSignal } from "../engine.ts";
import type { Clock } from "../system/clock.ts";
import type { Census } from "./census.ts";
import { isStopped, type Process, type Processes, type Signal } from "./processes.ts";

/** How long to try: a process that waits for a disk can be neither stopped nor killed. */
const PATIENCE_SECONDS = 5;
/**
 * Every so many looks all are resumed for a moment. By the second look all are stopped, except those that cannot be.
 */
const LOOKS_TO_STOP = 4;

/** Signals to all processes of an attempt. Its wrapper, which has to record the end, gets none. */
export class Control {
  private readonly processes: Processes;
  private readonly census: Census;
  private readonly clock: Clock;

  constructor(processes: Processes, census: Census, clock: Clock) {
    this.processes = processes;
    this.census = census;
    this.clock = clock;
  }

  /** Asks all to end; those that stand still have to run for that. */
  async terminate(key: string): Promise<void> {
    this.signal(await this.members(key), "SIGTERM", "SIGCONT");
  }

  /**
   * Tells the command alone, which knows what of its own has to hear of it: the child of the wrapper.
   *
   * @param mayTell is asked at the last moment
   */
  async warn(
    key: string,
    wrapper: number,
    signal: WarningSignal,
    mayTell: () => Promise<boolean>,
  ): Promise<void> {
    const command = (await this.members(key)).filter(({ parent }) => parent === wrapper);
    if (await mayTell()) this.signal(command, `SIG${signal}`);
  }

  async resume(key: string): Promise<void> {
    this.signal(await this.members(key), "SIGCONT");
  }

  /**
   * Stops all; false if some could not be stopped.
   *
   * A process that waits for its child to begin another program (vfork) cannot be stopped, and the child,
   * stopped before it got there, never lets it go: so all go on for a moment, and are stopped anew.
   */
  async stop(key: string): Promise<boolean> {
    const end = this.clock.monotonicSeconds() + PATIENCE_SECONDS;
    for (let looks = 0; ; looks++) {
      const members = await this.members(key);
      if (members.every(isStopped)) return true;
      if (this.clock.monotonicSeconds() > end) return false;
      this.signal(members, looks % LOOKS_TO_STOP === LOOKS_TO_STOP - 1 ? "SIGCONT" : "SIGSTOP");
    }
  }

  /** Kills all, including processes that start meanwhile; false if some did not die. */
  async kill(key: string): Promise<boolean> {
    const end = this.clock.monotonicSeconds() + PATIENCE_SECONDS;
    for (;;) {
      const members = await this.members(key);
      if (members.length === 0) return true;
      if (this.clock.monotonicSeconds() > end) return false;
      this.signal(members, "SIGKILL");
    }
  }

  private async members(key: string): Promise<readonly Process[]> {
    return (await this.census.look()).members.get(key) ?? [];
  }

  private signal(members: readonly Process[], ...signals: Signal[]): void {
    for (const signal of signals) for (const { pid } of members) this.processes.signal(pid, signal);
  }
}
