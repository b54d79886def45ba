import { readCsvTable } from "../input/csv-table.ts";
import type { CsvTable } from "../input/csv-table.ts";
import type { ByteSource } from "../input/bytes.ts";
import { firstLine } from "../input/first-line.ts";
import type { Names } from "../names.ts";
import { mebibytesPer, milliAsked } from "../units.ts";
import type { Workload } from "../workload.ts";
import { WorkloadBuilder } from "./builder.ts";
import { EMPTY_NAME } from "./job-row.ts";
import type { ReadOptions, WorkloadFormat } from "./format.ts";

const REQUIRED_COLUMNS = ["submit", "runtime", "cores"];
const OPTIONAL_COLUMNS = [
  "memory",
  "tasks",
  "project",
  "user",
  "priority",
  "queue",
  "estimate",
  "policy",
  "job",
  "gpu",
  "wait",
  "requires",
  "pools",
  "site",
  "group",
  "state",
  "node_list",
  "array_index",
];

const UNKNOWN = -1;

export const csv: WorkloadFormat = {
  name: "csv",
  summary: `CSV with a header: ${REQUIRED_COLUMNS.join(", ")}, and any of ${OPTIONAL_COLUMNS.join(", ")}`,
  uses: ["memoryUnit"],
  matches,
  read,
};

function matches(_fileName: string, firstBytes: Uint8Array): boolean {
  const names = firstLine(firstBytes)
    .split(",")
    .map((name) => name.replaceAll('"', "").trim().toLowerCase());
  return REQUIRED_COLUMNS.every((column) => names.includes(column));
}

/**
 * Times in seconds; cores, memory (MiB, unless told otherwise) and gpu are those
 * of one task, and parts of them are allowed. An empty field is an unknown one,
 * and so is a negative memory or estimate.
 */
async function read(source: ByteSource, options: ReadOptions = {}): Promise<Workload> {
  const builder = new WorkloadBuilder(source, options);
  let rows = 0;
  let ignored: string[] = [];
  await readCsvTable(source, (table) => {
    const known = [...REQUIRED_COLUMNS, ...OPTIONAL_COLUMNS];
    ignored = table.columns.filter((column) => !known.includes(column));
    const addJob = jobAdder(builder, table, options);
    return (line) => {
      addJob(line, ++rows);
    };
  });
  for (const column of ignored) builder.notes.add(`ignored: the column "${column}"`, 1, rows);
  return builder.finish();
}

/** How a line becomes a job, once the columns have their places. */
function jobAdder(
  builder: WorkloadBuilder,
  table: CsvTable,
  options: ReadOptions,
): (line: number, number: number) => void {
  const { row } = builder;
  const { projects, users, queues } = builder.columns;
  const [submit, runtime, cores] = [
    table.required("submit"),
    table.required("runtime"),
    table.required("cores"),
  ];
  const [memory, tasks, gpu] = [table.column("memory"), table.column("tasks"), table.column("gpu")];
  const [project, user, queue] = [table.column("project"), table.column("user"), table.column("queue")];
  const [priority, policy] = [table.column("priority"), table.column("policy")];
  const [estimate, job, wait] = [table.column("estimate"), table.column("job"), table.column("wait")];
  const [requires, pools] = [table.column("requires"), table.column("pools")];
  const [site, group] = [table.column("site"), table.column("group")];
  const [state, nodes] = [table.column("state"), table.column("node_list")];
  const arrayIndex = table.column("array_index");
  const named = (column: number, names: Names): number => Math.max(EMPTY_NAME, table.code(column, names));
  const mebibytes = mebibytesPer(options.memoryUnit ?? "MiB");

  return (line, number) => {
    const memoryAsked = table.numberOr(UNKNOWN, memory);
    const estimateSeconds = table.numberOr(UNKNOWN, estimate);
    row.submitSeconds = table.number(submit);
    row.runtimeSeconds = table.number(runtime);
    row.coresMilli = milliAsked(table.number(cores));
    row.memoryMiB = memoryAsked >= 0 ? Math.ceil(memoryAsked * mebibytes) : UNKNOWN;
    row.gpuMilli = milliAsked(table.numberOr(0, gpu));
    row.tasks = table.numberOr(1, tasks);
    row.estimateSeconds = estimateSeconds >= 0 ? estimateSeconds : UNKNOWN;
    row.jobNumber = table.numberOr(number, job);
    row.recordedWaitSeconds = table.numberOr(UNKNOWN, wait);
    row.project = table.code(project, projects);
    row.user = table.code(user, users);
    row.queue = table.code(queue, queues);
    row.priority = table.numberOr(0, priority);
    row.policy = named(policy, builder.columns.policies);
    row.requires = named(requires, builder.columns.requirements);
    row.pools = named(pools, builder.columns.poolLists);
    row.site = named(site, builder.columns.sites);
    row.group = named(group, builder.columns.groups);
    row.state = named(state, builder.columns.states);
    row.nodes = named(nodes, builder.columns.nodeLists);
    row.arrayIndex = table.numberOr(UNKNOWN, arrayIndex);
    builder.add(line);
  };
}
