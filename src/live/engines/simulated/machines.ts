import type { Machine } from "../engine.ts";
import type { Clock } from "../system/clock.ts";
import { exponential, seeded } from "./draws.ts";
import type { SimulatedSettings } from "./settings.ts";

/** The machines, and their failures by the seed. */
export class SimulatedMachines {
  private readonly machines: Map<string, Machine>;
  private readonly settings: SimulatedSettings;
  private readonly clock: Clock;
  private readonly cancels = new Map<string, () => void>();
  private readonly changed: (machine: Machine) => void;

  constructor(settings: SimulatedSettings, clock: Clock, changed: (machine: Machine) => void) {
    this.settings = settings;
    this.clock = clock;
    this.changed = changed;
    this.machines = new Map(settings.machines.map((machine) => [machine.name, machine]));
  }

  get(name: string): Machine | undefined {
    return this.machines.get(name);
  }

  all(): Machine[] {
    return Array.from(this.machines.values());
  }

  set(name: string, state: Machine["state"], reason: string): void {
    const machine = this.machines.get(name);
    if (machine === undefined || (machine.state === state && machine.reason === reason)) return;
    const next = { ...machine, state, reason };
    this.machines.set(name, next);
    this.changed(next);
  }

  /** Failures begin when the engine is opened; none are drawn for the time before. */
  open(): void {
    const { failures, seed, speed } = this.settings;
    if (failures === null) return;
    for (const { name } of this.all()) {
      const random = seeded(seed, `machine ${name} at ${this.clock.boot}`);
      const turn = (isUp: boolean): void => {
        const mean = isUp ? failures.upMeanSeconds : failures.downMeanSeconds;
        const due = exponential(random, mean) / speed;
        const cancel = this.clock.after(due, () => {
          if (isUp) this.set(name, "down", "it failed, as simulated machines do");
          else this.set(name, "up", "");
          turn(!isUp);
        });
        this.cancels.set(name, cancel);
      };
      turn(true);
    }
  }

  close(): void {
    for (const cancel of this.cancels.values()) cancel();
  }
}
