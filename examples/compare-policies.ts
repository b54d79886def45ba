/** Which policy serves a farm best? Several of them side by side, each in a thread of its own. */
import { readMachines, readWorkload, renderTable, simulateAll } from "croft";
import { fileURLToPath } from "node:url";

const data = (name: string): string => fileURLToPath(new URL(`./data/${name}`, import.meta.url));

const workload = await readWorkload(data("synthetic-farm.parquet"));
const machines = await readMachines(data("thirty-machines.csv"));
const policies = ["first-fit", "best-fit-cores", "worse-fit-cores"];

const runs = await simulateAll(
  workload,
  machines,
  policies.map((policy) => ({ policy, load: 0.5 })),
);

console.log(renderTable(runs));
