import type { ByteSource } from "../input/bytes.ts";
import type { MachinesFormat, MachinesOptions } from "./format.ts";
import { beginningOfJson, objectOf, readJson, refuseJson, textOf } from "./json.ts";
import type { Machines } from "./machines.ts";
import { PbsHosts } from "./pbs-hosts.ts";

export const pbsnodesJson: MachinesFormat = {
  name: "pbsnodes-json",
  summary: "OpenPBS, PBS Pro: pbsnodes -a -F json",
  takes: ["leaveOutDown"],
  matches: (_fileName, firstBytes) => /"nodes"\s*:\s*\{/.test(beginningOfJson(firstBytes)),
  read,
};

async function read(source: ByteSource, options: MachinesOptions = {}): Promise<Machines> {
  const hosts = new PbsHosts(source, options);
  const { nodes } = objectOf(await readJson(source));
  if (nodes === undefined || Array.isArray(nodes)) refuseJson(source, '"nodes" by name');
  for (const [name, node] of Object.entries(objectOf(nodes))) {
    const vnode = new Map<string, string>();
    for (const [key, value] of Object.entries(objectOf(node))) {
      // As `pbsnodes -a` prints nested values: `resources_available.mem`.
      for (const [inner, innerValue] of Object.entries(objectOf(value))) {
        vnode.set(`${key}.${inner}`, textOf(innerValue));
      }
      if (textOf(value) !== "") vnode.set(key, textOf(value));
    }
    hosts.add(name, vnode);
  }
  return hosts.finish();
}
