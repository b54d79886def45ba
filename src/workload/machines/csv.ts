import { CsvLine } from "../input/csv-line.ts";
import { CsvTable, isBlankLine, splitNames } from "../input/csv-table.ts";
import { sourceName, sourceTitle } from "../input/bytes.ts";
import type { ByteSource } from "../input/bytes.ts";
import { firstLine } from "../input/first-line.ts";
import { readLines } from "../input/lines.ts";
import { mebibytesPer, milliOffered, type MemoryUnit } from "../units.ts";
import type { MachinesFormat, MachinesOptions } from "./format.ts";
import { MachineList } from "./machine-list.ts";
import type { Machines } from "./machines.ts";

/** The order of the columns where no header names them; a file may end with any from cores on. */
const COLUMNS = ["id", "cores", "memory", "gpu"];

export const csv: MachinesFormat = {
  name: "csv",
  summary: `a machine a line: ${COLUMNS.join(",")}; memory and gpu may be left out, and so may the header`,
  matches: (_fileName, firstBytes) => firstLine(firstBytes).includes(","),
  read,
};

async function read(source: ByteSource, options: MachinesOptions = {}): Promise<Machines> {
  const file = sourceName(source);
  const list = new MachineList();
  const fields = new CsvLine();
  let rows: { table: CsvTable; addMachine: (line: number) => void } | null = null;

  await readLines(source, (bytes, start, end, line) => {
    if (isBlankLine(bytes, start, end)) return;
    if (rows === null) {
      const first = splitNames(fields, bytes, start, end, file, line);
      const isHeader = first.some((name) => name.toLowerCase() === "cores");
      const columns = isHeader ? first : COLUMNS.slice(0, Math.max(2, first.length));
      const table = new CsvTable(file, columns, fields, line);
      const unit = options.memoryUnit ?? (isHeader ? "MiB" : (options.memoryUnitWithoutHeader ?? "MiB"));
      rows = { table, addMachine: machineAdder(list, table, unit) };
      if (isHeader) return;
    }
    rows.table.take(bytes, start, end, line);
    rows.addMachine(line);
  });
  return list.finish(sourceTitle(source), { file });
}

function machineAdder(list: MachineList, table: CsvTable, memoryUnit: MemoryUnit): (line: number) => void {
  const { file } = table;
  const [id, cores] = [table.required("id"), table.required("cores")];
  const [memory, gpu] = [table.column("memory"), table.column("gpu")];
  const mebibytes = mebibytesPer(memoryUnit);

  return (line) => {
    list.add(
      {
        id: table.text(id),
        coresMilli: milliOffered(table.number(cores)),
        memoryMiB: memory === -1 ? null : Math.floor(table.number(memory) * mebibytes),
        gpuMilli: gpu === -1 ? null : milliOffered(table.number(gpu)),
      },
      { file, line },
    );
  };
}
