import { gangOf, gather, type Least } from "./gangs.ts";
import type { ScheduledPod } from "./objects.ts";
import type { Plan } from "./plan.ts";
import { byAge, newUnit, type Unit, type Verdict } from "./unit.ts";
import { whyUnsupported } from "./unsupported.ts";
import { wishOf, wrongRunTime, type PodWish } from "./wish.ts";

interface Candidate {
  readonly pod: ScheduledPod;
  readonly wish: PodWish;
  readonly gang: string | null;
}

/** Of complete gangs, at a time. */
const MOST_ASKED = 20;

/** The pods that are to be scheduled and are on no node: which are ready, alone or as a gang, and why others are not. */
export class Waiting {
  /** By UID: what is to be told of a pod that is not scheduled. */
  readonly verdicts = new Map<string, Verdict>();
  /** Those that have changed since they were told. */
  readonly untold = new Set<string>();
  /** When each was first seen as a pod to schedule. */
  readonly seenAt = new Map<string, number>();
  /** The gangs whose PodGroup has to be asked for. */
  readonly unknownGangs = new Set<string>();
  private readonly plan: Plan;
  private readonly candidates = new Map<string, Candidate>();
  /** Those that are no unit yet. */
  private readonly fresh = new Set<string>();
  private readonly least = new Map<string, Least>();
  /** By gang: its pods that are on no node, and those that are. */
  private readonly members = new Map<string, Set<string>>();
  private readonly placedMembers = new Map<string, Set<string>>();
  private readonly placedIn = new Map<string, string>();
  /** The gangs whose PodGroups were asked for again since all were. */
  private readonly asked = new Set<string>();

  constructor(plan: Plan) {
    this.plan = plan;
  }

  /** Looks at a pod on no node. Returns whether it asks for something else than before. */
  see(pod: ScheduledPod, at: number): boolean {
    const { uid } = pod.metadata;
    const before = this.candidates.get(uid);
    const { gpuResource, familyLabel, schedulerName } = this.plan;
    const isOurs =
      pod.spec.schedulerName === schedulerName &&
      pod.metadata.deletionTimestamp === undefined &&
      (pod.spec.schedulingGates ?? []).length === 0;
    const problem = isOurs ? (whyUnsupported(pod, gpuResource) ?? wrongRunTime(pod)) : null;
    if (!isOurs || problem !== null) {
      const told = this.untold.has(uid) ? undefined : this.verdicts.get(uid);
      this.remove(uid);
      if (problem === null) return before !== undefined;
      if (told !== undefined) this.verdicts.set(uid, told);
      this.tell(uid, { reason: "Unsupported", message: problem });
      return before !== undefined;
    }
    if (!this.seenAt.has(uid)) this.seenAt.set(uid, at);
    const candidate = { pod, wish: wishOf(pod, gpuResource, familyLabel), gang: gangOf(pod) };
    const isSame =
      before !== undefined &&
      before.gang === candidate.gang &&
      JSON.stringify(before.wish) === JSON.stringify(candidate.wish);
    this.candidates.set(uid, isSame ? { ...candidate, wish: before.wish } : candidate);
    if (isSame) return false;
    this.forget(uid);
    return before !== undefined;
  }

  /** A pod is on a node. */
  placed(uid: string, pod: ScheduledPod): void {
    const gang = gangOf(pod);
    this.remove(uid);
    if (gang === null || pod.spec.schedulerName !== this.plan.schedulerName) return;
    this.placedIn.set(uid, gang);
    this.placedMembers.set(gang, (this.placedMembers.get(gang) ?? new Set()).add(uid));
  }

  remove(uid: string): void {
    const { gang = null } = this.candidates.get(uid) ?? {};
    const placedIn = this.placedIn.get(uid);
    if (gang !== null) this.leave(this.members, gang, uid);
    if (placedIn !== undefined) this.leave(this.placedMembers, placedIn, uid);
    this.placedIn.delete(uid);
    this.candidates.delete(uid);
    this.seenAt.delete(uid);
    this.fresh.delete(uid);
    this.verdicts.delete(uid);
    this.untold.delete(uid);
  }

