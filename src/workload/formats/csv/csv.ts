import { InputError } from "../../errors.ts";
import { nodeParts } from "../../node-list.ts";
import { sourceName } from "../../input/bytes.ts";
import type { ByteSource } from "../../input/bytes.ts";
import { CsvLine } from "../../input/csv-line.ts";
import type { LineHandler } from "../../input/lines.ts";
import { decodeText } from "../../input/text.ts";
import { mebibytesPer } from "../../units.ts";
import type { Workload } from "../../workload.ts";
import type { ReadOptions, WorkloadFormat } from "../format.ts";
import { EMPTY_NAME, UNKNOWN } from "../job-row.ts";
import { RecordedJobs } from "../recorded-jobs.ts";
import { delimiterOf, fieldsOf, firstHeader, headerText, isLogHeader } from "./dialect.ts";
import { recognise } from "./fields.ts";
import { CsvHeader } from "./header.ts";
import { JobIds } from "./job-ids.ts";
import { SlashDates } from "./slash-dates.ts";
import { CsvValues } from "./values.ts";
import type { CellProblem } from "./values.ts";

/** A day between 1954 and 2119, and a part of it. */
const SPREADSHEET_DAY = /^[2-7]\d{4}[.,]\d+$/;

export const csv: WorkloadFormat = {
  name: "csv",
  summary: "CSV with a header: submit, cores, and runtime or start and end, by these or other names",
  uses: ["jobShape", "memoryUnit", "timeZone", "columns"],
  matches,
  read,
};

/**
 * Recognised by a header that names columns of a log of jobs, unless it is rather an accounting log without
 * submissions.
 */
function matches(_fileName: string, firstBytes: Uint8Array): boolean {
  const header = firstHeader(decodeText(firstBytes, 0, firstBytes.length));
  if (!isLogHeader(header)) return false;
  const names = fieldsOf(header, delimiterOf(header)).map((name) => name.toLowerCase());
  const tellsSubmission = names.some((name) => recognise(name)?.field === "submit") || names.includes("wait");
  return tellsSubmission || !["start", "end", "queue"].every((name) => names.includes(name));
}

/**
 * Cores, memory (MiB by default) and gpu are those of one task. If a column says on how many nodes a job ran, or on
 * which, and none says its tasks, they are those of the whole job. An empty field is unknown, and so is a negative
 * memory, estimate or wait.
 */
async function read(source: ByteSource, options: ReadOptions = {}): Promise<Workload> {
  const file = sourceName(source);
  const jobs = new RecordedJobs(source, options);
  const { builder } = jobs;
  let table: Table | null = null;
  let rows = 0;

  const slashDates = new SlashDates(jobs.instants, builder.notes, (...line) => addLine(...line));
  const addLine: LineHandler = (bytes, start, end, line) => {
    if (table === null) {
      table = beginTable(decodeText(bytes, start, end), options, file, line);
      if (table !== null) slashDates.begin(table.header, table.fields);
      return;
    }
    const { header, fields } = table;
    if (!fields.split(bytes, start, end)) {
      builder.bad("a quote is not closed", line);
    } else if (fields.count !== header.names.length) {
      const inFull = `the line has ${fields.count} fields, not ${header.names.length}`;
      builder.bad("not as many fields as there are columns", line, inFull);
    } else if (!slashDates.hold(bytes, start, end, line)) {
      rows++;
      table.addJob ??= begin(jobs, table, options);
      table.addJob(line);
    }
  };
  await jobs.readLines(addLine);
  slashDates.letGo();
  for (const column of rows === 0 ? [] : table!.header.ignored()) {
    builder.notes.add(`ignored: the column "${column.toLowerCase()}"`, 1, rows);
  }
  return jobs.finish({}, jobs.instants.sawCalendar);
}

