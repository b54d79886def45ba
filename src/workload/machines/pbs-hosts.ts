import type { ByteSource } from "../input/bytes.ts";
import { parseMemory } from "../units.ts";
import { AttributeSet, type AttributeValue } from "./attributes.ts";
import type { MachinesOptions } from "./format.ts";
import { MAX_MACHINES } from "./machine-list.ts";
import type { Machines } from "./machines.ts";
import { NodeList } from "./node-list.ts";

/** A vnode's attributes, by the names that `pbsnodes -a` prints: `resources_available.ncpus`. */
type Vnode = ReadonlyMap<string, string>;

const AVAILABLE = "resources_available.";
/** Resources that are the machine's size or name, and not attributes. */
const SIZES = new Set(["ncpus", "mem", "ngpus", "host", "vnode", "vmem"]);
/** The states of a node that takes no jobs (PBS Professional Reference Guide, "Vnode States"; Torque's pbsnodes). */
const OUT = new Set([
  "down",
  "offline",
  "offline_by_mom",
  "maintenance",
  "stale",
  "state-unknown",
  "unknown",
  "unresolvable",
]);
const SOME_OUT = "with some of their vnodes down, kept whole";

/** Collects vnodes. Those of one host make one machine, as PBS spreads a chunk over several vnodes of a host. */
export class PbsHosts {
  readonly list: NodeList;
  private readonly hosts = new Map<string, { name: string; vnode: Vnode; line: number | undefined }[]>();
  private count = 0;

  constructor(source: ByteSource, options: MachinesOptions) {
    this.list = new NodeList(source, options);
  }

  /** @throws InputError if there are too many */
  add(name: string, vnode: Vnode, line?: number): void {
    if (++this.count > MAX_MACHINES) this.list.refuse(`more than ${MAX_MACHINES} vnodes`, line);
    const host = vnode.get(`${AVAILABLE}host`) ?? name;
    const entry = { name, vnode, line };
    const vnodes = this.hosts.get(host);
    if (vnodes === undefined) this.hosts.set(host, [entry]);
    else vnodes.push(entry);
  }

  /** @throws InputError if no machine is left, or one is not valid */
  finish(): Machines {
    for (const [host, vnodes] of this.hosts) {
      const [first] = vnodes;
      const id = vnodes.length === 1 ? first!.name : host;
      // The vnode that stands for the host itself may have no cores, which its other vnodes have.
      const sizes = vnodes.map(({ vnode, line }) => this.sizeOf(vnode, line));
      const working = sizes.filter(({ cores }) => cores !== null && cores > 0);
      const downs = (working.length === 0 ? sizes : working).filter(({ out }) => out !== "");
      const isOut = downs.length > 0 && downs.length >= working.length;
      if (downs.length > 0 && !isOut) this.list.notes.add(SOME_OUT, `${id} ${downs[0]!.out}`);
      this.list.add(
        {
          id,
          cores: sum(sizes.map(({ cores }) => cores)),
          memoryMiB: sum(sizes.map(({ memoryMiB }) => memoryMiB)),
          gpus: sum(sizes.map(({ gpus }) => gpus)) ?? 0,
          attributes: attributesOf(vnodes.map(({ vnode }) => vnode)),
          out: isOut ? downs[0]!.out : sizes.some(({ out }) => out !== null) ? "" : null,
        },
        first!.line,
      );
    }
    return this.list.finish();
  }

  private sizeOf(vnode: Vnode, line: number | undefined): VnodeSize {
    const status = statusOf(vnode);
    const number = (what: string, text: string | undefined): number | null => {
      if (text === undefined) return null;
      const value = Number(text);
      return text !== "" && value >= 0
        ? value
        : this.list.refuse(`${what}: "${text.slice(0, 40)}" is not a number`, line);
    };
    const cores = vnode.get(`${AVAILABLE}ncpus`) ?? vnode.get("np") ?? status.get("ncpus");
    const memory = vnode.get(`${AVAILABLE}mem`) ?? status.get("physmem");
    const gpus = vnode.get(`${AVAILABLE}ngpus`) ?? vnode.get("gpus");
    const memoryMiB = memory === undefined ? null : pbsSize(memory);
    if (memoryMiB !== null && !(memoryMiB >= 0))
      this.list.refuse(`mem: "${memory!.slice(0, 40)}" is not a size`, line);
    return {
      cores: number("ncpus", cores),
      memoryMiB,
      gpus: number("ngpus", gpus),
      out: outOfService(vnode),
    };
  }
}

interface VnodeSize {
  readonly cores: number | null;
  readonly memoryMiB: number | null;
  readonly gpus: number | null;
  readonly out: string | null;
}

/** Null if none of them tells. */
function sum(amounts: readonly (number | null)[]): number | null {
  const told = amounts.filter((amount) => amount !== null);
  return told.length === 0 ? null : told.reduce((total, amount) => total + amount, 0);
}

/** Reads Torque's `status = ncpus=16,physmem=65861120kb,…`. */
function statusOf(vnode: Vnode): Map<string, string> {
  const pairs = (vnode.get("status") ?? "").split(",").map((pair): [string, string] => {
    const equals = pair.indexOf("=");
    return equals === -1 ? [pair, ""] : [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
  });
  return new Map(pairs);
}

/** A size as PBS writes it, in MiB: bytes without a suffix, otherwise kb, mb, gb of 1,024. NaN if it is not a size. */
function pbsSize(text: string): number {
  return parseMemory(text, "B");
}

/** `down,offline: bad disk`; empty: in service; null: unknown. */
function outOfService(vnode: Vnode): string | null {
  const state = vnode.get("state");
  if (state === undefined) return null;
  if (!state.split(",").some((word) => OUT.has(word.trim().toLowerCase()))) return "";
  const reason = vnode.get("comment") ?? vnode.get("note") ?? "";
  return reason === "" ? state : `${state}: ${reason}`;
}

/** PBS's resources under their own names, Torque's properties as labels. */
function attributesOf(vnodes: readonly Vnode[]): ReturnType<AttributeSet["done"]> {
  const attributes = new AttributeSet();
  for (const vnode of vnodes) {
    for (const [name, value] of vnode) {
      if (!name.startsWith(AVAILABLE)) continue;
      const resource = name.slice(AVAILABLE.length);
      if (!SIZES.has(resource)) attributes.set(resource, attributeOf(value));
    }
    attributes.flags((vnode.get("properties") ?? "").split(",").map((property) => property.trim()));
    // A vnode of a queue takes the jobs of that queue only.
    attributes.queues([vnode.get("queue") ?? ""]);
    attributes.queues((vnode.get(`${AVAILABLE}Qlist`) ?? "").split(",").map((queue) => queue.trim()));
    const system = statusOf(vnode).get("opsys");
    if (system) attributes.set("opsys", system);
  }
  return attributes.done();
}

/** `True`, `12`, and sizes such as `900gb`, in MiB; everything else is text. */
function attributeOf(value: string): AttributeValue {
  if (/^(true|false)$/i.test(value)) return value.toLowerCase() === "true";
  if (/^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  return /^\d+[kmgt]?b$/i.test(value) ? pbsSize(value) : value;
}
