import { firstLine } from "../input/first-line.ts";
import { MAX_LINE_BYTES, readLines } from "../input/lines.ts";
import type { ByteSource } from "../input/bytes.ts";
import type { MachinesFormat, MachinesOptions } from "./format.ts";
import { slurmCount } from "./gres.ts";
import type { Machines } from "./machines.ts";
import { NodeList } from "./node-list.ts";
import { addSlurmNode } from "./slurm-node.ts";

export const scontrol: MachinesFormat = {
  name: "scontrol",
  summary: "Slurm: scontrol show node, plain or -o",
  takes: ["leaveOutDown"],
  matches: (_fileName, firstBytes) => firstLine(firstBytes).startsWith("NodeName="),
  read,
};

async function read(source: ByteSource, options: MachinesOptions = {}): Promise<Machines> {
  const list = new NodeList(source, options);
  const decoder = new TextDecoder();
  let record = "";
  let recordLine = 0;
  const end = (): void => {
    if (record !== "") addRecord(list, record.trim(), recordLine);
    record = "";
  };
  await readLines(source, (bytes, start, stop, line) => {
    const text = decoder.decode(bytes.subarray(start, stop)).trim();
    if (text.startsWith("NodeName=")) {
      end();
      recordLine = line;
    } else if (recordLine === 0 && text !== "") {
      list.refuse("no node begins here: a line with NodeName= should", line);
    }
    if (record.length + text.length > MAX_LINE_BYTES)
      list.refuse("the node's text is longer than 1 MiB", line);
    record += ` ${text}`;
  });
  end();
  return list.finish();
}

function addRecord(list: NodeList, record: string, line: number): void {
  // Free text of people, which contains no fields of the node.
  const free = /\s(?:Reason|Comment|Extra)=/.exec(record);
  const fields = fieldsOf(free === null ? record : record.slice(0, free.index));
  const number = (key: string): number | null => slurmCount(fields.get(key) ?? "");
  const reason = /\sReason=(.*?)(?:\s\[[^[\]]*\])?(?:\s(?:Comment|Extra)=.*)?$/s.exec(record)?.[1];
  addSlurmNode(
    list,
    {
      name: fields.get("NodeName") ?? "",
      cpus: number("CPUTot"),
      effectiveCpus: number("CPUEfctv"),
      specializedCores: number("CoreSpecCount"),
      sockets: number("Sockets"),
      coresPerSocket: number("CoresPerSocket"),
      memoryMiB: number("RealMemory"),
      specializedMemoryMiB: number("MemSpecLimit"),
      gres: fields.get("Gres") ?? "",
      // What a node could have after a reboot does not count.
      features: (fields.get("ActiveFeatures") ?? fields.get("Features") ?? "").split(","),
      partitions: (fields.get("Partitions") ?? "").split(","),
      arch: fields.get("Arch") ?? "",
      system: fields.get("OS") ?? "",
      state: fields.get("State") ?? null,
      ...(reason === undefined ? {} : { reason }),
    },
    line,
  );
}

/** `Key=value Key=value …`: a value extends to the next key, as OS's does. */
function fieldsOf(record: string): Map<string, string> {
  const fields = new Map<string, string>();
  const keys = [...record.matchAll(/(?:^|\s)([A-Z][A-Za-z_]*)=/g)];
  keys.forEach((match, at) => {
    const key = match[1]!;
    const value = record.slice(match.index + match[0].length, keys[at + 1]?.index).trim();
    if (!fields.has(key)) fields.set(key, value);
  });
  return fields;
}