/** A file's columns, and how its lines become jobs. */
interface Table {
  readonly header: CsvHeader;
  readonly fields: CsvLine;
  readonly delimiter: number;
  readonly line: number;
  addJob: ((line: number) => void) | null;
}

/** The table that begins at a line; null if the line is a comment. */
function beginTable(text: string, options: ReadOptions, file: string, line: number): Table | null {
  const names = headerText(text);
  if (names === null) return null;
  const delimiter = delimiterOf(names);
  const columns = fieldsOf(names, delimiter);
  if (columns.length === 0) throw new InputError("a quote is not closed", { file, line });
  const header = new CsvHeader(columns, options.columns ?? {}, file, line);
  header.require();
  return { header, fields: new CsvLine(delimiter), delimiter, line, addJob: null };
}

/** Called at the first row, which tells whether nodes are counted or named. */
function begin(jobs: RecordedJobs, table: Table, options: ReadOptions): (line: number) => void {
  const { header, fields, delimiter, line } = table;
  const nodes = header.column("nodes");
  if (nodes !== undefined && !fields.isEmpty(nodes.place) && Number.isNaN(fields.number(nodes.place))) {
    header.nodesAreNamed();
  }
  const understood = header.understood();
  if (understood !== "") jobs.builder.notes.add(`read: ${understood}`, line);
  noteSpreadsheetDays(jobs, table);
  const values = new CsvValues(fields, header, jobs.instants, jobs.builder.notes, delimiter);
  return jobAdder(jobs, header, fields, values, options);
}

/** Notes times that look like the days since 1900 that spreadsheets count: without a unit they are seconds. */
function noteSpreadsheetDays({ builder }: RecordedJobs, { header, fields, line }: Table): void {
  const column = header.column("submit") ?? header.column("start");
  if (column === undefined || column.unit !== "" || !SPREADSHEET_DAY.test(fields.text(column.place))) return;
  const what =
    "read: times as seconds on the log's own clock: if they are days, as spreadsheets count them, add :d to each " +
    `column of times, as in --columns "submit=${column.name}:d"`;
  builder.notes.add(what, line);
}