  /** What is known of a gang is kept as long as there are pods of it. */
  private leave(lists: Map<string, Set<string>>, gang: string, uid: string): void {
    const list = lists.get(gang);
    list?.delete(uid);
    if (list?.size === 0) lists.delete(gang);
    if (this.members.has(gang) || this.placedMembers.has(gang)) return;
    this.least.delete(gang);
    this.unknownGangs.delete(gang);
  }

  /** A pod is of no unit any more. */
  forget(uid: string): void {
    const candidate = this.candidates.get(uid);
    if (candidate === undefined) return;
    this.fresh.add(uid);
    const { gang } = candidate;
    if (gang === null) return;
    this.members.set(gang, (this.members.get(gang) ?? new Set()).add(uid));
    const known = this.least.get(gang);
    // It may have been made since.
    if (known === undefined || "problem" in known) this.unknownGangs.add(gang);
  }

  /** Notes why a pod is not scheduled. */
  tell(uid: string, verdict: Verdict): void {
    const before = this.verdicts.get(uid);
    if (before?.reason === verdict.reason && before.message === verdict.message) return;
    this.verdicts.set(uid, verdict);
    this.untold.add(uid);
  }

  /** What is known of a gang's PodGroup. Returns whether something else was. */
  setLeast(gang: string, least: Least): boolean {
    const known = this.least.get(gang);
    this.unknownGangs.delete(gang);
    this.least.set(gang, least);
    return known !== undefined && JSON.stringify(known) !== JSON.stringify(least);
  }

  /** Undefined: nothing. */
  leastOf(gang: string): Least | undefined {
    return this.least.get(gang);
  }

  /** The pods of a gang that are on no node. */
  membersOf(gang: string): string[] {
    return [...(this.members.get(gang) ?? [])];
  }

  /** Asks again for all PodGroups that gangs wait for, and in turn for those of other gangs: they may have been changed. */
  askAgain(): void {
    for (const uid of this.fresh) {
      const { gang = null } = this.candidates.get(uid) ?? {};
      if (gang !== null) this.unknownGangs.add(gang);
    }
    let left = MOST_ASKED;
    for (const gang of this.members.keys()) {
      if (this.unknownGangs.has(gang) || this.asked.has(gang)) continue;
      if (left-- === 0) return;
      this.asked.add(gang);
      this.unknownGangs.add(gang);
    }
    this.asked.clear();
  }

  /** Everything is looked at anew. */
  clear(): void {
    this.candidates.clear();
    for (const each of [this.fresh, this.members, this.placedMembers, this.placedIn]) each.clear();
  }

  /** The units that are ready and were not before, by age. */
  gathered(): Unit[] {
    const units: { unit: Unit; pod: ScheduledPod }[] = [];
    const gangs = new Set<string>();
    for (const uid of this.fresh) {
      const { pod, wish, gang } = this.candidates.get(uid)!;
      if (gang !== null) gangs.add(gang);
      else units.push({ unit: newUnit(uid, [uid], wish), pod });
    }
    for (const gang of gangs) units.push(...this.gatheredOf(gang));
    units.sort((left, right) => byAge(left.pod, right.pod));
    for (const { unit } of units) for (const uid of unit.uids) this.fresh.delete(uid);
    return units.map(({ unit }) => unit);
  }

  private gatheredOf(gang: string): { unit: Unit; pod: ScheduledPod }[] {
    const uids = [...(this.members.get(gang) ?? [])];
    const members = uids.filter((uid) => this.fresh.has(uid)).map((uid) => this.candidates.get(uid)!);
    const known = this.least.get(gang);
    // Its PodGroup is being asked for, and the answer says whether there is anything to tell.
    if (known === undefined) return [];
    // A pod beyond the least number does not start before the gang has.
    const found: Unit[] | Verdict =
      members.length < uids.length
        ? { reason: "GangIncomplete", message: "it waits until the others of its gang are on nodes" }
        : gather(gang, members, this.placedMembers.get(gang)?.size ?? 0, known);
    if (Array.isArray(found))
      return found.map((unit) => ({ unit, pod: this.candidates.get(unit.uids[0]!)!.pod }));
    for (const { pod } of members) this.tell(pod.metadata.uid, found);
    return [];
  }
}
