import type { CsvLine } from "../../input/csv-line.ts";
import { nodeParts } from "../../node-list.ts";
import { mebibytesPer } from "../../units.ts";
import type { ReadOptions } from "../format.ts";
import { readRanUnder, type RanUnder } from "../../ran-under.ts";
import { Names } from "../../names.ts";
import { EMPTY_NAME, UNKNOWN } from "../job-row.ts";
import type { RecordedJobs } from "../recorded-jobs.ts";
import type { CsvHeader } from "./header.ts";
import { JobIds } from "./job-ids.ts";
import type { CellProblem, Cells, CsvValues } from "./values.ts";

/** Makes jobs of rows, once the columns are known. */
export class CsvJobs {
  private readonly jobs: RecordedJobs;
  private readonly values: CsvValues;
  private readonly ids: JobIds;
  private readonly isOfJob: boolean;
  private readonly countsPlaces: boolean;
  private readonly tellsMemoryUnit: boolean;
  /** By code of a list of nodes: how many machines it names. */
  private readonly placesOf: number[] = [];

  private readonly submit: Cells;
  private readonly start: Cells;
  private readonly end: Cells;
  private readonly runtime: Cells;
  private readonly wait: Cells;
  private readonly estimate: Cells;
  private readonly cores: Cells;
  private readonly memory: Cells;
  private readonly gpu: Cells;
  private readonly tasks: Cells;
  private readonly nodes: Cells;
  private readonly priority: Cells;
  private readonly arrayIndex: Cells;
  private readonly nodeList: Cells;
  private readonly project: Cells;
  private readonly user: Cells;
  private readonly queue: Cells;
  private readonly policy: Cells;
  private readonly requires: Cells;
  private readonly pools: Cells;
  private readonly restartPools: Cells;
  private readonly site: Cells;
  private readonly group: Cells;
  private readonly licences: Cells;
  private readonly state: Cells;
  private readonly ranUnder: Cells;
  /** What the rows say that Croft ran. */
  private readonly rans = new Names();
  private isRanTold = true;

  /** What the row tells of its job's times; NaN if it does not. */
  private submitSeconds = Number.NaN;
  private startSeconds = Number.NaN;
  private endSeconds = Number.NaN;
  private runtimeSeconds = Number.NaN;
  private waitSeconds = Number.NaN;

  /** @param fields those of each row that is added */
  constructor(
    jobs: RecordedJobs,
    header: CsvHeader,
    fields: CsvLine,
    values: CsvValues,
    { memoryUnit }: ReadOptions,
  ) {
    this.jobs = jobs;
    this.values = values;
    this.ids = new JobIds(header.column("job")?.place ?? -1, fields);
    this.isOfJob = (header.has("nodes") || header.has("node_list")) && !header.has("tasks");
    this.countsPlaces = !header.has("nodes");
    this.tellsMemoryUnit = (header.column("memory")?.unit ?? "") !== "";
    this.submit = values.cells("submit");
    this.start = values.cells("start");
    this.end = values.cells("end");
    this.runtime = values.cells("runtime", 1);
    this.wait = values.cells("wait", 1);
    this.estimate = values.cells("estimate", 1);
    this.cores = values.cells("cores");
    this.memory = values.cells("memory", mebibytesPer(memoryUnit ?? "MiB"));
    this.gpu = values.cells("gpu");
    this.tasks = values.cells("tasks");
    this.nodes = values.cells("nodes");
    this.priority = values.cells("priority");
    this.arrayIndex = values.cells("array_index");
    this.nodeList = values.cells("node_list");
    this.project = values.cells("project");
    this.user = values.cells("user");
    this.queue = values.cells("queue");
    this.policy = values.cells("policy");
    this.requires = values.cells("requires");
    this.pools = values.cells("pools");
    this.restartPools = values.cells("restart_pools");
    this.site = values.cells("site");
    this.group = values.cells("group");
    this.licences = values.cells("licences");
    this.state = values.cells("state");
    this.ranUnder = values.cells("ran_under");
  }

  /** What Croft ran; nothing where rows differ, as of two logs, or do not say it. */
  get ran(): RanUnder {
    const { list } = this.rans;
    return this.isRanTold && list.length === 1 ? readRanUnder(list[0]!) : {};
  }

  /** Whether any row tells its memory in a unit that neither the row nor the column's name tells. */
  get needsMemoryUnit(): boolean {
    return this.values.sawUnitless && !this.tellsMemoryUnit;
  }