/** How a line becomes a job, once the columns are known. */
function jobAdder(
  jobs: RecordedJobs,
  header: CsvHeader,
  fields: CsvLine,
  values: CsvValues,
  options: ReadOptions,
): (line: number) => void {
  const { builder } = jobs;
  const { row, columns, notes } = builder;
  const [submit, start, end] = [values.time("submit"), values.time("start"), values.time("end")];
  const [runtime, wait, estimate] = [
    values.duration("runtime"),
    values.duration("wait"),
    values.duration("estimate"),
  ];
  const [cores, gpu, tasks, nodes] = [
    values.amount("cores"),
    values.amount("gpu"),
    values.amount("tasks"),
    values.amount("nodes"),
  ];
  const memory = values.memory("memory", mebibytesPer(options.memoryUnit ?? "MiB"));
  const [priority, arrayIndex] = [values.amount("priority"), values.amount("array_index")];
  const project = values.code("project", columns.projects, UNKNOWN);
  const user = values.code("user", columns.users, UNKNOWN);
  const queue = values.code("queue", columns.queues, UNKNOWN);
  const policy = values.code("policy", columns.policies, EMPTY_NAME);
  const requires = values.code("requires", columns.requirements, EMPTY_NAME);
  const pools = values.code("pools", columns.poolLists, EMPTY_NAME);
  const restartPools = values.code("restart_pools", columns.restartLists, EMPTY_NAME);
  const site = values.code("site", columns.sites, EMPTY_NAME);
  const group = values.code("group", columns.groups, EMPTY_NAME);
  const licences = values.code("licences", columns.licenceLists, EMPTY_NAME);
  const state = values.code("state", columns.states, EMPTY_NAME);
  const nodeList = values.code("node_list", columns.nodeLists, EMPTY_NAME);
  const ids = new JobIds(header.column("job")?.place ?? -1, fields);
  const isOfJob = (header.has("nodes") || header.has("node_list")) && !header.has("tasks");
  const placesOf = header.has("nodes") ? null : placesPerList(columns.nodeLists.list);
  const [hasSubmit, hasStart, hasEnd] = [header.has("submit"), header.has("start"), header.has("end")];

  return (line) => {
    if (!ids.read()) {
      notes.add("left out: steps of jobs", line);
      return;
    }
    values.problem = null;
    const waitSeconds = wait();
    let submitSeconds = submit();
    const startSeconds = start(submitSeconds);
    const endSeconds = end(startSeconds);
    if (!hasSubmit) submitSeconds = startSeconds - waitSeconds;
    let runtimeSeconds = runtime();
    const coresAsked = cores();
    const memoryMiB = memory();
    const gpus = gpu();
    const taskCount = tasks();
    const nodeCount = nodes();
    const estimateSeconds = estimate();
    const priorityNumber = priority();
    const place = arrayIndex();
    if (values.problem !== null) {
      const [what, inFull, text] = values.problem as CellProblem;
      builder.bad(what, line, inFull, text);
      return;
    }
    if (Number.isNaN(runtimeSeconds)) {
      if (hasStart && Number.isNaN(startSeconds)) {
        notes.add("dropped: it never started", line);
        return;
      }
      if (hasEnd && Number.isNaN(endSeconds)) {
        notes.add("dropped: it had not ended when the log was made", line);
        return;
      }
      runtimeSeconds = endSeconds - startSeconds;
      if (runtimeSeconds < 0) {
        builder.bad("it ended before it started", line);
        return;
      }
    } else if (Math.abs(endSeconds - startSeconds - runtimeSeconds) > 1) {
      notes.add("kept: with the run time that is told, which is not that from its start to its end", line);
    }
    if (Number.isNaN(submitSeconds) || Number.isNaN(runtimeSeconds) || Number.isNaN(coresAsked)) {
      builder.bad("no time of submission, no run time or no cores", line);
      return;
    }
    const recordedWait = Number.isNaN(waitSeconds) ? startSeconds - submitSeconds : waitSeconds;
    if (recordedWait < 0 && hasStart) {
      notes.add("kept: it started before it was submitted: its wait is unknown", line);
    }
    row.submitSeconds = submitSeconds;
    row.runtimeSeconds = runtimeSeconds;
    row.recordedWaitSeconds = recordedWait >= 0 ? recordedWait : UNKNOWN;
    row.estimateSeconds = estimateSeconds >= 0 ? estimateSeconds : UNKNOWN;
    const memoryAsked = memoryMiB >= 0 ? memoryMiB : UNKNOWN;
    const gpusAsked = Number.isNaN(gpus) ? 0 : gpus;
    row.nodes = nodeList();
    const machines = placesOf === null ? nodeCount : placesOf(row.nodes);
    if (isOfJob) jobs.setShape(machines >= 1 ? machines : 1, coresAsked, memoryAsked, gpusAsked, line);
    else jobs.setTasks(Number.isNaN(taskCount) ? 1 : taskCount, coresAsked, memoryAsked, gpusAsked);
    row.jobNumber = ids.number;
    row.arrayIndex = Number.isNaN(place) ? ids.index : place;
    row.priority = Number.isNaN(priorityNumber) ? 0 : priorityNumber;
    row.project = project();
    row.user = user();
    row.queue = queue();
    row.policy = policy();
    row.requires = requires();
    row.pools = pools();
    row.restartPools = restartPools();
    row.site = site();
    row.group = group();
    row.licences = licences();
    row.state = state();
    jobs.add(line);
  };
}

/** How many machines a list of that code names; 0: it is empty, or none. */
function placesPerList(lists: readonly string[]): (code: number) => number {
  const known: number[] = [];
  return (code) => (known[code] ??= new Set(nodeParts(lists[code]!).map(({ name }) => name)).size);
}
