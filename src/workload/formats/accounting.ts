import type { ByteSource } from "../input/bytes.ts";
import { readCsvTable } from "../input/csv-table.ts";
import { firstLine } from "../input/first-line.ts";
import { milliAsked } from "../units.ts";
import type { Workload } from "../workload.ts";
import { WorkloadBuilder } from "./builder.ts";
import type { ReadOptions, WorkloadFormat } from "./format.ts";

const REQUIRED_COLUMNS = ["start", "end", "queue"];
const OPTIONAL_COLUMNS = ["user", "project", "cores", "job"];

export const accounting: WorkloadFormat = {
  name: "accounting",
  summary: `CSV with a header: ${REQUIRED_COLUMNS.join(", ")}, and any of ${OPTIONAL_COLUMNS.join(", ")}; a job counts as submitted when it started`,
  uses: [],
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
 * The accounting log of a batch system (Dal Pra 2014, section 3): when each job started and ended, in seconds, and its
 * queue. It does not say when jobs were submitted, so their starts are used instead.
 */
async function read(source: ByteSource, options: ReadOptions = {}): Promise<Workload> {
  const builder = new WorkloadBuilder(source, options);
  const { row, notes } = builder;
  const { queues, users, projects } = builder.columns;
  let rows = 0;
  let ignored: string[] = [];
  await readCsvTable(source, (table) => {
    const [start, end, queue] = [table.required("start"), table.required("end"), table.required("queue")];
    const [user, project] = [table.column("user"), table.column("project")];
    const [cores, job] = [table.column("cores"), table.column("job")];
    const known = [...REQUIRED_COLUMNS, ...OPTIONAL_COLUMNS];
    ignored = table.columns.filter((column) => !known.includes(column));
    return (line) => {
      rows++;
      const startSeconds = table.number(start);
      const runtimeSeconds = table.number(end) - startSeconds;
      if (runtimeSeconds < 0) {
        notes.add("dropped: it ended before it started", line);
        return;
      }
      row.submitSeconds = startSeconds;
      row.runtimeSeconds = runtimeSeconds;
      row.coresMilli = milliAsked(table.numberOr(1, cores));
      row.queue = table.code(queue, queues);
      row.user = table.code(user, users);
      row.project = table.code(project, projects);
      row.jobNumber = table.numberOr(rows, job);
      builder.add(line);
    };
  });
  if (rows > 0)
    notes.add("taken for the submission: the start, as the log does not tell when jobs came", 1, rows);
  for (const column of ignored) notes.add(`ignored: the column "${column}"`, 1, rows);
  return builder.finish();
}
