import { readCsvTable } from "../input/csv-table.ts";
import { sourceName, sourceTitle } from "../input/bytes.ts";
import type { ByteSource } from "../input/bytes.ts";
import { firstLine } from "../input/first-line.ts";
import type { MachinesFormat } from "./format.ts";
import { MachineList } from "./machine-list.ts";
import type { Machines } from "./machines.ts";

export const openb: MachinesFormat = {
  name: "openb",
  summary: "the nodes of Alibaba's OpenB GPU cluster (Weng et al., ATC 2023)",
  takes: [],
  matches: (_fileName, firstBytes) => firstLine(firstBytes).startsWith("sn,cpu_milli,memory_mib"),
  read,
};

async function read(source: ByteSource): Promise<Machines> {
  const file = sourceName(source);
  const list = new MachineList();
  await readCsvTable(source, (table) => {
    const id = table.required("sn");
    const [cpu, memory, gpu] = [
      table.required("cpu_milli"),
      table.required("memory_mib"),
      table.required("gpu"),
    ];
    return (line) => {
      list.add(
        {
          id: table.text(id),
          coresMilli: Math.floor(table.number(cpu)),
          memoryMiB: Math.floor(table.number(memory)),
          gpuMilli: Math.floor(table.number(gpu) * 1000),
        },
        { file, line },
      );
    };
  });
  return list.finish(sourceTitle(source), { file });
}
