import { InputError } from "../errors.ts";
import { parseMemoryUnit, type MemoryUnit } from "../units.ts";

/** The possible meanings of a column in a CSV list. */
type Meaning = "id" | "cores" | "memory" | "gpu" | "count";

/** The usual names of these columns, first the one that Croft writes; in lower case, with `_` for blanks. */
const NAMES: Readonly<Record<Meaning, readonly string[]>> = {
  id: [
    "id",
    "name",
    "node",
    "nodename",
    "node_name",
    "nodelist",
    "host",
    "hostname",
    "host_name",
    "hostnames",
    "machine",
  ],
  cores: [
    "cores",
    "core",
    "cpus",
    "cpu",
    "ncpus",
    "ncpu",
    "ncores",
    "num_cpus",
    "num_cores",
    "vcpus",
    "cputot",
    "processors",
    "procs",
    "np",
    "slots",
  ],
  memory: ["memory", "mem", "ram", "realmemory", "real_memory", "maxmem", "memtot"],
  gpu: ["gpu", "gpus", "ngpus", "num_gpus"],
  count: ["count", "nodes", "machines", "nnodes", "num_nodes", "quantity"],
};
const MAX_TITLE = 100;
const MEANINGS = Object.keys(NAMES) as Meaning[];

/** A parsed header. */
export interface Columns {
  /** The position of each meaning among the columns. */
  readonly at: ReadonlyMap<Meaning, number>;
  /** The unit in the memory column's title: `mem_gb`. */
  readonly memoryUnit: MemoryUnit | undefined;
  /** `cpus as cores`, for titles that are not Croft's own. */
  readonly renamed: readonly string[];
  readonly unread: readonly string[];
}

/**
 * The meanings of the titles of a CSV list.
 *
 * @throws InputError if there is no column for cores, or none for names or numbers of machines
 */
export function columnsOf(titles: readonly string[], where: { file: string; line: number }): Columns {
  const at = new Map<Meaning, number>();
  let memoryUnit: MemoryUnit | undefined;
  for (const meaning of MEANINGS) {
    for (const known of NAMES[meaning]) {
      const column = titles.findIndex((title) => titleOf(title).name === known);
      if (column === -1) continue;
      const { unit } = titleOf(titles[column]!);
      if (unit !== undefined && meaning !== "memory") continue;
      at.set(meaning, column);
      if (unit !== undefined) memoryUnit = unitOf(unit, titles[column]!, where);
      break;
    }
  }
  const read = new Map(Array.from(at, ([meaning, column]) => [column, meaning]));
  const renamed = Array.from(read, ([column, meaning]) => ({ title: titles[column]!, meaning }))
    .filter(({ title, meaning }) => title.toLowerCase() !== meaning)
    .map(({ title, meaning }) => `${title} as ${meaning}`);
  const columns = {
    at,
    memoryUnit,
    renamed,
    unread: titles.filter((title, column) => title !== "" && !read.has(column)),
  };
  if (at.has("cores") && (at.has("id") || at.has("count"))) return columns;

  const understood = [...at].map(([meaning, column]) =>
    titles[column]!.toLowerCase() === meaning ? meaning : `${titles[column]} (${meaning})`,
  );
  throw new InputError(
    `there is no column "${at.has("cores") ? "id" : "cores"}", only ${titles.join(", ").slice(0, 200)}; ` +
      `${understood.length === 0 ? "none of them is known here" : `understood: ${understood.join(", ")}`}; ` +
      "needed: id (or count) and cores; memory and gpu may be there too",
    where,
  );
}

/** Splits `Memory (GiB)` into the name `memory` and the unit as it is written; `gpu_mem` has no unit. */
function titleOf(title: string): { name: string; unit: string | undefined } {
  // Longer than any name: searching it for a unit would take long.
  if (title.length > MAX_TITLE) return { name: title, unit: undefined };
  const [, name = title, unit] = /^(.*?)[\s_-]*[(\s_-]([KMGTkmgt]?[Ii]?[Bb])\)?$/.exec(title.trim()) ?? [];
  return {
    name: name
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, "_"),
    unit,
  };
}

function unitOf(name: string, title: string, where: { file: string; line: number }): MemoryUnit {
  try {
    return parseMemoryUnit(name);
  } catch (error) {
    if (error instanceof InputError) throw new InputError(`column ${title}: ${error.message}`, where);
    throw error;
  }
}
