import type { Machine } from "../engine.ts";

/** A node as `scontrol -o show node` tells it. */
export interface SlurmNode {
  readonly name: string;
  readonly state: Machine["state"];
  readonly reason: string;
  readonly cores: number;
  readonly memoryMiB: number;
  readonly gpus: number;
  readonly allocatedCores: number;
  readonly allocatedMemoryMiB: number;
  readonly partitions: readonly string[];
  readonly attributes: Readonly<Record<string, string>>;
}

export function parseNodes(text: string): SlurmNode[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("NodeName="))
    .map(parseNode);
}

function parseNode(line: string): SlurmNode {
  // Values with blanks (OS, Reason) are followed by the next name and its equals sign.
  const field = (name: string): string =>
    new RegExp(`(?:^|\\s)${name}=(.*?)(?=\\s+[A-Za-z]+=|$)`).exec(line)?.[1] ?? "";
  const number = (name: string): number => Number(field(name)) || 0;
  const attributes: Record<string, string> = {};
  for (const [attribute, value] of [
    ["arch", field("Arch")],
    ["os", field("OS").split(" ")[0]!],
  ] as const)
    if (value !== "") attributes[attribute] = value;
  for (const feature of field("AvailableFeatures").split(","))
    if (feature !== "" && feature !== "(null)") attributes[feature] = "true";
  return {
    name: field("NodeName"),
    state: stateOf(field("State")),
    reason: field("Reason"),
    // Without the cores that are kept for the system, where this version tells.
    cores: number("CPUEfctv") || number("CPUTot"),
    memoryMiB: Math.max(0, number("RealMemory") - number("MemSpecLimit")),
    gpus: gpusOf(field("Gres")),
    allocatedCores: number("CPUAlloc"),
    allocatedMemoryMiB: number("AllocMem"),
    partitions: field("Partitions").split(","),
    attributes,
  };
}

/** A state and flags, such as `IDLE+DRAIN` or `DOWN*`. */
function stateOf(text: string): Machine["state"] {
  const [base, ...flags] = text
    .replace(/[*~#!%$@^-]+$/, (marks) => (marks.includes("*") ? "+NOT_RESPONDING" : ""))
    .split("+");
  const has = (...names: string[]): boolean => flags.some((flag) => names.includes(flag));
  if (has("NOT_RESPONDING", "POWERED_DOWN", "POWERING_DOWN", "POWERING_UP", "REBOOT_ISSUED")) return "down";
  if (!["IDLE", "MIXED", "ALLOCATED", "COMPLETING", "PLANNED", "RESERVED"].includes(base ?? ""))
    return "down";
  if (has("DRAIN", "FAIL", "MAINTENANCE", "MAINT")) return "drained";
  return "up";
}

/** `gpu:4`, `gpu:a100:2(S:0-1),gpu:t4:1`. */
function gpusOf(gres: string): number {
  let gpus = 0;
  for (const [, count] of gres.matchAll(/(?:^|,)gpu(?::[^:,()]+)?:(\d+)/g)) gpus += Number(count);
  return gpus;
}

/** What is ours of a node: without what others have allocated. */
export function machineOf(
  node: SlurmNode,
  ours: { readonly coresMilli: number; readonly memoryMiB: number },
): Machine {
  const othersMilli = Math.max(0, node.allocatedCores * 1000 - ours.coresMilli);
  const othersMiB = Math.max(0, node.allocatedMemoryMiB - ours.memoryMiB);
  return {
    name: node.name,
    coresMilli: Math.max(0, node.cores * 1000 - othersMilli),
    memoryMiB: Math.max(0, node.memoryMiB - othersMiB),
    gpuMilli: node.gpus * 1000,
    whole: { coresMilli: node.cores * 1000, memoryMiB: node.memoryMiB, gpuMilli: node.gpus * 1000 },
    attributes: node.attributes,
    state: node.state,
    reason: node.reason,
  };
}
