import type { EngineEvent, MachinesView } from "../../core/index.ts";
import type { Node } from "../engines/kubernetes/objects.ts";
import type { Use } from "../engines/kubernetes/pod-use.ts";
import { mibOf, milliOf } from "../engines/kubernetes/quantity.ts";
import { selectorOf } from "../engines/kubernetes/settings.ts";
import { Others, type Other } from "./others.ts";
import type { Plan } from "./plan.ts";
import { taintsOf, whyNot, type Terms } from "./terms.ts";

/** What each of a job's pods asks for. */
export interface Wish extends Use {
  readonly terms: Terms;
  readonly tasks: number;
}

interface Machine {
  readonly number: number;
  /** What its node says, as the groups of the decision engine know it. */
  traits: string;
  group: number;
  /** As the decision engine has it. */
  told: { coresMilli: number; memoryMiB: number; gpuMilli: number };
  isClosed: boolean;
}

type Tell = (event: EngineEvent) => void;

/** A node that does not say how many pods it takes. */
const PODS_OTHERWISE = 110;

/**
 * The nodes as machines of the decision engine's only pool. A machine has what its node has for pods, without what pods
 * take that are no jobs of the decision engine: those of other schedulers, and those that a preemption has nominated.
 */
export class Nodes {
  private readonly gpuResource: string;
  /** What it is called that there are none. */
  private readonly none: string;
  private readonly nodes = new Map<string, Node>();
  private readonly machines = new Map<string, Machine>();
  private readonly names: (string | undefined)[] = [];
  private readonly freeNumbers: number[] = [];
  /** By group: a node of it. A group has one machine at a time. */
  private readonly leaders: Node[] = [];
  private readonly others = new Others();
  /** By node: the pods on it, and those about to be. */
  private readonly on = new Map<string, Set<string>>();
  private readonly onAt = new Map<string, string>();
  private dirty = new Set<string>();
  /** By kind of wish: see `whyNowhere`. */
  private readonly answers = new Map<string, string | null>();

  constructor({ gpuResource, nodeSelector }: Pick<Plan, "gpuResource" | "nodeSelector">) {
    this.gpuResource = gpuResource;
    const labels = selectorOf(nodeSelector);
    this.none =
      labels === "" ? "there are no nodes" : `no node has the label ${labels} of the pool's nodeSelector`;
  }

  get count(): number {
    return this.nodes.size;
  }

  /** Groups of the decision engine. They are never used again, and grow as nodes change. */
  get groupCount(): number {
    return this.leaders.length;
  }

  meets(terms: Terms, group: number): boolean {
    return whyNot(terms, this.leaders[group]!) === null;
  }

  /** Why a pod with these terms may not be on a node; null: it may. */
  whyNotOn(name: string, terms: Terms): string | null {
    const node = this.nodes.get(name);
    return node === undefined ? "is gone" : whyNot(terms, node);
  }

  /** Undefined: the decision engine does not know the node. */
  machineOf(name: string): number | undefined {
    return this.machines.get(name)?.number;
  }

  nameOf(machine: number): string {
    return this.names[machine]!;
  }

  see(node: Node): void {
    this.nodes.set(node.metadata.name, node);
    this.dirty.add(node.metadata.name);
  }

  remove(name: string): void {
    this.nodes.delete(name);
    this.dirty.add(name);
  }

  /** A pod takes this of a node, and is no job of the decision engine there; null: it takes nothing. */
  setOther(uid: string, node: string | null, use: Use, isOurs: boolean): void {
    this.others.set(uid, node, use, isOurs, (name) => this.dirty.add(name));
  }

  /** The pods that are on a node by our choice, and take what is no job of the decision engine there. */
  strayOn(name: string): string[] {
    return this.others.oursOn(name);
  }

