import type { ByteSource } from "../input/bytes.ts";
import { firstLine } from "../input/first-line.ts";
import { readLines } from "../input/lines.ts";
import { parseMemory } from "../units.ts";
import { AttributeSet } from "./attributes.ts";
import type { MachinesFormat, MachinesOptions } from "./format.ts";
import { MAX_MACHINES } from "./machine-list.ts";
import type { Machines } from "./machines.ts";
import { NodeList } from "./node-list.ts";

export const lsf: MachinesFormat = {
  name: "lsf",
  summary: "LSF: lshosts -w, bhosts -w, or both one after the other",
  takes: ["leaveOutDown"],
  matches: (_fileName, firstBytes) => isTitles(firstLine(firstBytes).split(/\s+/)),
  read,
};

const NO_SERVER = "left out: LSF clients, which run no jobs";
const NO_BATCH = "left out: in lshosts, but not in bhosts";
const CLOSED = "closed, perhaps only full, and kept: bhosts -w tells why";

/**
 * The statuses of a host that takes no jobs, except those that only last as long as its jobs (IBM's reference of
 * bhosts).
 */
const OUT = /^(unavail|unreach|unlicensed|closed_(Adm|LIM|Lock))/i;

/** A row by its titles. Everything from the last title on is one text. */
type Row = ReadonlyMap<string, string>;

interface Host {
  readonly line: number;
  /** The columns of lshosts. */
  hardware?: Row;
  /** The columns of bhosts. */
  batch?: Row;
}

async function read(source: ByteSource, options: MachinesOptions = {}): Promise<Machines> {
  const list = new NodeList(source, options);
  const hosts = new Map<string, Host>();
  const decoder = new TextDecoder();
  let titles: string[] = [];
  await readLines(source, (bytes, start, end, line) => {
    const words = decoder.decode(bytes.subarray(start, end)).trim().split(/\s+/);
    if (words[0] === "") return;
    if (isTitles(words)) {
      titles = words;
      return;
    }
    if (titles.length === 0) list.refuse("no titles of lshosts or bhosts stand above this", line);
    const isHardware = titles.includes("ncpus");
    // LSF 9 leaves the last columns empty for hosts that it cannot reach.
    const row = new Map(
      titles.map((title, at) => [
        title,
        at < titles.length - 1 ? (words[at] ?? "-") : words.slice(at).join(" "),
      ]),
    );
    const name = words[0]!;
    if (!hosts.has(name) && hosts.size >= MAX_MACHINES)
      list.refuse(`more than ${MAX_MACHINES} machines`, line);
    const host = hosts.get(name) ?? { line };
    if ((isHardware ? host.hardware : host.batch) !== undefined) {
      list.refuse(`a second host called ${name}: if names were cut off, ask with -w`, line);
    }
    if (isHardware) host.hardware = row;
    else host.batch = row;
    hosts.set(name, host);
  });
  const hasBatch = [...hosts.values()].some(({ batch }) => batch !== undefined);
  for (const [name, host] of hosts) addHost(list, name, host, hasBatch);
  return list.finish();
}

function addHost(list: NodeList, id: string, { hardware, batch, line }: Host, hasBatch: boolean): void {
  if (hardware !== undefined && hardware.get("server") === "No") {
    list.notes.add(NO_SERVER, id);
    return;
  }
  if (hasBatch && batch === undefined) {
    list.notes.add(NO_BATCH, id);
    return;
  }
  const number = (row: Row | undefined, title: string): number | null => {
    const text = row?.get(title) ?? "-";
    if (text === "-") return null;
    return /^\d+(\.\d+)?$/.test(text)
      ? Number(text)
      : list.refuse(`${title}: "${text.slice(0, 40)}" is not a number`, line);
  };
  const memory = hardware?.get("maxmem") ?? "-";
  const memoryMiB = memory === "-" ? null : parseMemory(memory, "MiB");
  if (Number.isNaN(memoryMiB)) list.refuse(`maxmem: "${memory.slice(0, 40)}" is not a size`, line);
  const status = batch?.get("STATUS");
  if (status === "closed") list.notes.add(CLOSED, id);
  list.add(
    {
      id,
      // LSF gives out slots. A host without a limit of its own has as many as CPUs.
      cores: number(batch, "MAX") ?? number(hardware, "ncpus"),
      memoryMiB,
      gpus: 0,
      attributes: attributesOf(hardware, number(hardware, "cpuf")).done(),
      out: status === undefined ? null : OUT.test(status) ? status : "",
    },
    line,
  );
}

function attributesOf(hardware: Row | undefined, cpuFactor: number | null): AttributeSet {
  const attributes = new AttributeSet();
  for (const title of ["type", "model"]) {
    const text = hardware?.get(title) ?? "-";
    if (text !== "-" && !text.startsWith("UNKNOWN")) attributes.set(title, text);
  }
  if (cpuFactor !== null) attributes.set("cpuf", cpuFactor);
  const resources = /^\((.*)\)?$/.exec(hardware?.get("RESOURCES") ?? "")?.[1] ?? "";
  return attributes.flags(resources.replaceAll(")", "").split(/\s+/));
}

function isTitles(words: readonly string[]): boolean {
  return words[0] === "HOST_NAME" && (words.includes("ncpus") || words.includes("STATUS"));
}
