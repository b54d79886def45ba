import type { ByteSource } from "../input/bytes.ts";
import { firstLine } from "../input/first-line.ts";
import { readLines } from "../input/lines.ts";
import { parseMemory } from "../units.ts";
import { AttributeSet } from "./attributes.ts";
import type { MachinesFormat, MachinesOptions } from "./format.ts";
import type { Machines } from "./machines.ts";
import { NodeList } from "./node-list.ts";

export const qhost: MachinesFormat = {
  name: "qhost",
  summary: "Grid Engine: qhost, qhost -q",
  takes: ["leaveOutDown"],
  matches: (_fileName, firstBytes) => isTitles(firstLine(firstBytes).split(/\s+/)),
  read,
};

/** A queue on a host, as -q lists it: `all.q BIP 0/4/16 au`. */
interface QueueInstance {
  readonly name: string;
  readonly slots: number;
  readonly states: string;
}

interface Host {
  readonly name: string;
  readonly line: number;
  readonly row: ReadonlyMap<string, string>;
  readonly queues: QueueInstance[];
  gpus: number;
}

const CUT_NAME = "of names that qhost cut off, numbered";

/** d: disabled, D: by a calendar, u: unknown, E: error, c: configured in contradiction, o: orphaned (qstat(1)). */
const OUT = /[dDuEco]/;

async function read(source: ByteSource, options: MachinesOptions = {}): Promise<Machines> {
  const list = new NodeList(source, options);
  const decoder = new TextDecoder();
  const hostsCalled = new Map<string, number>();
  let titles: string[] = [];
  let host: Host | null = null;
  const end = (): void => {
    // "global" stands for what all hosts share.
    if (host !== null && host.name !== "global") addHost(list, host);
    host = null;
  };
  await readLines(source, (bytes, start, stop, line) => {
    const text = decoder.decode(bytes.subarray(start, stop)).trimEnd();
    const words = text.trim().split(/\s+/);
    if (words[0] === "" || /^-+$/.test(words[0]!)) return;
    if (isTitles(words)) {
      titles = words;
    } else if (!/^\s/.test(text)) {
      end();
      if (titles.length === 0) list.refuse("no titles of qhost stand above this", line);
      if (words.length !== titles.length)
        list.refuse(`the row has ${words.length} fields, not ${titles.length}`, line);
      const row = new Map(titles.map((title, at) => [title, words[at]!]));
      // qhost shows 23 characters of a name; a host is listed once.
      const called = (hostsCalled.get(words[0]!) ?? 0) + 1;
      hostsCalled.set(words[0]!, called);
      const name = called === 1 ? words[0]! : `${words[0]!}~${called}`;
      if (called > 1) list.notes.add(CUT_NAME, name);
      host = { name, line, row, queues: [], gpus: 0 };
    } else if (host !== null) {
      addDetail(host, text.trim());
    }
  });
  end();
  return list.finish();
}

/** An indented line below a host: a queue of -q, or a resource of -F. Jobs of -j say nothing of the machine. */
function addDetail(host: Host, text: string): void {
  const [, name, total, states] =
    /^(\S+)\s+[A-Z]+\s+\d{1,9}\/(?:\d{1,9}\/)?(\d{1,9})\s*(\S*)$/.exec(text) ?? [];
  if (name !== undefined) host.queues.push({ name, slots: Number(total), states: states ?? "" });
  const [, gpus] = /^h[a-z]:n?gpus?=(\d+(?:\.\d+)?)$/i.exec(text) ?? [];
  if (gpus !== undefined) host.gpus = Number(gpus);
}

function addHost(list: NodeList, { name, line, row, queues, gpus }: Host): void {
  const cpus = row.get("NCPU") ?? "-";
  if (cpus !== "-" && !/^\d+$/.test(cpus)) list.refuse(`NCPU: "${cpus.slice(0, 40)}" is not a number`, line);
  const memory = row.get("MEMTOT") ?? "-";
  const memoryMiB = memory === "-" ? null : parseMemory(memory, "B");
  if (Number.isNaN(memoryMiB)) list.refuse(`MEMTOT: "${memory.slice(0, 40)}" is not a size`, line);
  // Queues of a host usually share its CPUs, so their slots are not added up.
  const slots = Math.max(0, ...queues.map(({ slots }) => slots));
  const arch = row.get("ARCH") ?? "-";
  const attributes = new AttributeSet();
  if (arch !== "-") attributes.set("arch", arch);
  attributes.queues(queues.map((queue) => queue.name));
  list.add(
    {
      id: name,
      cores: slots > 0 ? slots : cpus === "-" ? null : Number(cpus),
      memoryMiB,
      gpus,
      attributes: attributes.done(),
      out: outOfService(row, queues),
    },
    line,
  );
}

/** A host that reports no load is down; one whose queues are all closed runs nothing. */
function outOfService(row: Host["row"], queues: readonly QueueInstance[]): string {
  if ((row.get("LOAD") ?? row.get("NLOAD")) === "-") return "reports no load";
  const isClosed = queues.length > 0 && queues.every(({ states }) => OUT.test(states));
  return isClosed ? queues.map(({ name, states }) => `${name} ${states}`).join(", ") : "";
}

function isTitles(words: readonly string[]): boolean {
  return words[0] === "HOSTNAME" && words.includes("NCPU");
}
