import type { MemoryDisk } from "../system/memory-disk.fixture.ts";
import type { VirtualClock } from "../system/virtual-clock.fixture.ts";

/** What a job does when it is left alone. */
export interface JobPlan {
  readonly runSeconds: number;
  readonly status: number;
  /** How long it takes to end when asked to; null: it does not listen. */
  readonly listensSeconds: number | null;
}

interface Running {
  readonly jobId: string;
  readonly node: string;
  readonly key: string;
  readonly folder: string;
  readonly status: number;
  endsAt: number;
  /** What is left to run of a suspended one. */
  left: number | null;
  cancel: () => void;
}

/** A node that is not heard of for so long is down. */
const DOWN_SECONDS = 10;
const RETRY_SECONDS = 2;

/** The nodes of the stand-in, and what runs there: wrappers and their jobs, as the real ones leave records. */
export class StandInNodes {
  /** How often each attempt's job began, by the attempt's key. */
  readonly runs = new Map<string, number>();
  private readonly clock: VirtualClock;
  private readonly disk: MemoryDisk;
  private readonly plan: (key: string) => JobPlan;
  private readonly tell: (jobId: string, state: string) => boolean;
  private readonly processes = new Map<string, Running>();
  /** Since when a node is gone; null: it is there. */
  private readonly goneSince: Map<string, number | null>;

  /** @param tell the controller that a job's processes are gone; false where it does not hear */
  constructor(
    clock: VirtualClock,
    disk: MemoryDisk,
    plan: (key: string) => JobPlan,
    names: readonly string[],
    tell: (jobId: string, state: string) => boolean,
  ) {
    this.clock = clock;
    this.disk = disk;
    this.plan = plan;
    this.tell = tell;
    this.goneSince = new Map(names.map((name) => [name, null]));
  }

  names(): string[] {
    return [...this.goneSince.keys()];
  }

  isRegistered(name: string): boolean {
    return this.goneSince.get(name) === null;
  }

  isDown(name: string): boolean {
    const since = this.goneSince.get(name);
    return since !== null && since !== undefined && this.clock.monotonicSeconds() > since + DOWN_SECONDS;
  }

  /** The node ends, with all that runs there. */
  crash(name: string): void {
    if (!this.isRegistered(name)) return;
    this.goneSince.set(name, this.clock.monotonicSeconds());
    for (const process of this.processes.values()) if (process.node === name) this.drop(process);
  }

  restart(name: string): void {
    this.goneSince.set(name, null);
  }

  running(): string[] {
    return [...this.processes.keys()];
  }

  isAlive(key: string): boolean {
    return [...this.processes.values()].some((process) => process.key === key);
  }

  /** False where a job of that number runs there already. */
  launch({
    id,
    node,
    folder,
  }: {
    readonly id: string;
    readonly node: string;
    readonly folder: string;
  }): boolean {
    if (this.processes.has(id)) return false;
    const key = folder.slice(folder.lastIndexOf("/") + 1);
    const uptime = this.clock.monotonicSeconds().toFixed(2);
    const claim = `croft-start-1 1 1 0-0 ${uptime} ${id} ${node}\n`;
    if (!this.disk.hasFolder(folder)) this.gone(id, "FAILED");
    else if (!this.disk.createNow(`${folder}/start`, claim)) {
      this.disk.createNow(`${folder}/again`, "again\n");
      this.gone(id, "FAILED");
    } else {
      this.runs.set(key, (this.runs.get(key) ?? 0) + 1);
      const { runSeconds, status } = this.plan(key);
      const endsAt = this.clock.monotonicSeconds() + runSeconds;
      const process: Running = {
        jobId: id,
        node,
        key,
        folder,
        status,
        endsAt,
        left: null,
        cancel: () => undefined,
      };
      this.processes.set(id, process);
      this.wait(process, status);
    }
    return true;
  }

  setSuspended(jobId: string, isSuspended: boolean): void {
    const process = this.processes.get(jobId);
    if (process === undefined || (process.left !== null) === isSuspended) return;
    const now = this.clock.monotonicSeconds();
    process.cancel();
    if (isSuspended) process.left = Math.max(0, process.endsAt - now);
    else {
      process.endsAt = now + process.left!;
      process.left = null;
      this.wait(process, process.status);
    }
  }

  /** SIGTERM to the job. */
  terminate(jobId: string): void {
    const process = this.processes.get(jobId);
    if (process === undefined || process.left !== null) return;
    const { listensSeconds } = this.plan(process.key);
    if (listensSeconds === null) return;
    process.cancel();
    process.endsAt = Math.min(process.endsAt, this.clock.monotonicSeconds() + listensSeconds);
    this.wait(process, 143);
  }

  /** SIGTERM, and SIGKILL to all after a while. */
  end(jobId: string, killSeconds: number): void {
    this.setSuspended(jobId, false);
    this.terminate(jobId);
    this.clock.after(killSeconds, () => this.kill(jobId));
    // It may have gone without a word.
    if (!this.processes.has(jobId)) this.gone(jobId, "FAILED");
  }

  /** SIGKILL to all, the wrapper too: no record. */
  kill(jobId: string): void {
    const process = this.processes.get(jobId);
    if (process === undefined) return;
    this.drop(process);
    this.gone(jobId, "FAILED");
  }

  private drop(process: Running): void {
    process.cancel();
    this.processes.delete(process.jobId);
  }

  private wait(process: Running, code: number): void {
    process.cancel = this.clock.after(Math.max(0, process.endsAt - this.clock.monotonicSeconds()), () => {
      this.drop(process);
      const uptime = this.clock.monotonicSeconds().toFixed(2);
      const record = `croft-exit-1 ${code} ${uptime}\n0m0.00s 0m0.00s\n0m1.00s 0m0.00s\nend\n`;
      if (this.disk.hasFolder(process.folder)) this.disk.createNow(`${process.folder}/exit`, record);
      this.gone(process.jobId, code === 0 ? "COMPLETED" : "FAILED");
    });
  }

  private gone(jobId: string, state: string): void {
    this.clock.after(0.05, () => {
      if (!this.tell(jobId, state)) this.clock.after(RETRY_SECONDS, () => this.gone(jobId, state));
    });
  }
}
