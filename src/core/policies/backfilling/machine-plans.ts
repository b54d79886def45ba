import type { LicenceCount, Licences } from "../../licences/licences.ts";
import type { MachineState } from "../../machines/machine-state.ts";
import type { PolicyContext } from "../../pool/policy.ts";
import { Profile } from "./profile.ts";

/** What each machine has free from now on, beside the jobs that run there and the promises of waiting jobs. */
export class MachinePlans {
  /** By machine. */
  readonly profiles: Profile[] = [];
  /** The sum over all machines: what does not fit there fits nowhere. */
  readonly pool = new Profile(0, 0, 0);
  /** By licence: how many are free, as the profile's cores. */
  readonly licences: readonly Profile[];
  /** The time of the pass. */
  now = -Infinity;
  /** Machines on which more may be planned than there is. */
  readonly shortMachines: number[] = [];
  private readonly machines: MachineState;
  private readonly pooledLicences: Licences | null;
  /** By machine: what the profile counts as there. */
  private readonly offered: { cores: number; memory: number; gpu: number }[] = [];
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
    for (let machine = 0; machine < this.profiles.length; machine++) this.shortMachines.push(machine);
  }

  /** Brings the plans up to the machines that are in service now. Returns whether anything may have changed. */
  followMachines(): boolean {
    const { machines, profiles, offered } = this;
    if (this.revision === machines.revision) return false;
    this.revision = machines.revision;
    for (let machine = 0; machine < machines.count; machine++) {
      const isInService = machines.isInService(machine);
      const cores = isInService ? machines.capacityCores[machine] : 0;
      const memory = isInService ? machines.capacityMemory[machine] : 0;
      const gpu = isInService ? machines.capacityGpu[machine] : 0;
      if (machine === profiles.length) {
        profiles.push(new Profile(0, 0, 0));
        offered.push({ cores: 0, memory: 0, gpu: 0 });
      }
      const before = offered[machine];
      if (before.cores === cores && before.memory === memory && before.gpu === gpu) continue;
      this.take(machine, -Infinity, Infinity, before.cores - cores, before.memory - memory, before.gpu - gpu);
      offered[machine] = { cores, memory, gpu };
      this.shortMachines.push(machine);
    }
    return true;
  }

  /** Takes this much of a machine from one time until another; negative amounts give it back. */
  take(machine: number, from: number, until: number, cores: number, memory: number, gpu: number): void {
    const { now, pool } = this;
    const profile = this.profiles[machine];
    profile.take(from, until, cores, memory, gpu);
    profile.tidy(now);
    pool.take(from, until, cores, memory, gpu);
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
