import { InputError } from "../errors.ts";
import { sourceName, sourceTitle } from "../input/bytes.ts";
import type { ByteSource } from "../input/bytes.ts";
import { firstLine } from "../input/first-line.ts";
import { readLines } from "../input/lines.ts";
import { mebibytesPer, milliOffered } from "../units.ts";
import type { MachinesFormat } from "./format.ts";
import { MAX_MACHINES, MachineList } from "./machine-list.ts";
import type { Machines } from "./machines.ts";

export const alea: MachinesFormat = {
  name: "alea",
  summary: "the Alea simulator's .machines: id, name, machines, cores each, a factor, KB of memory each",
  takes: [],
  matches: (_fileName, firstBytes) => parseCluster(firstLine(firstBytes)) !== null,
  read,
};

interface Cluster {
  readonly name: string;
  readonly machines: number;
  readonly cores: number;
  readonly memoryKiB: number;
}

/** The machines of cluster `zegox` are called `zegox-1`, `zegox-2`, … */
async function read(source: ByteSource): Promise<Machines> {
  const file = sourceName(source);
  const list = new MachineList();
  const decoder = new TextDecoder();
  await readLines(source, (bytes, start, end, line) => {
    const text = decoder.decode(bytes.subarray(start, end)).trim();
    if (text === "") return;
    const cluster = parseCluster(text);
    const where = { file, line };
    if (cluster === null) {
      throw new InputError(
        "not six fields: id, name, machines, cores each, a factor, KB of memory each",
        where,
      );
    }
    const { name, machines, cores, memoryKiB } = cluster;
    if (machines < 1 || machines > MAX_MACHINES) {
      throw new InputError(`cluster ${name} has ${machines} machines: give 1 to ${MAX_MACHINES}`, where);
    }
    const coresMilli = milliOffered(cores);
    const memoryMiB = Math.floor(memoryKiB * mebibytesPer("KiB"));
    for (let number = 1; number <= machines; number++) {
      list.add({ id: `${name}-${number}`, coresMilli, memoryMiB, gpuMilli: null }, where);
    }
  });
  return list.finish(sourceTitle(source), { file });
}

/** Null if the line is not a cluster. The meaning of the factor is unknown; it is not used. */
function parseCluster(text: string): Cluster | null {
  const fields = text.split(/\s+/);
  if (fields.length !== 6) return null;
  const [, name, machines, cores, , memory] = fields as [string, string, string, string, string, string];
  const numbers = [machines, cores, memory];
  if (!numbers.every((field) => /^-?\d+(\.\d+)?$/.test(field)) || !Number.isInteger(Number(machines)))
    return null;
  return { name, machines: Number(machines), cores: Number(cores), memoryKiB: Number(memory) };
}
