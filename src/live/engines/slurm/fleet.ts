import type { Machine, Report } from "../engine.ts";
import type { SlurmAttempt } from "./attempt.ts";
import { machineOf, type SlurmNode } from "./nodes.ts";

/** The nodes of the partition as machines. */
export class Fleet {
  private readonly partition: string | null;
  private readonly report: (report: Report) => void;
  private readonly machines = new Map<string, Machine>();
  /** Capacities as of the last look, where they were others than reported. */
  private readonly changing = new Map<string, string>();
  /** Since when those that are not down have been known to the controller, by the monotonic clock. */
  private readonly registered = new Map<string, number>();

  /** @param partition null: all nodes */
  constructor(partition: string | null, report: (report: Report) => void) {
    this.partition = partition;
    this.report = report;
  }

  get(name: string): Machine | undefined {
    return this.machines.get(name);
  }

  all(): Machine[] {
    return [...this.machines.values()];
  }

  /** Whether a changed capacity was seen once, and has to be seen again before it counts. */
  get isInDoubt(): boolean {
    return this.changing.size > 0;
  }

  /** Null where one of them is down, or has not been seen since the controller was started. */
  registeredSince(machines: readonly string[]): number | null {
    let latest = -Infinity;
    for (const name of machines) latest = Math.max(latest, this.registered.get(name) ?? Infinity);
    return latest === Infinity ? null : latest;
  }

  /** A controller that was started knows of no node until it has registered. */
  controllerStarted(): void {
    this.registered.clear();
  }

  /** Takes the machines that an earlier engine saw, while this one cannot reach Slurm. */
  recall(machines: readonly Machine[]): void {
    for (const machine of machines) this.set(machine);
  }

  /** @returns whether anything is new */
  see(nodes: readonly SlurmNode[], attempts: Iterable<SlurmAttempt>, now: number): boolean {
    let isNew = false;
    const ours = ourUse(attempts);
    const names = new Set<string>();
    for (const node of nodes) {
      if (this.partition !== null && !node.partitions.includes(this.partition)) continue;
      names.add(node.name);
      if (node.state === "down") this.registered.delete(node.name);
      else if (!this.registered.has(node.name)) this.registered.set(node.name, now);
      if (this.seeOne(machineOf(node, ours.get(node.name) ?? { coresMilli: 0, memoryMiB: 0 }))) isNew = true;
    }
    for (const name of this.machines.keys()) {
      if (names.has(name)) continue;
      this.machines.delete(name);
      this.registered.delete(name);
      this.report({ kind: "machine-removed", name });
      isNew = true;
    }
    return isNew;
  }

  private set(machine: Machine): void {
    this.machines.set(machine.name, machine);
    this.report({ kind: "machine", machine });
  }

  /**
   * Reports changes at once, except for capacities: the queue and the nodes are not asked at the same moment, so a
   * job of ours that begins or ends between the two looks like one of others. A capacity counts once it was seen
   * twice.
   */
  private seeOne(machine: Machine): boolean {
    const { name } = machine;
    const before = this.machines.get(name);
    const capacity = capacityOf(machine);
    const isNew = before === undefined || before.state !== machine.state || before.reason !== machine.reason;
    const isChanged = before !== undefined && capacityOf(before) !== capacity;
    const isSeenTwice = this.changing.get(name) === capacity;
    if (isChanged) this.changing.set(name, capacity);
    else this.changing.delete(name);
    if (!isNew && !(isChanged && isSeenTwice)) return false;
    this.set(machine);
    return true;
  }
}

function capacityOf({ coresMilli, memoryMiB, gpuMilli, attributes }: Machine): string {
  return JSON.stringify([coresMilli, memoryMiB, gpuMilli, attributes]);
}

interface Use {
  coresMilli: number;
  memoryMiB: number;
}

/** What attempts that are not over take, those that Slurm has not started yet too. */
function ourUse(attempts: Iterable<SlurmAttempt>): Map<string, Use> {
  const uses = new Map<string, Use>();
  for (const { state, note } of attempts) {
    if (state === "over") continue;
    for (const { machine, coresMilli, memoryMiB } of note.placement) {
      const use = uses.get(machine) ?? { coresMilli: 0, memoryMiB: 0 };
      // Slurm counts whole cores, and none of a suspended job.
      if (state !== "suspended") use.coresMilli += Math.ceil(coresMilli / 1000) * 1000;
      use.memoryMiB += Math.ceil(memoryMiB);
      uses.set(machine, use);
    }
  }
  return uses;
}
