import type { ByteSource } from "../input/bytes.ts";
import { kubernetesFactors } from "../kubernetes-factors.ts";
import { AttributeSet } from "./attributes.ts";
import type { MachinesFormat, MachinesOptions } from "./format.ts";
import { beginningOfJson, listOf, objectOf, readJson, refuseJson, textOf, type JsonObject } from "./json.ts";
import type { Machines } from "./machines.ts";
import { NodeList } from "./node-list.ts";

export const kubernetes: MachinesFormat = {
  name: "kubernetes",
  summary: "Kubernetes: kubectl get nodes -o json",
  takes: ["leaveOutDown"],
  matches: (_fileName, firstBytes) => /"kind"\s*:\s*"Node(List)?"/.test(beginningOfJson(firstBytes)),
  read,
};

const KEPT_BY_KUBELET = "less what Kubernetes keeps for the system: allocatable, not capacity";
const TAINTED = "tainted, and kept: which jobs tolerate that is not known";

const MEBIBYTE = 2 ** 20;

/** Labels that every node has with a value of its own, so that they describe nothing. */
const OWN_LABELS = new Set(["kubernetes.io/hostname", "beta.kubernetes.io/hostname"]);
/** Whole GPUs: those of NVIDIA and AMD, and Intel's two drivers. */
const GPU = /^((nvidia|amd)\.com\/gpu|gpu\.intel\.com\/(i915|xe))$/;

async function read(source: ByteSource, options: MachinesOptions = {}): Promise<Machines> {
  const json = objectOf(await readJson(source));
  const list = new NodeList(source, options);
  const nodes = json["kind"] === "Node" ? [json] : json["items"];
  if (!Array.isArray(nodes)) refuseJson(source, 'list "items"');
  for (const node of nodes) addNode(list, objectOf(node));
  return list.finish();
}

function addNode(list: NodeList, node: JsonObject): void {
  const [metadata, spec, status] = [
    objectOf(node["metadata"]),
    objectOf(node["spec"]),
    objectOf(node["status"]),
  ];
  const id = textOf(metadata["name"]);
  const capacity = objectOf(status["capacity"]);
  // What pods can use: the capacity less what the node keeps for its system.
  const offered = status["allocatable"] === undefined ? capacity : objectOf(status["allocatable"]);
  const amount = (resource: string): number | null => {
    const text = textOf(offered[resource]);
    if (text === "") return null;
    return quantity(text) ?? list.refuse(`node ${id}: ${resource}: "${text.slice(0, 40)}" is not a quantity`);
  };

  const attributes = new AttributeSet();
  for (const [label, value] of Object.entries(objectOf(metadata["labels"]))) {
    const text = textOf(value);
    if (!OWN_LABELS.has(label))
      attributes.set(label, text === "true" || text === "false" ? text === "true" : text);
  }
  let gpus = 0;
  for (const resource of Object.keys(offered).filter((name) => name.includes("/"))) {
    const count = amount(resource) ?? 0;
    if (GPU.test(resource)) gpus += count;
    else attributes.set(resource, count);
  }
  const memory = amount("memory");
  const keeps = ["cpu", "memory"].some(
    (name) => (quantity(textOf(capacity[name])) ?? 0) > (amount(name) ?? 0),
  );
  if (keeps) list.notes.add(KEPT_BY_KUBELET, id);
  const out = outOfService(spec, status);
  const taints = listOf(spec["taints"])
    .map(objectOf)
    .filter(keepsJobsOff)
    .map((taint) => textOf(taint["key"]));
  if (!out && taints.length > 0) list.notes.add(TAINTED, `${id} ${taints.join(", ")}`);
  list.add({
    id,
    cores: amount("cpu"),
    memoryMiB: memory === null ? null : memory / MEBIBYTE,
    gpus,
    attributes: attributes.done(),
    out,
  });
}

function keepsJobsOff(taint: JsonObject): boolean {
  return ["NoSchedule", "NoExecute"].includes(textOf(taint["effect"]));
}

/** Cordoned or not ready; empty: neither, null: unknown. */
function outOfService(spec: JsonObject, status: JsonObject): string | null {
  if (spec["unschedulable"] === true) return "cordoned";
  const ready = listOf(status["conditions"])
    .map(objectOf)
    .find((condition) => condition["type"] === "Ready");
  if (ready === undefined) return null;
  if (ready["status"] === "True") return "";
  const reason = textOf(ready["reason"]);
  return reason === "" ? "not ready" : `not ready: ${reason}`;
}

/** `7910m` is 7.91, `31Gi` 31 × 2^30, `128e6` 128,000,000; null if the text is not a quantity. */
function quantity(text: string): number | null {
  const [, number, suffix] =
    /^(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)([numkMGTPE]?|[KMGTPE]i)$/.exec(text) ?? [];
  const factor = suffix === undefined ? undefined : kubernetesFactors[suffix];
  if (number === undefined || factor === undefined) return null;
  const value = Number(number) * factor;
  return Number.isFinite(value) ? value : null;
}
