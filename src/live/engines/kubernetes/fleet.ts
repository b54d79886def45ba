import type { Machine, Report } from "../engine.ts";
import type { Node, Pod, Toleration } from "./objects.ts";
import { usedBy, type Use } from "./pod-use.ts";
import { mibOf, milliOf } from "./quantity.ts";
import type { KubernetesSettings } from "./settings.ts";
import { tolerates } from "./tolerates.ts";

type FleetSettings = Pick<KubernetesSettings, "tolerations" | "gpuResource">;

/** The nodes of the pool as machines: what they have, without what pods that are not ours have requested. */
export class Fleet {
  private readonly settings: FleetSettings;
  private readonly isOurs: (pod: Pod) => boolean;
  private readonly report: (report: Report) => void;
  private readonly nodes = new Map<string, Node>();
  /** What others' pods take of each node, by UID. */
  private readonly others = new Map<string, Map<string, Use>>();
  private readonly machines = new Map<string, Machine>();
  private isComplete = false;

  constructor(settings: FleetSettings, isOurs: (pod: Pod) => boolean, report: (report: Report) => void) {
    this.settings = settings;
    this.isOurs = isOurs;
    this.report = report;
  }

  get(name: string): Machine | undefined {
    return this.machines.get(name);
  }

  all(): Machine[] {
    return [...this.machines.values()];
  }

  /** Takes the machines that an earlier engine saw, while this one cannot reach the cluster. */
  recall(machines: readonly Machine[]): void {
    for (const machine of machines) this.set(machine);
  }

  see(node: Node): void {
    const { name } = node.metadata;
    this.nodes.set(name, node);
    this.update(name);
  }

  remove(name: string): void {
    this.nodes.delete(name);
    if (this.machines.delete(name)) this.report({ kind: "machine-removed", name });
  }

  /** All nodes and all pods have been seen. Before that a machine would be told without what others use of it. */
  complete(): void {
    this.isComplete = true;
    for (const name of this.nodes.keys()) this.update(name);
    for (const name of this.machines.keys()) if (!this.nodes.has(name)) this.remove(name);
  }

  seePod(pod: Pod): void {
    const name = pod.spec.nodeName;
    if (name === undefined || this.isOurs(pod)) return;
    const uses = this.others.get(name) ?? new Map<string, Use>();
    this.others.set(name, uses.set(pod.metadata.uid, usedBy(pod, this.settings.gpuResource)));
    this.update(name);
  }

  removePod({ spec: { nodeName: name = "" }, metadata: { uid } }: Pod): void {
    const pods = this.others.get(name);
    if (pods?.delete(uid) !== true) return;
    if (pods.size === 0) this.others.delete(name);
    this.update(name);
  }

  private update(name: string): void {
    const node = this.nodes.get(name);
    if (node === undefined || !this.isComplete) return;
    const machine = this.machineOf(node);
    if (JSON.stringify(machine) !== JSON.stringify(this.machines.get(name))) this.set(machine);
  }

  private set(machine: Machine): void {
    this.machines.set(machine.name, machine);
    this.report({ kind: "machine", machine });
  }

  private machineOf(node: Node): Machine {
    const { name, labels = {} } = node.metadata;
    const { gpuResource } = this.settings;
    const has = node.status?.allocatable ?? {};
    const whole = {
      coresMilli: Math.floor(milliOf(has["cpu"])),
      memoryMiB: Math.floor(mibOf(has["memory"])),
      gpuMilli: Math.floor(milliOf(has[gpuResource])),
    };
    let coresMilli = milliOf(has["cpu"]);
    let memoryMiB = mibOf(has["memory"]);
    let gpuMilli = milliOf(has[gpuResource]);
    for (const used of this.others.get(name)?.values() ?? []) {
      coresMilli -= used.coresMilli;
      memoryMiB -= used.memoryMiB;
      gpuMilli -= used.gpuMilli;
    }
    return {
      name,
      coresMilli: Math.max(0, Math.floor(coresMilli)),
      memoryMiB: Math.max(0, Math.floor(memoryMiB)),
      gpuMilli: Math.max(0, Math.floor(gpuMilli)),
      whole,
      attributes: labels,
      ...stateOf(node, this.settings.tolerations),
    };
  }
}

/** Taints that only repeat what the node's conditions and its cordon say. */
const REPEATED = [
  "node.kubernetes.io/unschedulable",
  "node.kubernetes.io/not-ready",
  "node.kubernetes.io/unreachable",
];

/** Whether a node takes pods with these tolerations, and why not. */
export function stateOf(
  { spec, status, metadata }: Node,
  tolerations: readonly Toleration[],
): Pick<Machine, "state" | "reason"> {
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  if (metadata.deletionTimestamp !== undefined) return { state: "down", reason: "it is being removed" };
  if (ready?.status !== "True")
    return { state: "down", reason: ready?.message ?? ready?.reason ?? "its kubelet has said nothing yet" };
  if (spec?.unschedulable === true) return { state: "drained", reason: "it is cordoned" };
  const taint = spec?.taints?.find(
    (each) =>
      each.effect !== "PreferNoSchedule" &&
      !REPEATED.includes(each.key) &&
      !tolerations.some((toleration) => tolerates(toleration, each)),
  );
  if (taint === undefined) return { state: "up", reason: "" };
  const value = taint.value === undefined || taint.value === "" ? "" : `=${taint.value}`;
  return { state: "drained", reason: `its taint ${taint.key}${value}:${taint.effect} is not tolerated` };
}
