import type { ByteSource } from "../input/bytes.ts";
import { readLines } from "../input/lines.ts";
import type { MachinesFormat, MachinesOptions } from "./format.ts";
import { slurmCount } from "./gres.ts";
import type { Machines } from "./machines.ts";
import { MAX_MACHINES } from "./machine-list.ts";
import { NodeList } from "./node-list.ts";
import { nodeNames, splitOutside } from "./node-names.ts";
import { addSlurmNode, SEVERAL_SIZES } from "./slurm-node.ts";

export const sinfo: MachinesFormat = {
  name: "sinfo",
  summary: "Slurm: sinfo -N -l, or sinfo -o with a header",
  takes: ["leaveOutDown"],
  matches: (_fileName, firstBytes) => {
    const lines = new TextDecoder().decode(firstBytes).split("\n", 20);
    return lines.some((line) => line.trim() !== "") && headerOf(firstTitles(lines)) !== null;
  },
  read,
};

const CUT_FEATURES = "a feature that sinfo -l cut off is left out: ask with -o";
const PARTITIONS =
  "rows of several partitions, whose nodes may be counted twice: leave %P out, or name nodes (%n)";

/** sinfo's titles of the fields that are read here. */
const FIELDS: Readonly<Record<string, Field>> = {
  HOSTNAMES: "host",
  NODELIST: "names",
  NODES: "count",
  CPUS: "cpus",
  "CPUS(A/I/O/T)": "cpusInUse",
  MEMORY: "memory",
  GRES: "gres",
  AVAIL_FEATURES: "features",
  ACTIVE_FEATURES: "features",
  FEATURES: "features",
  AVAIL_FE: "cutFeatures",
  STATE: "state",
  REASON: "reason",
  PARTITION: "partition",
};
type Field =
  | "host"
  | "names"
  | "count"
  | "cpus"
  | "cpusInUse"
  | "memory"
  | "gres"
  | "features"
  | "cutFeatures"
  | "state"
  | "reason"
  | "partition";

/** The fields that may contain commas, and the one that may contain blanks. */
const MAY_HOLD: Readonly<Record<string, readonly Field[]>> = {
  ",": ["names", "gres", "features", "reason"],
  " ": ["reason"],
};
/** The width of `sinfo -l`'s column AVAIL_FE. */
const CUT_LENGTH = 8;

interface Header {
  /** A separator: a comma, a bar, or any number of blanks. */
  readonly separator: string;
  readonly fields: readonly (Field | undefined)[];
}

async function read(source: ByteSource, options: MachinesOptions = {}): Promise<Machines> {
  const list = new NodeList(source, options);
  const decoder = new TextDecoder();
  const rows = new Rows(list);
  let header: Header | null = null;
  await readLines(source, (bytes, start, end, line) => {
    const text = decoder.decode(bytes.subarray(start, end));
    if (text.trim() === "" || isAside(text)) return;
    const again = headerOf(text);
    if (again !== null) {
      header = again;
      checkHeader(list, again, line);
    } else if (header === null) list.refuse("no titles of columns: leave out -h", line);
    else rows.add(header, text, line);
  });
  return rows.finish();
}

/** @throws InputError if rows under these titles cannot make machines */
function checkHeader(list: NodeList, { fields }: Header, line: number): void {
  const has = (...wanted: Field[]): boolean => wanted.some((field) => fields.includes(field));
  const advice = "ask for what is needed: sinfo -N -l, or sinfo -o '%n|%c|%m|%G|%f|%T|%E'";
  if (!has("cpus", "cpusInUse")) list.refuse(`this table does not tell the nodes' CPUs: ${advice}`, line);
  if (!has("host", "names", "count"))
    list.refuse(`this table tells neither names nor numbers of nodes: ${advice}`, line);
}

class Rows {
  private readonly list: NodeList;
  /** The number of nodes without a name. */
  private counted = 0;
  private partition: string | undefined;

  constructor(list: NodeList) {
    this.list = list;
  }

