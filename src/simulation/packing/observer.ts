import type { FamilyMachines, Pool } from "../../core/index.ts";
import type { RunObserver } from "../driver.ts";
import { FrameTaker, MOST_PICTURED_SLOTS, type FarmFrames } from "./frames.ts";
import { PackingMeter } from "./meter.ts";
import { SlotTable } from "./slots.ts";

/** Measures the packing of a run, and takes pictures of the farm where they are wanted. */
export class PackingObserver implements RunObserver {
  readonly meter: PackingMeter;
  /** Null unless pictures are taken. */
  readonly slots: SlotTable | null;
  private readonly taker: FrameTaker | null;
  /** What runs, until the meter has seen anything run. */
  private readonly unseen = new Set<number>();

  /**
   * @param begin when the run begins, in its time
   * @param spanSeconds how long it is expected to take
   * @param from, until the time in between counts for the indicators
   */
  constructor(
    pool: Pool,
    packing: FamilyMachines,
    begin: number,
    spanSeconds: number,
    from: number,
    until: number,
    takesPictures: boolean,
  ) {
    this.meter = new PackingMeter(pool.machines, packing, from, until);
    const slots = takesPictures ? new SlotTable(pool) : null;
    this.slots = slots !== null && slots.state.length <= MOST_PICTURED_SLOTS ? slots : null;
    this.taker =
      this.slots === null ? null : new FrameTaker(this.slots, begin, spanSeconds, () => this.meter);
  }

  advance(now: number): void {
    this.meter.advance(now);
    this.taker?.advance(now);
    if (this.unseen.size > 0 && this.meter.hasSeenUse) this.unseen.clear();
  }

  start(job: number, end: number): void {
    if (!this.meter.hasSeenUse) this.unseen.add(job);
    this.slots?.start(job, end);
  }

  finish(job: number): void {
    this.unseen.delete(job);
    this.slots?.finish(job);
  }

  /**
   * The jobs to see out once the last has started, since nothing ran in the time
   * measured until then: all started at once, as a rule. None where something did.
   */
  get unmeasured(): readonly number[] {
    return [...this.unseen];
  }

  frames(): FarmFrames | null {
    return this.taker?.taken() ?? null;
  }
}