  /** Whether a pod that is on a node could be a job there, beside the others. */
  hasRoomFor(uid: string, name: string, wish: Use, free: MachinesView): boolean {
    const node = this.nodes.get(name);
    const machine = this.machines.get(name);
    if (node === undefined || machine === undefined) return false;
    const { number, told } = machine;
    const size = this.sizeOf(node, (each) => each !== uid);
    return (
      size.coresMilli - (told.coresMilli - free.freeCores[number]!) >= wish.coresMilli &&
      size.memoryMiB - (told.memoryMiB - free.freeMemory[number]!) >= wish.memoryMiB &&
      size.gpuMilli - (told.gpuMilli - free.freeGpu[number]!) >= wish.gpuMilli
    );
  }

  /** A pod is on a node, or about to be; null: on none. */
  setOn(uid: string, node: string | null): void {
    const before = this.onAt.get(uid);
    if (before === node || (before === undefined && node === null)) return;
    if (before !== undefined) {
      this.on.get(before)!.delete(uid);
      this.onAt.delete(uid);
      this.dirty.add(before);
    }
    if (node === null) return;
    this.onAt.set(uid, node);
    this.on.set(node, (this.on.get(node) ?? new Set()).add(uid));
    this.dirty.add(node);
  }

  /** How many more pods the node takes. */
  slots(name: string): number {
    const most = this.nodes.get(name)?.status?.allocatable?.["pods"];
    return (most === undefined ? PODS_OTHERWISE : Number(most)) - (this.on.get(name)?.size ?? 0);
  }

  /** Forgets what the decision engine was told, as there is a new one. */
  forget(): void {
    this.machines.clear();
    this.names.length = this.freeNumbers.length = this.leaders.length = 0;
    this.dirty = new Set(this.nodes.keys());
  }

  /** Tells the decision engine what has changed. Returns whether nodes may hold something else than before. */
  tell(at: number, tell: Tell): boolean {
    let isChanged = false;
    if (this.dirty.size > 0) this.answers.clear();
    const names = [...this.dirty];
    this.dirty = new Set();
    for (const name of names) {
      const node = this.nodes.get(name);
      const machine = this.machines.get(name);
      if (node === undefined) {
        if (machine === undefined) continue;
        tell({ type: "machineRemoved", at, pool: 0, machine: machine.number });
        this.machines.delete(name);
        this.names[machine.number] = undefined;
        this.freeNumbers.push(machine.number);
        isChanged = true;
      } else if (this.tellOf(node, machine, at, tell)) isChanged = true;
    }
    return isChanged;
  }

  private tellOf(node: Node, known: Machine | undefined, at: number, tell: Tell): boolean {
    const { name } = node.metadata;
    const size = this.sizeOf(node);
    const traits = JSON.stringify([node.metadata.labels ?? {}, taintsOf(node)]);
    let isChanged = false;
    let machine = known;
    if (machine === undefined) {
      const number = this.freeNumbers.pop() ?? this.names.length;
      machine = { number, traits, group: this.leaders.push(node) - 1, told: size, isClosed: false };
      this.names[number] = name;
      this.machines.set(name, machine);
      tell({ type: "machineAdded", at, pool: 0, machine: number, group: machine.group, ...size });
      isChanged = true;
    } else if (machine.traits !== traits || JSON.stringify(machine.told) !== JSON.stringify(size)) {
      if (machine.traits !== traits) machine.group = this.leaders.push(node) - 1;
      machine.traits = traits;
      machine.told = size;
      tell({ type: "machineChanged", at, pool: 0, machine: machine.number, group: machine.group, ...size });
      isChanged = true;
    }
    const isClosed = downReason(node) !== null || this.slots(name) <= 0;
    if (isClosed !== machine.isClosed) {
      machine.isClosed = isClosed;
      tell({ type: isClosed ? "machineDrained" : "machineUndrained", at, pool: 0, machine: machine.number });
      isChanged = true;
    }
    return isChanged;
  }