  add(header: Header, text: string, line: number): void {
    const { list } = this;
    const row = rowOf(header, text);
    if (row === null) {
      const advice = header.separator === "|" ? "" : ": put | between the fields, sinfo -o '%n|%c|%m'";
      return list.refuse(`the row does not have the header's ${header.fields.length} fields${advice}`, line);
    }
    const amount = (field: Field): number | null => {
      const value = row.get(field);
      if (value === undefined) return null;
      const number = slurmCount(value);
      if (number === null && /\d/.test(value)) list.refuse(`"${value.slice(0, 40)}" is not a number`, line);
      return number;
    };

    const count = amount("count");
    // A partition without nodes.
    if (count === 0) return;
    const names = this.names(row, count, line);
    const cut = row.get("cutFeatures") ?? "";
    const features = (row.get("features") ?? cut).split(",");
    if (cut.length >= CUT_LENGTH && features.length > 0) {
      features.pop();
      list.notes.add(CUT_FEATURES, names[0]!);
    }
    const cpus = amount("cpus") ?? perNode(row.get("cpusInUse") ?? "", names.length);
    const memoryMiB = amount("memory");
    const severalSizes = `${row.get("cpus") ?? ""}${row.get("memory") ?? ""}`.includes("+");
    for (const name of names) {
      if (severalSizes) list.notes.add(SEVERAL_SIZES, name);
      addSlurmNode(
        list,
        {
          name,
          cpus,
          memoryMiB,
          gres: row.get("gres") ?? "",
          features,
          partitions: [row.get("partition") ?? ""],
          state: row.get("state") ?? null,
          reason: row.get("reason") ?? "",
        },
        line,
      );
    }
  }

  finish(): Machines {
    return this.list.finish();
  }

  private names(row: ReadonlyMap<Field, string>, count: number | null, line: number): string[] {
    const { list } = this;
    const text = row.get("host") ?? row.get("names");
    if (text !== undefined) {
      const names = nodeNames(text);
      if (names === null)
        return list.refuse(`"${text.slice(0, 40)}" is not a list of nodes: was it cut off?`, line);
      if (count !== null && count !== names.length) {
        list.refuse(`the row lists ${names.length} nodes and tells ${count}: was the list cut off?`, line);
      }
      return names;
    }
    const partition = row.get("partition");
    if (this.partition !== undefined && partition !== this.partition)
      list.notes.add(PARTITIONS, `line ${line}`);
    this.partition ??= partition;
    if (count === null || !Number.isSafeInteger(count) || count > MAX_MACHINES) {
      return list.refuse(`"${row.get("count")}" is not a number of nodes`, line);
    }
    return Array.from({ length: count }, () => `m${++this.counted}`);
  }
}

/** The fields of a row by title; null if their number differs from the titles'. */
function rowOf({ separator, fields }: Header, text: string): Map<Field, string> | null {
  const parts = split(text, separator);
  const surplus = parts.length - fields.length;
  if (surplus > 0) {
    // The one field that may contain the separator takes the surplus.
    const may = fields.filter((field) => field !== undefined && MAY_HOLD[separator]?.includes(field));
    if (may.length !== 1) return null;
    const at = fields.indexOf(may[0]);
    parts.splice(at, surplus + 1, parts.slice(at, at + surplus + 1).join(separator));
  }
  if (parts.length !== fields.length) return null;
  const row = new Map<Field, string>();
  fields.forEach((field, at) => {
    if (field !== undefined && !row.has(field)) row.set(field, parts[at]!);
  });
  return row;
}

function split(text: string, separator: string): string[] {
  if (separator === " ") return text.trim().split(/\s+/);
  return splitOutside(text.trim(), separator).map((part) => part.trim());
}

/** Null if the line has titles that are not sinfo's. */
function headerOf(line: string): Header | null {
  const separator = line.includes("|") ? "|" : line.includes(",") ? "," : " ";
  const titles = split(line, separator);
  const isTitles = titles.every((title) => title === "" || /^[A-Z][A-Z_]*(?::C:T|\([A-Z/]+\))?$/.test(title));
  const isSinfo = titles.some((title) =>
    ["HOSTNAMES", "NODELIST", "NODES", "NODES(A/I/O/T)"].includes(title),
  );
  if (!isTitles || !isSinfo) return null;
  return { separator, fields: titles.map((title) => FIELDS[title]) };
}

/** The first line that can be titles. */
function firstTitles(lines: readonly string[]): string {
  return lines.find((line) => line.trim() !== "" && !isAside(line)) ?? "";
}

/** `Sun Nov 22 03:37:36 2026`, printed by -l, and `CLUSTER: name`, printed by -M. */
function isAside(line: string): boolean {
  return /^\s*(\w{3} \w{3} +\d+ \d\d:\d\d:\d\d \d{4}|CLUSTER: .*)\s*$/.test(line);
}

/** `4/60/0/64`: the CPUs in use, idle, other, and in total, over all nodes of the row. */
function perNode(text: string, nodes: number): number | null {
  const total = slurmCount(text.split("/")[3] ?? "");
  return total === null || total % nodes !== 0 ? null : total / nodes;
}
