import { AttributeSet } from "./attributes.ts";
import { isNothing, readGres } from "./gres.ts";
import type { NodeList } from "./node-list.ts";

/** What Slurm tells of a node, whichever of its programs was asked. */
export interface SlurmNode {
  readonly name: string;
  /** All CPUs, hardware threads where the site counts those. */
  readonly cpus: number | null;
  /** Those that jobs can have, where Slurm tells. */
  readonly effectiveCpus?: number | null;
  /** Cores, not CPUs, that Slurm keeps for the system. */
  readonly specializedCores?: number | null;
  readonly sockets?: number | null;
  readonly coresPerSocket?: number | null;
  /** Slurm's MB are MiB. */
  readonly memoryMiB: number | null;
  readonly specializedMemoryMiB?: number | null;
  readonly gres?: string;
  readonly features?: readonly string[];
  readonly arch?: string;
  /** With its version: `Linux 5.14.0 …`. */
  readonly system?: string;
  /** `IDLE+DRAIN`, `down*`; null: not told. */
  readonly state: string | null;
  readonly reason?: string;
}

/** Where sinfo has one row for nodes that differ, it tells the least: `257000+`. */
export const SEVERAL_SIZES = "of several sizes, all read as the smallest: sinfo -e keeps sizes apart";
const KEPT_BY_SLURM = "less what Slurm keeps for the system (CoreSpecCount, MemSpecLimit)";

/** @throws InputError where the list has the node with another size already */
export function addSlurmNode(list: NodeList, node: SlurmNode, line?: number): void {
  const { name, gres = "", features = [], arch = "", system = "", state, reason = "" } = node;
  const attributes = new AttributeSet();
  const gpus = readGres(gres, attributes);
  attributes.flags(features.map((feature) => feature.trim()).filter((feature) => !isNothing(feature)));
  if (!isNothing(arch)) attributes.set("arch", arch);
  if (!isNothing(system)) attributes.set("os", system.split(" ", 1)[0]!);

  const { cores, memoryMiB } = forJobs(node);
  if (cores !== node.cpus || memoryMiB !== toldMemory(node.memoryMiB)) list.notes.add(KEPT_BY_SLURM, name);
  const out = state === null ? null : outOfService(state);
  const why = out && !isNothing(reason) ? `${out}: ${reason}` : out;
  list.add({ id: name, cores, memoryMiB, gpus, attributes: attributes.done(), out: why }, line);
}

/** What is left of a node for jobs: tried on Slurm 22.05, which refuses one CPU or MiB more. */
function forJobs(node: SlurmNode): { cores: number | null; memoryMiB: number | null } {
  const { cpus, effectiveCpus, specializedCores, sockets, coresPerSocket, specializedMemoryMiB } = node;
  // A site may count cores as CPUs even where they have threads.
  const cpusPerCore = (cpus ?? 0) / ((sockets ?? 0) * (coresPerSocket ?? 0));
  const kept = (specializedCores ?? 0) * (Number.isInteger(cpusPerCore) ? cpusPerCore : 1);
  const memory = toldMemory(node.memoryMiB);
  return {
    cores: effectiveCpus ?? (cpus === null ? null : Math.max(0, cpus - kept)),
    memoryMiB: memory === null ? null : Math.max(0, memory - (specializedMemoryMiB ?? 0)),
  };
}

/** 1 is what Slurm takes for a node whose memory nobody configured. */
function toldMemory(memoryMiB: number | null): number | null {
  return memoryMiB === 1 ? null : memoryMiB;
}

/** States and flags of a node that takes no jobs, long and as sinfo shortens them (slurm.schedmd.com/sinfo.html). */
const OUT = new Set(
  (
    "DOWN DRAIN DRAINED DRAINING DRNG FAIL FAILING FAILG ERROR ERR UNKNOWN UNK FUTURE FUTR " +
    "INVAL INVALID INVALID_REG NOT_RESPONDING NO_RESPOND MAINT MAINTENANCE POWER_DRAIN"
  ).split(" "),
);

/** All flags of Slurm in one state are shorter. */
const MAX_STATE = 1000;

/** The state where it means that the node takes no jobs, else nothing. A node that sleeps to save power takes them. */
function outOfService(state: string): string {
  const words = state
    .slice(0, MAX_STATE)
    .toUpperCase()
    .split(/[+,\s]+/);
  // The star: the node does not respond.
  const isOut = words.some((word) => word.endsWith("*") || OUT.has(word.replace(/[^A-Z_]+$/, "")));
  return isOut ? state : "";
}
