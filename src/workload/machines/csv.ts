import { CsvLine } from "../input/csv-line.ts";
import { CsvTable, isBlankLine, splitNames } from "../input/csv-table.ts";
import { sourceName, sourceTitle } from "../input/bytes.ts";
import type { ByteSource } from "../input/bytes.ts";
import { firstLine } from "../input/first-line.ts";
import { readLines } from "../input/lines.ts";
import { milliOffered, parseMemory, type MemoryUnit } from "../units.ts";
import { columnsOf, type Columns } from "./csv-columns.ts";
import type { MachinesFormat, MachinesOptions } from "./format.ts";
import { MAX_MACHINES, MachineList } from "./machine-list.ts";
import type { Machines } from "./machines.ts";
import { nodeNames } from "./node-names.ts";
import { MachineNotes } from "./notes.ts";

/** The order of the columns without a header. A file may end after any column from cores on. */
const COLUMNS = ["id", "cores", "memory", "gpu"];

export const csv: MachinesFormat = {
  name: "csv",
  summary: `a machine a line: ${COLUMNS.join(",")}; memory and gpu may be left out, and so may the header`,
  takes: ["memoryUnit", "memoryUnitWithoutHeader"],
  matches: (_fileName, firstBytes) => /^[^{[<][^,]*,/.test(firstLine(firstBytes)),
  read,
};

async function read(source: ByteSource, options: MachinesOptions = {}): Promise<Machines> {
  const file = sourceName(source);
  const list = new MachineList();
  const notes = new MachineNotes();
  const fields = new CsvLine();
  let rows: { table: CsvTable; addMachine: (line: number) => void } | null = null;

  await readLines(source, (bytes, start, end, line) => {
    if (isBlankLine(bytes, start, end)) return;
    const row = quoteNodeLists(bytes, start, end);
    if (rows === null) {
      const first = splitNames(fields, row.bytes, row.start, row.end, file, line);
      const isHeader = first.slice(1).every((field) => !/^[+-.]?\d/.test(field));
      const titles = isHeader ? first : COLUMNS.slice(0, Math.max(2, first.length));
      const columns = columnsOf(titles, { file, line });
      const table = new CsvTable(file, titles, fields, line);
      tell(notes, columns);
      const unit = unitOf(table, columns, isHeader, options);
      rows = { table, addMachine: machineAdder(list, table, columns, unit) };
      if (isHeader) return;
      if (/^\d+$/.test(first[0]!))
        notes.add(
          "no header, so the first column is read as names of machines, not as numbers of them",
          `line ${line}`,
        );
    }
    rows.table.take(row.bytes, row.start, row.end, line);
    rows.addMachine(line);
  });
  return list.finish(sourceTitle(source), { file }, notes.list());
}

function tell(notes: MachineNotes, { renamed, unread }: Columns): void {
  for (const column of renamed) notes.add("columns understood", column);
  for (const column of unread) notes.add("columns that are not read", column);
}

function unitOf(table: CsvTable, columns: Columns, isHeader: boolean, options: MachinesOptions): MemoryUnit {
  if (columns.memoryUnit === undefined) {
    return options.memoryUnit ?? (isHeader ? "MiB" : (options.memoryUnitWithoutHeader ?? "MiB"));
  }
  if (options.memoryUnit !== undefined && options.memoryUnit !== columns.memoryUnit) {
    const title = table.columns[columns.at.get("memory")!];
    table.refuse(`column ${title} tells its unit itself: leave out --machine-memory-unit`);
  }
  return columns.memoryUnit;
}

function machineAdder(
  list: MachineList,
  table: CsvTable,
  { at }: Columns,
  unit: MemoryUnit,
): (line: number) => void {
  const { file } = table;
  const [id, cores, memory, gpu, count] = [
    at.get("id"),
    at.get("cores")!,
    at.get("memory"),
    at.get("gpu"),
    at.get("count"),
  ];
  let counted = 0;
  const memoryMiB = (column: number): number => {
    const text = table.text(column);
    const amount = parseMemory(text, unit);
    if (!Number.isNaN(amount)) return Math.floor(amount);
    return table.refuse(
      `column ${table.columns[column]}: "${text.slice(0, 40)}" is not a number, nor an amount such as 64GB`,
    );
  };
  const machinesOfRow = (): number => {
    const machines = table.number(count!);
    if (!Number.isInteger(machines) || machines < 1 || machines > MAX_MACHINES) {
      table.refuse(`column ${table.columns[count!]}: ${machines} machines: give 1 to ${MAX_MACHINES}`);
    }
    return machines;
  };

  return (line) => {
    const size = {
      coresMilli: milliOffered(table.number(cores)),
      memoryMiB: memory === undefined ? null : memoryMiB(memory),
      gpuMilli: gpu === undefined ? null : milliOffered(table.number(gpu)),
    };
    const machines = count === undefined ? null : machinesOfRow();
    for (const name of namesOfRow(machines)) list.add({ id: name, ...size }, { file, line });
  };

  /** `n[1-3]` is three machines, and so is a count of 3. With a count, a name is numbered: `big-1`. */
  function namesOfRow(machines: number | null): readonly string[] {
    if (id === undefined) return Array.from({ length: machines! }, () => `m${++counted}`);
    const text = table.text(id);
    const names = text.includes("[") ? nodeNames(text) : [text];
    if (names === null)
      return table.refuse(`column ${table.columns[id]}: "${text.slice(0, 40)}" is not a list of names`);
    if (machines === null || machines === names.length) return names;
    if (names.length === 1) return Array.from({ length: machines }, (_, at) => `${text}-${at + 1}`);
    return table.refuse(`the row lists ${names.length} machines and counts ${machines}`);
  }
}

const BRACKET = 91;

/**
 * The line; if it has a bare list such as `n[01-04,07]`, with quotes around it, since its commas do not separate
 * fields.
 */
function quoteNodeLists(
  bytes: Uint8Array,
  start: number,
  end: number,
): { bytes: Uint8Array; start: number; end: number } {
  if (!bytes.subarray(start, end).includes(BRACKET)) return { bytes, start, end };
  const line = new TextDecoder().decode(bytes.subarray(start, end));
  const quoted = line.replace(/(^|,)(\s*)([^",[\]\s]*(?:\[[^"[\]]*\][^",[\]\s]*)+)/g, '$1$2"$3"');
  const encoded = new TextEncoder().encode(quoted);
  return { bytes: encoded, start: 0, end: encoded.length };
}
