import type { Capabilities, Machine, Placement } from "../engine.ts";

interface Use {
  coresMilli: number;
  memoryMiB: number;
  gpuMilli: number;
}

/** What attempts hold of each machine. It is counted here too, so that a mistake of the service is noticed. */
export class Occupancy {
  private readonly uses = new Map<string, Use>();
  private readonly suspendGives: Capabilities["suspend"];

  constructor(suspend: Capabilities["suspend"]) {
    this.suspendGives = suspend;
  }

  take(placement: readonly Placement[]): void {
    for (const part of placement) this.add(part, 1, true);
  }

  give(placement: readonly Placement[]): void {
    for (const part of placement) this.add(part, -1, true);
  }

  /** Gives back what a suspended attempt does not keep. */
  suspend(placement: readonly Placement[]): void {
    for (const part of placement) this.add(part, -1, this.suspendGives === "full");
  }

  resume(placement: readonly Placement[]): void {
    for (const part of placement) this.add(part, 1, this.suspendGives === "full");
  }

  /** The resource of which too little is free on the machine; null if the attempt fits. */
  lacks(machine: Machine, part: Placement): string | null {
    const use = this.uses.get(machine.name);
    if (part.coresMilli + (use?.coresMilli ?? 0) > machine.coresMilli) return "too few cores";
    if (part.memoryMiB + (use?.memoryMiB ?? 0) > machine.memoryMiB) return "too little memory";
    if (part.gpuMilli + (use?.gpuMilli ?? 0) > machine.gpuMilli) return "too few GPUs";
    return null;
  }

  /** As `lacks`, for an attempt that was suspended. */
  lacksToResume(machine: Machine, part: Placement): string | null {
    return this.lacks(machine, this.suspendGives === "full" ? part : { ...part, memoryMiB: 0, gpuMilli: 0 });
  }

  private add(part: Placement, sign: 1 | -1, isWhole: boolean): void {
    const use = this.uses.get(part.machine) ?? { coresMilli: 0, memoryMiB: 0, gpuMilli: 0 };
    use.coresMilli += sign * part.coresMilli;
    if (isWhole) {
      use.memoryMiB += sign * part.memoryMiB;
      use.gpuMilli += sign * part.gpuMilli;
    }
    this.uses.set(part.machine, use);
  }
}
