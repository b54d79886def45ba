import { TimeHeap } from "../../core/index.ts";
import { Random } from "../../workload/random.ts";
import { InputError } from "../../workload/index.ts";
import type { BuiltEngine } from "../build/build-engine.ts";
import type { MachineColumns } from "../build/machines.ts";
import type { Driver } from "./driver.ts";
import type { FailureFigures, FailureSettings, Outage } from "../settings/failure-settings.ts";
import type { Ledger } from "./ledger.ts";

/**
 * The stream of random numbers for failures, apart from that of strategies with the same seed: a strategy does not
 * change when machines fail.
 */
const STREAM = 0x66_61_69_6c;

/** @throws InputError where the settings of failures are impossible */
function checkFailures(settings: FailureSettings, machines: number): void {
  if (settings.kind === "drawn") {
    const { mtbfSeconds, mttrSeconds, shape } = settings;
    for (const [what, value] of [
      ["mean time between failures", mtbfSeconds],
      ["mean time to repair", mttrSeconds],
      ["shape", shape],
    ] as const)
      if (!(value > 0 && Number.isFinite(value)))
        throw new InputError(`the ${what} is ${value}: it must be more than 0`);
    if (shape < MIN_SHAPE || shape > MAX_SHAPE)
      throw new InputError(`the shape is ${shape}: it must be from ${MIN_SHAPE} to ${MAX_SHAPE}`);
    return;
  }
  if (settings.kind !== "listed" || !Array.isArray(settings.outages))
    throw new InputError(
      'failures are of the kind "drawn", with mtbfSeconds, mttrSeconds and shape, or "listed", with outages',
    );
  const last = new Map<number, number>();
  const inOrder = settings.outages.toSorted((a, b) => a.downSeconds - b.downSeconds);
  for (const { machine, downSeconds, upSeconds } of inOrder) {
    if (!(Number.isInteger(machine) && machine >= 0 && machine < machines))
      throw new InputError(`machine ${machine} fails, but the farm has only machines 0 to ${machines - 1}`);
    if (!(Number.isFinite(downSeconds) && upSeconds > downSeconds))
      throw new InputError(
        `machine ${machine} is down from ${downSeconds} to ${upSeconds}: up must come after down`,
      );
    if (downSeconds < (last.get(machine) ?? -Infinity))
      throw new InputError(`machine ${machine} fails at ${downSeconds} while it is down already`);
    last.set(machine, upSeconds);
  }
}

/** Beyond these the distribution of times to failure has a mean that no double can hold, or no spread at all. */
const MIN_SHAPE = 0.1;
const MAX_SHAPE = 20;

/** Lets machines fail and come back, as the run goes on. */
export class Failures {
  private readonly settings: FailureSettings;
  private readonly random: Random;
  /** Machines by when they fail or come back next. */
  private readonly changes = new TimeHeap();
  private readonly pending: Outage[][] = [];
  private readonly poolOf: Int32Array;
  private readonly machines: readonly MachineColumns[];
  private readonly downSince: Float64Array;
  private readonly coresMilli: Int32Array;
  private unavailable = 0;

  /** @param start from when on times to the first failures are drawn */
  constructor(settings: FailureSettings, { machines }: BuiltEngine, seed: number, start: number) {
    this.settings = settings;
    this.random = new Random(seed ^ STREAM);
    const count = machines.reduce((sum, { coresMilli }) => sum + coresMilli.length, 0);
    this.poolOf = new Int32Array(count);
    this.coresMilli = new Int32Array(count);
    this.downSince = new Float64Array(count).fill(NaN);
    this.machines = machines;
    machines.forEach(({ first, coresMilli }, pool) => {
      this.poolOf.fill(pool, first, first + coresMilli.length);
      this.coresMilli.set(coresMilli, first);
    });
    checkFailures(settings, count);
    if (settings.kind === "drawn") {
      for (let machine = 0; machine < count; machine++)
        this.changes.add(machine, start + this.timeToFailure());
      return;
    }
    for (const outage of settings.outages) (this.pending[outage.machine] ??= []).push(outage);
    this.pending.forEach((outages, machine) => {
      outages.sort((a, b) => a.downSeconds - b.downSeconds);
      this.changes.add(machine, outages[0].downSeconds);
    });
  }

  /** When a machine fails or comes back next. */
  get nextTime(): number {
    return this.changes.firstTime;
  }

  /** Carries out the failures and repairs that are due at this time. */
  apply(now: number, driver: Driver): void {
    while (this.changes.firstTime <= now) {
      const machine = this.changes.take();
      const pool = this.poolOf[machine];
      const isDown = Number.isNaN(this.downSince[machine]);
      if (isDown) this.downSince[machine] = now;
      else this.comeBack(machine, driver.ledger, now);
      const number = machine - this.machines[pool].first;
      if (this.pending[machine]?.[0]?.isDrain === true) driver.machineCloses(pool, number, isDown, now);
      else driver.machineFails(pool, number, isDown, now);
      const next = isDown ? this.repairTime(machine, now) : this.nextFailure(machine, now);
      if (next < Infinity) this.changes.add(machine, next);
    }
  }

  /** @param end when the run ends */
  figures(ledger: Ledger, coresOf: (row: number) => number, end: number): FailureFigures {
    for (let machine = 0; machine < this.downSince.length; machine++)
      if (this.downSince[machine] < end) this.comeBack(machine, ledger, end);
    let losses = 0;
    let repeated = 0;
    for (const [row, { count, seconds }] of ledger.losses) {
      losses += count;
      repeated += seconds * coresOf(row);
    }
    return {
      lostJobs: ledger.losses.size,
      losses,
      repeatedCoreHours: repeated / 3600,
      unavailableCoreHours: this.unavailable / 3600,
    };
  }

  private comeBack(machine: number, { openedSeconds }: Ledger, now: number): void {
    // NaN before the first job: that time does not count.
    const since = Math.max(openedSeconds, this.downSince[machine]);
    if (now > since) this.unavailable += ((now - since) * this.coresMilli[machine]) / 1000;
    this.downSince[machine] = NaN;
  }

  private repairTime(machine: number, now: number): number {
    const { settings } = this;
    if (settings.kind === "drawn") return now - settings.mttrSeconds * Math.log(1 - this.random.unit());
    return this.pending[machine][0].upSeconds;
  }

  private nextFailure(machine: number, now: number): number {
    if (this.settings.kind === "drawn") return now + this.timeToFailure();
    this.pending[machine].shift();
    return this.pending[machine][0]?.downSeconds ?? Infinity;
  }

  /** Drawn from a Weibull distribution with the mean that is asked for. */
  private timeToFailure(): number {
    const { settings } = this;
    if (settings.kind !== "drawn") return Infinity;
    const scale = settings.mtbfSeconds / gamma(1 + 1 / settings.shape);
    return scale * (-Math.log(1 - this.random.unit())) ** (1 / settings.shape);
  }
}

/** Euler's gamma function, by Lanczos' approximation. */
function gamma(x: number): number {
  const coefficients = [
    676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
    -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
  ];
  const shifted = x - 1;
  const t = shifted + coefficients.length - 0.5;
  const sum = coefficients.reduce((total, each, i) => total + each / (shifted + i + 1), 0.9999999999998099);
  return Math.sqrt(2 * Math.PI) * t ** (shifted + 0.5) * Math.exp(-t) * sum;
}
