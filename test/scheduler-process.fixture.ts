import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

import { start } from "./cli/croft.fixture.ts";
import type { PodsCluster } from "./pods-cluster.fixture.ts";

/** `croft schedule-pods` as a process, with the rights of the example. */
export class SchedulerProcess {
  private readonly world: PodsCluster;
  private child: ChildProcess | null = null;
  private said = "";

  constructor(world: PodsCluster) {
    this.world = world;
  }

  start(): void {
    this.child = start(["schedule-pods", "--farm", this.world.farmPath], this.world.folder);
    this.child.stderr!.setEncoding("utf8").on("data", (text: string) => (this.said += text));
  }

  async stop(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    if (this.child === null) return;
    const ended = once(this.child, "exit");
    this.child.kill(signal);
    await ended;
    this.child = null;
  }

  /** What it has written since the last call. */
  takeSaid(): string {
    const { said } = this;
    this.said = "";
    return said;
  }
}
