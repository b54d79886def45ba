import { AttributeSet } from "./attributes.ts";
import { isNothing, readGres } from "./gres.ts";
import type { NodeList } from "./node-list.ts";

/** A node as Slurm describes it, whichever of its programs was used. */
export interface SlurmNode {
  readonly name: string;
  /** All CPUs: hardware threads if the site counts those. */
  readonly cpus: number | null;
  /** The CPUs that jobs can use, if Slurm tells. */
  readonly effectiveCpus?: number | null;
  /** The cores, not CPUs, that Slurm keeps for the system. */
  readonly specializedCores?: number | null;
  readonly sockets?: number | null;
  readonly coresPerSocket?: number | null;
  /** Slurm's MB are MiB. */
  readonly memoryMiB: number | null;
  readonly specializedMemoryMiB?: number | null;
  readonly gres?: string;
  readonly features?: readonly string[];
  /** Whose jobs it takes. */
  readonly partitions?: readonly string[];
  readonly arch?: string;
  /** With its version: `Linux 5.14.0 …`. */
  readonly system?: string;
  /** `IDLE+DRAIN`, `down*`; null: unknown. */
  readonly state: string | null;
  readonly reason?: string;
}

/** If sinfo has one row for nodes that differ, it prints the least value: `257000+`. */
export const SEVERAL_SIZES = "of several sizes, all read as the smallest: sinfo -e keeps sizes apart";
const KEPT_BY_SLURM = "less what Slurm keeps for the system (CoreSpecCount, MemSpecLimit)";

/** @throws InputError if the list already has the node with another size */
export function addSlurmNode(list: NodeList, node: SlurmNode, line?: number): void {
  const {
    name,
    gres = "",
    features = [],
    partitions = [],
    arch = "",
    system = "",
    state,
    reason = "",
  } = node;
  const attributes = new AttributeSet();
  const gpus = readGres(gres, attributes);
  attributes.flags(features.map((feature) => feature.trim()).filter((feature) => !isNothing(feature)));
  // sinfo marks the default partition by a star.
  attributes.queues(
    partitions.map((each) => each.trim().replace(/\*$/, "")).filter((each) => !isNothing(each)),
  );
  if (!isNothing(arch)) attributes.set("arch", arch);
  if (!isNothing(system)) attributes.set("os", system.split(" ", 1)[0]!);

  const { cores, memoryMiB } = forJobs(node);
  if (cores !== node.cpus || memoryMiB !== toldMemory(node.memoryMiB)) list.notes.add(KEPT_BY_SLURM, name);
  const out = state === null ? null : outOfService(state);
  const why = out && !isNothing(reason) ? `${out}: ${reason}` : out;
  list.add({ id: name, cores, memoryMiB, gpus, attributes: attributes.done(), out: why }, line);
}

/** What a node has left for jobs. Tried on Slurm 22.05, which refuses one CPU or MiB more. */
function forJobs(node: SlurmNode): { cores: number | null; memoryMiB: number | null } {
  const { cpus, effectiveCpus, specializedCores, sockets, coresPerSocket, specializedMemoryMiB } = node;
  // A site may count cores as CPUs even if they have threads.
  const cpusPerCore = (cpus ?? 0) / ((sockets ?? 0) * (coresPerSocket ?? 0));
  const kept = (specializedCores ?? 0) * (Number.isInteger(cpusPerCore) ? cpusPerCore : 1);
  const memory = toldMemory(node.memoryMiB);
  return {
    cores: effectiveCpus ?? (cpus === null ? null : Math.max(0, cpus - kept)),
    memoryMiB: memory === null ? null : Math.max(0, memory - (specializedMemoryMiB ?? 0)),
  };
}

/** 1 is Slurm's value for a node whose memory was not configured. */
function toldMemory(memoryMiB: number | null): number | null {
  return memoryMiB === 1 ? null : memoryMiB;
}

/**
 * The states and flags of a node that takes no jobs, in full and as sinfo shortens them (slurm.schedmd.com/sinfo.html).
 */
const OUT = new Set(
  (
    "DOWN DRAIN DRAINED DRAINING DRNG FAIL FAILING FAILG ERROR ERR UNKNOWN UNK FUTURE FUTR " +
    "INVAL INVALID INVALID_REG NOT_RESPONDING NO_RESPOND MAINT MAINTENANCE POWER_DRAIN"
  ).split(" "),
);

/** Longer than all of Slurm's flags in one state. */
const MAX_STATE = 1000;

/** The state if it means that the node takes no jobs, otherwise "". A node that sleeps to save power takes them. */
function outOfService(state: string): string {
  const words = state
    .slice(0, MAX_STATE)
    .toUpperCase()
    .split(/[+,\s]+/);
  // The star means that the node does not respond.
  const isOut = words.some((word) => word.endsWith("*") || OUT.has(word.replace(/[^A-Z_]+$/, "")));
  return isOut ? state : "";
}
