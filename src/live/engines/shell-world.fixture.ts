import type { AttemptId } from "./attempt-id.ts";
import type { StartRequest } from "./engine.ts";
import type { ShellJobs } from "./shell-jobs.fixture.ts";
import type { JobKind, World } from "./world.fixture.ts";

type Shared = "request" | "release" | "runs" | "progress" | "isAlive" | "until";

/** What is the same in every world where jobs are processes of this machine, in real time. */
export abstract class ShellWorld implements Pick<World, Shared> {
  abstract readonly machines: readonly [string, ...string[]];
  abstract readonly jobs: ShellJobs;
  private readonly patienceSeconds: number;

  constructor(patienceSeconds: number) {
    this.patienceSeconds = patienceSeconds;
  }

  request(id: AttemptId, kind: JobKind, machine = this.machines[0]): StartRequest {
    return this.jobs.request(id, kind, machine);
  }

  release(id: AttemptId): void {
    this.jobs.release(id);
  }

  runs(id: AttemptId): number {
    return this.jobs.runs(id);
  }

  async progress(id: AttemptId): Promise<number> {
    return this.jobs.processes(id).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  }

  async isAlive(id: AttemptId): Promise<boolean> {
    return this.jobs.processes(id).length > 0;
  }

  async until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
    const end = Date.now() + this.patienceSeconds * 1000;
    while (!(await isSo())) {
      if (Date.now() > end)
        throw new Error(`not within ${this.patienceSeconds} s: ${what}\n${await this.situation()}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** What helps to see why something did not come about. */
  protected async situation(): Promise<string> {
    return "";
  }
}