  /**
   * Why no node could hold it if all that runs there by our choice were over; null: some could.
   *
   * @param kind of the wish: what is found for one holds for all of its kind, until nodes change
   */
  whyNowhere(kind: string, wish: Wish): string | null {
    let answer = this.answers.get(kind);
    if (answer === undefined) this.answers.set(kind, (answer = this.lookEverywhere(wish)));
    return answer;
  }

  private lookEverywhere(wish: Wish): string | null {
    let room = 0;
    const reasons = new Map<string, number>();
    for (const node of this.nodes.values()) {
      const size = this.sizeWithoutOurs(node, wish);
      const reason = downReason(node) ?? whyNot(wish.terms, node) ?? this.tooSmall(node, size, wish);
      if (reason !== null) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      else room += holds(size, wish);
      if (room >= wish.tasks) return null;
    }
    if (this.nodes.size === 0) return this.none;
    const counted = [...reasons].map(([reason, count]) => `${count} ${reason}`);
    const others = counted.length === 0 ? "they" : "the others";
    if (room > 0) counted.push(`${others} have room for ${room} of its ${wish.tasks} pods`);
    return `0/${this.nodes.size} nodes can take it: ${counted.join(", ")}`;
  }

  /** What a node has for a wish if all that is there by our choice were over; or what suffices already. */
  private sizeWithoutOurs(node: Node, wish: Wish): Use {
    const told = this.machines.get(node.metadata.name)?.told;
    return told !== undefined && holds(told, wish) >= wish.tasks
      ? told
      : this.sizeOf(node, (_, { isOurs }) => !isOurs);
  }

  /** What a node lacks by itself goes before what it lacks since others are on it. */
  private tooSmall(node: Node, size: Use, wish: Use): string | null {
    const beside = lacks(size, wish);
    if (beside === null) return null;
    const itself = lacks(
      this.sizeOf(node, () => false),
      wish,
    );
    return itself === null ? `have ${beside} beside the pods of others` : `have ${itself}`;
  }

  /** @param counts which of the pods that are no jobs are taken off it */
  private sizeOf(
    { metadata: { name }, status }: Node,
    counts: (uid: string, other: Other) => boolean = () => true,
  ): Machine["told"] {
    const has = status?.allocatable ?? {};
    let coresMilli = milliOf(has["cpu"]);
    let memoryMiB = mibOf(has["memory"]);
    let gpuMilli = milliOf(has[this.gpuResource]);
    for (const [uid, use] of this.others.on(name)) {
      if (!counts(uid, use)) continue;
      coresMilli -= use.coresMilli;
      memoryMiB -= use.memoryMiB;
      gpuMilli -= use.gpuMilli;
    }
    const whole = (amount: number): number => Math.min(2 ** 31 - 1, Math.max(0, Math.floor(amount)));
    // The decision engine knows no machine without cores; a thousandth is too little for any pod that requests some.
    return {
      coresMilli: Math.max(1, whole(coresMilli)),
      memoryMiB: whole(memoryMiB),
      gpuMilli: whole(gpuMilli),
    };
  }
}

function downReason({ metadata, status }: Node): string | null {
  if (metadata.deletionTimestamp !== undefined) return "are being removed";
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  return ready?.status === "True" ? null : "were not ready";
}

/** Null: nothing. */
function lacks(size: Use, wish: Use): string | null {
  const lacking: string[] = [];
  if (size.coresMilli < wish.coresMilli) lacking.push("too few cores (cpu)");
  if (size.memoryMiB < wish.memoryMiB) lacking.push("too little memory");
  if (size.gpuMilli < wish.gpuMilli) lacking.push("too few GPUs");
  return lacking.length === 0 ? null : lacking.join(" and ");
}

/** How many of them an empty node holds. */
function holds(size: Use, wish: Use): number {
  const times = (has: number, each: number): number => (each === 0 ? Infinity : Math.floor(has / each));
  return Math.min(
    times(size.coresMilli, wish.coresMilli),
    times(size.memoryMiB, wish.memoryMiB),
    times(size.gpuMilli, wish.gpuMilli),
  );
}
