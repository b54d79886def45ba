import type { LicenceCount, Licences } from "../../licences/licences.ts";
import type { MachineState } from "../../machines/machine-state.ts";
import type { PolicyContext } from "../../pool/policy.ts";
import { Profile } from "./profile.ts";

interface Amount {
  readonly cores: number;
  readonly memory: number;
  readonly gpu: number;
}

const nothing: Amount = { cores: 0, memory: 0, gpu: 0 };

function isSame(one: Amount, other: Amount): boolean {
  return one.cores === other.cores && one.memory === other.memory && one.gpu === other.gpu;
}

/** A profile has another amount from now on, of which as much is taken as before. */
function offer(profile: Profile, before: Amount, after: Amount): void {
  const { cores, memory, gpu } = after;
  profile.take(-Infinity, Infinity, before.cores - cores, before.memory - memory, before.gpu - gpu);
}

/** What each machine has free from now on, beside the jobs that run there and the promises of waiting jobs. */
export class MachinePlans {
  /** By machine. */
  readonly profiles: Profile[] = [];
  /**
   * The sum over all machines: what does not fit there fits nowhere. A machine that has less than its jobs hold, since
   * it is drained or was made smaller, counts as nothing while they run: below that it would hide what others have.
   */
  readonly pool = new Profile(0, 0, 0);
  /** By licence: how many are free, as the profile's cores. */
  readonly licences: readonly Profile[];
  /** The time of the pass. */
  now = -Infinity;
  /** Machines on which more may be planned than there is. */
  readonly shortMachines: number[] = [];
  private readonly machines: MachineState;
  private readonly pooledLicences: Licences | null;
  /** By machine: what its profile counts as there, and what the pool's does. */
  private readonly offered: Amount[] = [];
  private readonly pooled: Amount[] = [];
  /** Machines that may have less than what is planned there: the pool counts them as more than they are. */
  private readonly owing = new Set<number>();
  private revision = -1;

  constructor({ machines, licences }: PolicyContext) {
    this.machines = machines;
    this.pooledLicences = licences;
    this.licences = Array.from(licences?.counts ?? [], (count) => new Profile(count, 0, 0));
  }

  /** Whether machines have changed since the plans were brought up to them. */
  get isBehind(): boolean {
    return this.revision !== this.machines.revision;
  }

  /** For a restored plan: it is brought up to the machines anew, and what does not fit any more is looked for. */
  fallBehind(isBehind: boolean): void {
    if (isBehind) this.revision = -1;
    for (let machine = 0; machine < this.profiles.length; machine++) {
      this.shortMachines.push(machine);
      // Jobs were put on it after it went out of service.
      this.owing.add(machine);
    }
  }

  /** Brings the plans up to the machines that are in service now. Returns whether anything may have changed. */
  followMachines(): boolean {
    const { machines, profiles, offered, pooled } = this;
    if (this.revision === machines.revision) return false;
    this.revision = machines.revision;
    for (let machine = 0; machine < machines.count; machine++) {
      const isInService = machines.isInService(machine);
      const cores = isInService ? machines.capacityCores[machine] : 0;
      const memory = isInService ? machines.capacityMemory[machine] : 0;
      const gpu = isInService ? machines.capacityGpu[machine] : 0;
      if (machine === profiles.length) {
        profiles.push(new Profile(0, 0, 0));
        offered.push(nothing);
        pooled.push(nothing);
      }
      const now = { cores, memory, gpu };
      if (isSame(offered[machine], now)) continue;
      offer(profiles[machine], offered[machine], now);
      offered[machine] = now;
      this.shortMachines.push(machine);
      this.mayBeShort(machine);
    }
    return true;
  }

  /** A machine may have less than what is planned there. */
  mayBeShort(machine: number): void {
    this.owing.add(machine);
    this.followInPool(machine);
  }

  /** Lets the pool have what jobs have given back of machines that had less than they held. */
  followOwing(): void {
    for (const machine of this.owing) {
      this.followInPool(machine);
      if (this.pooled[machine] === this.offered[machine] && !this.holdsTooMuch(machine))
        this.owing.delete(machine);
    }
  }

  /** Whether jobs hold more of a machine than it has. */
  private holdsTooMuch(machine: number): boolean {
    const { machines } = this;
    const { cores, memory, gpu } = this.offered[machine];
    return (
      machines.capacityCores[machine] - machines.freeCores[machine] > cores ||
      machines.capacityMemory[machine] - machines.freeMemory[machine] > memory ||
      machines.capacityGpu[machine] - machines.freeGpu[machine] > gpu
    );
  }

  private followInPool(machine: number): void {
    const { pooled, pool } = this;
    const profile = this.profiles[machine];
    let there = this.offered[machine];
    profile.lookAtLeast(this.now);
    if (profile.cores < 0 || profile.memory < 0 || profile.gpu < 0)
      there = {
        cores: there.cores - Math.min(0, profile.cores),
        memory: there.memory - Math.min(0, profile.memory),
        gpu: there.gpu - Math.min(0, profile.gpu),
      };
    offer(pool, pooled[machine], there);
    pooled[machine] = there;
  }

  /** Takes this much of a machine from one time until another; negative amounts give it back. */
  take(machine: number, from: number, until: number, cores: number, memory: number, gpu: number): void {
    const { now, pool } = this;
    const profile = this.profiles[machine];
    profile.take(from, until, cores, memory, gpu);
    profile.tidy(now);
    pool.take(from, until, cores, memory, gpu);
    if (this.owing.size > 0 && this.owing.has(machine)) this.followInPool(machine);
    pool.tidy(now);
  }

  /** Takes the licences that a request with this number asks for, or with `sign` -1 gives them back. */
  takeLicences(request: number, from: number, until: number, sign: number): void {
    for (const { licence, count } of this.asked(request)) {
      this.licences[licence].take(from, until, sign * count, 0, 0);
      this.licences[licence].tidy(this.now);
    }
  }

  /** The earliest time, not before `from`, from which the licences of a request are free for this long. */
  licencesFrom(request: number, seconds: number, from: number, limit: number): number {
    const asked = this.asked(request);
    let time = from;
    for (let agreed = 0; agreed < asked.length;) {
      agreed = 0;
      for (const { licence, count } of asked) {
        const earliest = this.licences[licence].earliest(count, 0, 0, seconds, time, limit);
        if (earliest === Infinity) return Infinity;
        if (earliest === time) agreed++;
        time = earliest;
      }
    }
    return time;
  }

  /** Whether a request asks for a licence. */
  asksFor(request: number, licence: number): boolean {
    return this.asked(request).some((each) => each.licence === licence);
  }

  /** The licences that a request with this number asks for. */
  asked(request: number): readonly LicenceCount[] {
    return this.pooledLicences?.askedFor(request) ?? [];
  }
}
