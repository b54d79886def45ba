import type { View } from "../../core/index.ts";
import type { RunObserver } from "../run/run-observer.ts";
import { FrameTaker, MAX_PICTURED_SLOTS, type FarmFrames } from "./frames.ts";
import { PackingMeter } from "./meter.ts";
import { SlotTable } from "./slots.ts";

/** Measures the packing of a run, and takes pictures of the farm where they are wanted. */
export class PackingObserver implements RunObserver {
  readonly meter: PackingMeter;
  /** Null unless pictures are taken. */
  private readonly slots: SlotTable | null;
  private readonly taker: FrameTaker | null;
  /** The running jobs, kept until the meter has measured one. */
  private readonly unseen = new Set<number>();
  /** Whether a job was submitted that was not rejected: what is measured begins with it. */
  private isOpened = false;

  /**
   * @param begin when the run begins, in its time
   * @param spanSeconds how long it is expected to take
   * @param from, until the time in between counts for the indicators
   */
  constructor(
    view: View,
    begin: number,
    spanSeconds: number,
    from: number,
    until: number,
    takesPictures: boolean,
  ) {
    this.meter = new PackingMeter(view.pools, from, until);
    const slots = takesPictures ? new SlotTable(view) : null;
    this.slots = slots !== null && slots.size <= MAX_PICTURED_SLOTS ? slots : null;
    this.taker =
      this.slots === null ? null : new FrameTaker(this.slots, begin, spanSeconds, () => this.meter);
  }

  submitted(_row: number, _job: number, _pool: number, now: number): void {
    if (!this.isOpened) this.meter.beginAt(now);
    this.isOpened = true;
  }

  advance(now: number): void {
    if (this.isOpened) this.meter.advance(now);
    this.taker?.advance(now);
    if (this.unseen.size > 0 && this.meter.hasSeenUse) this.unseen.clear();
  }

  runs(job: number, pool: number): void {
    if (!this.meter.hasSeenUse) this.unseen.add(job);
    this.slots?.start(job, pool);
  }

  stops(job: number, pool: number): void {
    this.unseen.delete(job);
    this.slots?.finish(job, pool);
  }

  /**
   * The jobs whose ends have to be awaited after the last start, because nothing ran in the time measured until then:
   * usually all jobs started at once. None if something did run.
   */
  get unmeasured(): readonly number[] {
    return [...this.unseen];
  }

  frames(): FarmFrames | null {
    return this.taker?.taken() ?? null;
  }
}