  /** Adds the job of the row whose fields have been split. */
  add(line: number): void {
    const { jobs, values, ids } = this;
    const { builder } = jobs;
    const { row } = builder;
    if (!ids.read()) {
      builder.notes.add("left out: steps of jobs", line);
      return;
    }
    values.problem = null;
    this.readTimes();
    const cores = values.amount(this.cores);
    const memoryMiB = values.memory(this.memory);
    const gpus = values.amount(this.gpu);
    const tasks = values.amount(this.tasks);
    const nodeCount = values.amount(this.nodes);
    const estimateSeconds = values.duration(this.estimate);
    const priority = values.amount(this.priority);
    const place = values.amount(this.arrayIndex);
    if (values.problem !== null) {
      const [what, inFull, text] = values.problem as CellProblem;
      builder.bad(what, line, inFull, text);
      return;
    }
    if (!this.setTimes(cores, line)) return;
    row.estimateSeconds = Number.isNaN(estimateSeconds) ? UNKNOWN : estimateSeconds;
    const memory = memoryMiB >= 0 ? memoryMiB : UNKNOWN;
    const gpusAsked = Number.isNaN(gpus) ? 0 : gpus;
    row.nodes = values.code(this.nodeList, builder.columns.nodeLists, EMPTY_NAME);
    if (this.isOfJob) {
      const machines = this.countsPlaces ? this.placesIn(row.nodes) : nodeCount;
      jobs.setShape(machines >= 1 ? machines : 1, cores, memory, gpusAsked, line);
    } else jobs.setTasks(Number.isNaN(tasks) ? 1 : tasks, cores, memory, gpusAsked);
    row.jobNumber = ids.number;
    row.arrayIndex = Number.isNaN(place) ? ids.index : place;
    row.priority = Number.isNaN(priority) ? 0 : priority;
    this.setNames();
    jobs.add(line);
  }

  private setNames(): void {
    const { values } = this;
    const { row, columns } = this.jobs.builder;
    row.project = values.code(this.project, columns.projects, UNKNOWN);
    row.user = values.code(this.user, columns.users, UNKNOWN);
    row.queue = values.code(this.queue, columns.queues, UNKNOWN);
    row.policy = values.code(this.policy, columns.policies, EMPTY_NAME);
    row.requires = values.code(this.requires, columns.requirements, EMPTY_NAME);
    row.pools = values.code(this.pools, columns.poolLists, EMPTY_NAME);
    row.restartPools = values.code(this.restartPools, columns.restartLists, EMPTY_NAME);
    row.site = values.code(this.site, columns.sites, EMPTY_NAME);
    row.group = values.code(this.group, columns.groups, EMPTY_NAME);
    row.licences = values.code(this.licences, columns.licenceLists, EMPTY_NAME);
    row.state = values.code(this.state, columns.states, EMPTY_NAME);
    if (values.code(this.ranUnder, this.rans, UNKNOWN) === UNKNOWN) this.isRanTold = false;
  }

  private readTimes(): void {
    const { values } = this;
    this.waitSeconds = values.duration(this.wait);
    this.submitSeconds = values.time(this.submit);
    this.startSeconds = values.time(this.start, this.submitSeconds);
    this.endSeconds = values.time(this.end, this.startSeconds);
    if (this.submit.place === -1)
      this.submitSeconds = this.waitSeconds >= 0 ? this.startSeconds - this.waitSeconds : Number.NaN;
    this.runtimeSeconds = values.duration(this.runtime);
  }

  /** @returns whether the job has ended, and its times and cores are known; if not, the row is noted as dropped */
  private setTimes(cores: number, line: number): boolean {
    const { submitSeconds, startSeconds, endSeconds, waitSeconds } = this;
    const { builder } = this.jobs;
    const { row, notes } = builder;
    const hasStart = this.start.place !== -1;
    let { runtimeSeconds } = this;
    if (Number.isNaN(runtimeSeconds)) {
      if (hasStart && Number.isNaN(startSeconds)) {
        notes.add("dropped: it never started", line);
        return false;
      }
      if (this.end.place !== -1 && Number.isNaN(endSeconds)) {
        notes.add("dropped: it had not ended when the log was made", line);
        return false;
      }
      runtimeSeconds = endSeconds - startSeconds;
      if (runtimeSeconds < 0) {
        builder.bad("it ended before it started", line);
        return false;
      }
    } else if (Math.abs(endSeconds - startSeconds - runtimeSeconds) > 1) {
      notes.add("kept: with the run time that is told, which is not that from its start to its end", line);
    }
    if (Number.isNaN(submitSeconds) || Number.isNaN(runtimeSeconds) || Number.isNaN(cores)) {
      builder.bad("no time of submission, no run time or no cores", line);
      return false;
    }
    const recordedWait = Number.isNaN(waitSeconds) ? startSeconds - submitSeconds : waitSeconds;
    // As in SWF, -1 says that it is not known.
    if (waitSeconds < 0 && waitSeconds !== UNKNOWN) {
      this.jobs.noteUnread("counted as unknown: a negative wait", line, `${waitSeconds} s`);
    } else if (recordedWait < 0 && hasStart) {
      notes.add("kept: it started before it was submitted: its wait is unknown", line);
    }
    row.submitSeconds = submitSeconds;
    row.runtimeSeconds = runtimeSeconds;
    row.recordedWaitSeconds = recordedWait >= 0 ? recordedWait : UNKNOWN;
    return true;
  }

  /** How many machines a list of that code names; 0: it is empty, or none. */
  private placesIn(code: number): number {
    const { list } = this.jobs.builder.columns.nodeLists;
    return (this.placesOf[code] ??= new Set(nodeParts(list[code]!).map(({ name }) => name)).size);
  }
}
