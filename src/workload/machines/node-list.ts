import { InputError } from "../errors.ts";
import type { MachineAttributes } from "../farm/farm.ts";
import { sourceName, sourceTitle, type ByteSource } from "../input/bytes.ts";
import { milliOffered } from "../units.ts";
import type { MachinesOptions } from "./format.ts";
import { MachineList, MAX_MACHINES } from "./machine-list.ts";
import type { Machines } from "./machines.ts";
import { MachineNotes } from "./notes.ts";

/** A node as a batch system lists it. */
export interface Node {
  readonly id: string;
  /** The scheduler's number of CPUs, with fractions; null if the system does not tell. */
  readonly cores: number | null;
  /** Null if the system does not tell. */
  readonly memoryMiB: number | null;
  readonly gpus: number;
  readonly attributes: MachineAttributes;
  /** Why it takes no jobs: `DOWN: no power`. Empty: it takes them; null: the list does not tell. */
  readonly out: string | null;
}

const OUT_KEPT = "down or drained, but kept: --leave-out-down leaves them out";
const OUT_LEFT = "left out: down or drained";
const NO_CORES = "left out: no cores told";
const NO_MEMORY = "left out: no memory told, while others tell theirs";
const TWICE = "listed more than once, counted once";

/** Collects the nodes that a batch system lists, and notes what is odd about them. */
export class NodeList {
  readonly notes = new MachineNotes();
  private readonly file: string;
  private readonly title: string;
  private readonly leaveOutDown: boolean;
  private readonly nodes = new Map<string, { node: Node; line: number | undefined }>();

  constructor(source: ByteSource, { leaveOutDown = false }: MachinesOptions = {}) {
    this.file = sourceName(source);
    this.title = sourceTitle(source);
    this.leaveOutDown = leaveOutDown;
  }

  /**
   * Adds a node. One that is listed repeatedly, for each of its partitions, counts once and has the attributes of all.
   *
   * @throws InputError if it is listed with another size, or there are too many
   */
  add(node: Node, line?: number): void {
    const { id } = node;
    const known = this.nodes.get(id)?.node;
    if (known === undefined) {
      if (this.nodes.size >= MAX_MACHINES) this.refuse(`more than ${MAX_MACHINES} machines`, line);
      this.nodes.set(id, { node, line });
      return;
    }
    if (known.cores !== node.cores || known.memoryMiB !== node.memoryMiB || known.gpus !== node.gpus) {
      this.refuse(`${id} is listed twice: first with ${size(known)}, then with ${size(node)}`, line);
    }
    const all = Object.entries({ ...node.attributes, ...known.attributes }).sort(([a], [b]) =>
      a < b ? -1 : 1,
    );
    this.nodes.set(id, { ...this.nodes.get(id)!, node: { ...known, attributes: Object.fromEntries(all) } });
    this.notes.add(TWICE, id);
  }

  /** Throws an InputError that names the file, and the line if there is one. */
  refuse(problem: string, line?: number): never {
    throw new InputError(problem, { file: this.file, ...(line === undefined ? {} : { line }) });
  }

  /** @throws InputError if no machine is left, or one is not valid */
  finish(): Machines {
    const all = [...this.nodes.values()];
    if (this.leaveOutDown && all.every(({ node }) => node.out === null)) {
      this.refuse("this list does not tell which nodes are down: leave out --leave-out-down");
    }
    const tellsMemory = all.some(({ node }) => node.memoryMiB !== null);
    const hasGpus = all.some(({ node }) => node.gpus > 0);
    const list = new MachineList();
    let left = 0;
    for (const { node, line } of all) {
      const reason = this.reasonToLeaveOut(node, tellsMemory);
      if (reason !== null) {
        this.notes.add(reason, example(node));
        continue;
      }
      if (node.out) this.notes.add(OUT_KEPT, example(node));
      const { id, cores, memoryMiB, gpus, attributes } = node;
      left++;
      list.add(
        {
          id,
          coresMilli: milliOffered(cores ?? 0),
          memoryMiB: memoryMiB === null ? null : Math.floor(memoryMiB),
          gpuMilli: hasGpus ? milliOffered(gpus) : null,
          attributes,
        },
        { file: this.file, ...(line === undefined ? {} : { line }) },
      );
    }
    const notes = this.notes.list();
    if (left === 0 && all.length > 0) {
      const why = notes.map(({ what, count }) => `${what}: ${count}`).join("; ");
      this.refuse(`no machine of the list can be used (${why})`);
    }
    return list.finish(this.title, { file: this.file }, notes);
  }

  private reasonToLeaveOut({ cores, memoryMiB, out }: Node, tellsMemory: boolean): string | null {
    if (out && this.leaveOutDown) return OUT_LEFT;
    if (cores === null || cores === 0) return NO_CORES;
    return tellsMemory && memoryMiB === null ? NO_MEMORY : null;
  }
}

function size({ cores, memoryMiB, gpus }: Node): string {
  const memory = memoryMiB === null ? "" : ` and ${Math.floor(memoryMiB)} MiB`;
  return `${cores ?? "no"} ${cores === 1 ? "core" : "cores"}${memory}${gpus === 0 ? "" : ` and ${gpus} ${gpus === 1 ? "GPU" : "GPUs"}`}`;
}

function example({ id, out }: Node): string {
  return out ? `${id} ${out}` : id;
}
