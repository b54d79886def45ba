import type { ByteSource } from "../input/bytes.ts";
import type { MachinesFormat, MachinesOptions } from "./format.ts";
import {
  beginningOfJson,
  listOf,
  numberOf,
  objectOf,
  readJson,
  refuseJson,
  textOf,
  type JsonObject,
} from "./json.ts";
import type { Machines } from "./machines.ts";
import { NodeList } from "./node-list.ts";
import { nodeNames } from "./node-names.ts";
import { addSlurmNode, SEVERAL_SIZES } from "./slurm-node.ts";

export const slurmJson: MachinesFormat = {
  name: "slurm-json",
  summary: "Slurm: scontrol show node --json, sinfo --json",
  takes: ["leaveOutDown"],
  matches: (_fileName, firstBytes) => /"(nodes|sinfo)"\s*:\s*\[/.test(beginningOfJson(firstBytes)),
  read,
};

async function read(source: ByteSource, options: MachinesOptions = {}): Promise<Machines> {
  const json = objectOf(await readJson(source));
  const list = new NodeList(source, options);
  // Until Slurm 23.02 sinfo wrote nodes as scontrol does; since then it writes groups of them.
  if (Array.isArray(json["nodes"])) for (const node of json["nodes"]) addNode(list, objectOf(node));
  else if (Array.isArray(json["sinfo"])) for (const group of json["sinfo"]) addGroup(list, objectOf(group));
  else refuseJson(source, 'list "nodes" or "sinfo"');
  return list.finish();
}

function addNode(list: NodeList, node: JsonObject): void {
  addSlurmNode(list, {
    name: textOf(node["name"]),
    cpus: numberOf(node["cpus"]),
    effectiveCpus: numberOf(node["effective_cpus"]),
    specializedCores: numberOf(node["specialized_cores"]),
    sockets: numberOf(node["sockets"]),
    coresPerSocket: numberOf(node["cores"]),
    memoryMiB: numberOf(node["real_memory"]),
    specializedMemoryMiB: numberOf(node["specialized_memory"]),
    gres: textOf(node["gres"]),
    features: textsOf(node["active_features"] ?? node["features"]),
    partitions: textsOf(node["partitions"]),
    arch: textOf(node["architecture"]),
    system: textOf(node["operating_system"]),
    state: stateOf([...textsOf(node["state"]), ...textsOf(node["state_flags"])]),
    reason: textOf(node["reason"]),
  });
}

/** A group of nodes that sinfo does not distinguish; with -N, one node. */
function addGroup(list: NodeList, group: JsonObject): void {
  const nodes = objectOf(group["nodes"]);
  const [cpus, memory] = [objectOf(group["cpus"]), objectOf(group["memory"])];
  const features = objectOf(group["features"]);
  const names = listOf(nodes["nodes"]).flatMap(
    (text) => nodeNames(textOf(text)) ?? list.refuse(`"${textOf(text)}" is not a list of nodes`),
  );
  for (const name of names) {
    if (cpus["minimum"] !== cpus["maximum"] || memory["minimum"] !== memory["maximum"]) {
      list.notes.add(SEVERAL_SIZES, name);
    }
    addSlurmNode(list, {
      name,
      cpus: numberOf(cpus["minimum"]),
      memoryMiB: numberOf(memory["minimum"]),
      gres: textOf(objectOf(group["gres"])["total"]),
      features: textsOf(features["active"] ?? features["total"]),
      partitions: textsOf(objectOf(group["partition"])["name"]),
      state: stateOf(textsOf(objectOf(group["node"])["state"])),
      reason: textOf(group["reason"]),
    });
  }
}

/** A list of texts, or a text that is a list: Slurm's versions differ. */
function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value.map(textOf) : textOf(value).split(",")).filter((text) => text !== "");
}

function stateOf(words: readonly string[]): string | null {
  return words.length === 0 ? null : words.join("+");
}
