import type { ByteSource } from "../input/bytes.ts";
import { AttributeSet } from "./attributes.ts";
import type { MachinesOptions } from "./format.ts";
import { MAX_MACHINES } from "./machine-list.ts";
import type { Machines } from "./machines.ts";
import { NodeList } from "./node-list.ts";

/** A slot's ClassAd. Names are in lower case, since case does not matter in them; expressions are left out. */
type SlotAd = ReadonlyMap<string, string | number | boolean>;

const MAX_SLOTS = 4 * MAX_MACHINES;
const OTHER_ADS = "left out: ads that are no slots of machines";
const BACKFILL = "left out: backfill slots, which offer once more what others have";

/** The attributes of machines that do not change from hour to hour; `Has…` and the GPUs' are added. */
const TRAITS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    "Arch",
    "OpSys",
    "OpSysAndVer",
    "OpSysName",
    "OpSysMajorVer",
    "Microarch",
    "FileSystemDomain",
    "UidDomain",
  ].map((name) => [name.toLowerCase(), name]),
);
const PREFIXED = /^(has|gpus_|cuda)(?=\w)/i;

interface MachineSlots {
  readonly name: string;
  readonly slots: SlotAd[];
  /** The names as the ads spell them. */
  readonly spelling: Map<string, string>;
}

/** Collects slots, and puts those of one machine together. */
export class CondorSlots {
  private readonly list: NodeList;
  private readonly machines = new Map<string, MachineSlots>();
  private count = 0;

  constructor(source: ByteSource, options: MachinesOptions) {
    this.list = new NodeList(source, options);
  }

  /** @throws InputError if there are too many */
  add(attributes: Iterable<readonly [string, string | number | boolean]>): void {
    const ad = new Map<string, string | number | boolean>();
    const spelling = new Map<string, string>();
    for (const [name, value] of attributes) {
      ad.set(name.toLowerCase(), value);
      spelling.set(name.toLowerCase(), name);
    }
    const type = text(ad, "mytype");
    const name = text(ad, "machine") || text(ad, "name").replace(/^.*@/, "");
    if (!["", "machine", "slot"].includes(type.toLowerCase()) || name === "") {
      this.list.notes.add(OTHER_ADS, type || "without a name");
      return;
    }
    if (ad.get("backfillslot") === true) {
      this.list.notes.add(BACKFILL, text(ad, "name"));
      return;
    }
    if (++this.count > MAX_SLOTS) this.refuse(`more than ${MAX_SLOTS} slots`);
    const machine = this.machines.get(name);
    if (machine === undefined) this.machines.set(name, { name, slots: [ad], spelling });
    else machine.slots.push(ad);
  }

  /** Throws an InputError that names the file and the line. */
  refuse(problem: string, line?: number): never {
    return this.list.refuse(problem, line);
  }

  /** @throws InputError if no machine is left, or one is not valid */
  finish(): Machines {
    for (const { name, slots, spelling } of this.machines.values()) {
      const own = slots.filter((slot) => !isDynamic(slot));
      const first = own[0] ?? slots[0]!;
      const outs = (own.length === 0 ? slots : own).map(outOfService);
      this.list.add({
        id: name,
        cores: total(slots, own, "cpus"),
        memoryMiB: total(slots, own, "memory"),
        gpus: total(slots, own, "gpus") ?? 0,
        attributes: attributesOf(first, spelling),
        // A machine is out of service if all its slots are. A dynamic slot counts with the slot that it was cut from.
        out: outs.every((out) => out) ? outs[0]! : outs.every((out) => out === null) ? null : "",
      });
    }
    return this.list.finish();
  }
}

/**
 * The resources of all slots of a machine. A partitionable slot tells what is left of it (`Cpus`) and what it began
 * with (`TotalSlotCpus`); dynamic slots are cut from it.
 */
function total(
  slots: readonly SlotAd[],
  own: readonly SlotAd[],
  what: "cpus" | "memory" | "gpus",
): number | null {
  const first = slots[0]!;
  const whole = own.map(
    (slot) => number(slot, `totalslot${what}`) ?? (isPartitionable(slot) ? null : number(slot, what)),
  );
  if (own.length > 0 && whole.every((amount) => amount !== null)) return sum(whole);
  // Only dynamic slots are listed.
  if (own.length === 0 && number(first, `total${what}`) !== null) return number(first, `total${what}`);
  const left = slots.map((slot) => number(slot, what)).filter((amount) => amount !== null);
  return left.length === 0 ? null : sum(left);
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

/** Why a slot takes no jobs; empty: it takes them, null: the ad does not tell. */
function outOfService(slot: SlotAd): string | null {
  const state = text(slot, "state");
  const reason = text(slot, "drainreason");
  if (slot.get("offline") === true) return "offline";
  if (state === "Drained") return reason === "" ? "Drained" : `Drained: ${reason}`;
  if (slot.get("start") === false) return "START is false";
  return state === "" ? null : "";
}

function attributesOf(slot: SlotAd, spelling: ReadonlyMap<string, string>): ReturnType<AttributeSet["done"]> {
  const attributes = new AttributeSet();
  for (const [name, value] of slot) {
    const trait = TRAITS[name];
    if (trait !== undefined) attributes.set(trait, value);
    else if (PREFIXED.test(name)) attributes.set(spelling.get(name) ?? name, value);
  }
  return attributes.done();
}

function isDynamic(slot: SlotAd): boolean {
  return slot.get("dynamicslot") === true || text(slot, "slottype") === "Dynamic";
}

function isPartitionable(slot: SlotAd): boolean {
  return slot.get("partitionableslot") === true || text(slot, "slottype") === "Partitionable";
}

function text(slot: SlotAd, name: string): string {
  const value = slot.get(name);
  return typeof value === "string" ? value : "";
}

function number(slot: SlotAd, name: string): number | null {
  const value = slot.get(name);
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
