import type { Jobs } from "../jobs/jobs.ts";

/** Machines of a pool that are kept for some people for a time. Farm files and users call it a reservation. */
export interface Booking {
  /** Names it in its pool. */
  readonly number: number;
  readonly machines: readonly number[];
  /** Seconds on the driver's clock; it is over at `until`. */
  readonly from: number;
  readonly until: number;
  /** The number of those who may start jobs there: see `BookingSettings`. */
  readonly people: number;
}

export interface BookingSettings {
  /** Whether jobs with this number in their request are of these people; the answer stays the same for ever. */
  readonly admits: (people: number, account: number) => boolean;
  /**
   * So far into a booking of others a job may run. The driver's clock may ring so late: a job that fits exactly between
   * two bookings would otherwise wait for both.
   */
  readonly lateSeconds: number;
  /** Those that there are from the beginning. Absent: none. */
  readonly first?: readonly Booking[];
}

const NO_MACHINES: readonly number[] = [];
const NO_BOOKINGS: readonly Booking[] = [];

/**
 * The bookings of a pool's machines: maintenance windows, courses, or whatever else they are kept for (Slurm's and PBS's
 * advance reservations). A job of other people starts on such a machine only if its estimate ends before the booking
 * begins, or when it is over; one without an estimate does not start there before. Jobs that run are left alone.
 *
 * What a job may use depends on its estimate and on the time, so little can be remembered by kind of request: of two
 * jobs of a kind, the one that takes longer is kept off at least as many machines.
 */
export class Bookings {
  /** Counts up when bookings come or go, or end. */
  changes = 0;
  /** See `BookingSettings`. */
  readonly lateSeconds: number;
  private readonly jobs: Jobs;
  private readonly admits: BookingSettings["admits"];
  /** Those that are not over, in the order in which they were made. */
  private list: Booking[] = [];
  private byMachine = new Map<number, Booking[]>();
  /** The time of the last cycle. */
  private now = -Infinity;

  constructor(jobs: Jobs, { admits, lateSeconds, first = [] }: BookingSettings) {
    this.jobs = jobs;
    this.admits = admits;
    this.lateSeconds = lateSeconds;
    for (const booking of first) this.add(booking);
  }

  get all(): readonly Booking[] {
    return this.list;
  }

  has(number: number): boolean {
    return this.list.some((booking) => booking.number === number);
  }

  add(booking: Booking): void {
    this.change([...this.list, booking]);
  }

  remove(number: number): void {
    this.change(this.list.filter((booking) => booking.number !== number));
  }

  /** At the start of a cycle: forgets the bookings that are over. Returns whether there were any. */
  begin(now: number): boolean {
    this.now = now;
    const left = this.list.filter(({ until }) => until > now);
    if (left.length === this.list.length) return false;
    this.change(left);
    return true;
  }

  /** When the next booking begins or ends; Infinity if none will. */
  get nextChange(): number {
    let next = Infinity;
    for (const { from, until } of this.list) next = Math.min(next, from > this.now ? from : until);
    return next;
  }

  /**
   * The earliest time, not before `time`, at which a job of a kind that is thought to run for so long may start on a
   * machine.
   */
  opensAt(kind: number, machine: number, seconds: number, time: number): number {
    const here = this.byMachine.get(machine) ?? NO_BOOKINGS;
    let opens = time;
    for (let isOpen = false; !isOpen;) {
      isOpen = true;
      for (const booking of here) {
        if (!this.keepsOff(booking, kind, seconds, opens)) continue;
        opens = booking.until;
        isOpen = false;
      }
    }
    return opens;
  }

  /** Whether a job may start at a time on one of the first so many machines, of those that are there. */
  isOpenTo(job: number, time: number, count: number, isThere: (machine: number) => boolean): boolean {
    if (this.byMachine.size === 0) return true;
    const { kind, estimateSeconds } = this.jobs;
    for (let machine = 0; machine < count; machine++)
      if (isThere(machine) && this.opensAt(kind[job], machine, estimateSeconds[job], time) === time)
        return true;
    return false;
  }

  /** The booking that keeps a job off a machine now; undefined: it may start there. */
  keepingOff(job: number, machine: number): Booking | undefined {
    const { kind, estimateSeconds } = this.jobs;
    return (this.byMachine.get(machine) ?? NO_BOOKINGS).find((booking) =>
      this.keepsOff(booking, kind[job], estimateSeconds[job], this.now),
    );
  }

  mayStart(job: number, machine: number): boolean {
    return this.list.length === 0 || this.keepingOff(job, machine) === undefined;
  }

  /** The machines on which a job must not start now, each once. */
  closedTo(job: number): readonly number[] {
    const keeping = this.keeping(job);
    if (keeping.length === 0) return NO_MACHINES;
    if (keeping.length === 1) return keeping[0].machines;
    return [...new Set(keeping.flatMap(({ machines }) => machines))];
  }

  /** Whether a reservation keeps this job off some machine now. */
  restrict(job: number): boolean {
    return this.keeping(job).length > 0;
  }

  /** For a snapshot: the bookings, and the time of the last cycle. */
  save(): { readonly bookings: readonly Booking[]; readonly now: number } {
    return { bookings: [...this.list], now: this.now };
  }

  load({ bookings, now }: { readonly bookings: readonly Booking[]; readonly now: number }): void {
    this.change([...bookings]);
    this.now = now;
  }

  private keeping(job: number): readonly Booking[] {
    if (this.list.length === 0) return NO_BOOKINGS;
    const { kind, estimateSeconds } = this.jobs;
    return this.list.filter((booking) => this.keepsOff(booking, kind[job], estimateSeconds[job], this.now));
  }

  /** Whether a job that starts at a time would run during a booking that is not for it. */
  private keepsOff({ from, until, people }: Booking, kind: number, seconds: number, start: number): boolean {
    if (start >= until || (start < from && start + seconds <= from + this.lateSeconds)) return false;
    return !this.admits(people, this.jobs.kinds.account[kind]);
  }

  private change(list: Booking[]): void {
    this.list = list;
    this.changes++;
    this.byMachine = new Map();
    for (const booking of list)
      for (const machine of booking.machines) {
        const here = this.byMachine.get(machine);
        if (here === undefined) this.byMachine.set(machine, [booking]);
        else here.push(booking);
      }
  }
}
