/** The HTML report, made by a program: `node examples/report.ts [FILE]`. */
import { offeredLoad, readMachines, readWorkload, renderReport, simulateAll } from "croft";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const data = (name: string): string => fileURLToPath(new URL(`./data/${name}`, import.meta.url));
const sum = (amounts: Int32Array): number => amounts.reduce((total, amount) => total + amount, 0);

const workload = await readWorkload(data("synthetic-farm.parquet"));
const machines = await readMachines(data("thirty-machines.csv"));
const runs = await simulateAll(workload, machines, [
  { policy: "first-fit", load: 0.5 },
  { policy: "best-fit-cores", load: 0.5 },
]);

const html = renderReport({
  title: "First-fit against best-fit",
  workload: {
    name: workload.name,
    synthetic: workload.synthetic,
    jobs: workload.count,
    spanSeconds: workload.submitSeconds.at(-1)! - workload.submitSeconds[0],
    offeredLoad: offeredLoad(workload, machines),
    notes: workload.notes,
  },
  machines: {
    name: machines.name,
    count: machines.count,
    coresMilli: sum(machines.coresMilli),
    memoryMiB: machines.memoryMiB === null ? null : sum(machines.memoryMiB),
  },
  runs,
  command: "node examples/report.ts",
  version: "example",
});

const file = process.argv[2] ?? join(tmpdir(), "croft-example-report.html");
await writeFile(file, html);
console.log(`report: ${file}`);
