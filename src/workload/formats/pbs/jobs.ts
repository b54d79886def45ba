import { parseMemory } from "../../input/memory-amounts.ts";
import { decodeText, isText } from "../../input/text.ts";
import type { Names } from "../../names.ts";
import { OncePerText } from "../../once-per-text.ts";
import { EMPTY_NAME, UNKNOWN } from "../job-row.ts";
import { UNREAD_GPUS, UNREAD_LIMIT, UNREAD_MEMORY } from "../recorded-jobs.ts";
import type { RecordedJobs } from "../recorded-jobs.ts";
import { tasksOfNodes, tasksOfSelect } from "./chunks.ts";
import type { Tasks } from "./chunks.ts";
import { ExecHosts } from "./hosts.ts";
import type { PbsKey, PbsRecord } from "./record.ts";
import { parseWalltime } from "./walltime.ts";

type MemoryKey = "Resource_List.mem" | "Resource_List.pmem";

/** PBS counts bytes if an amount has no unit. */
const MEBIBYTES_PER_BYTE = 1 / 1024 ** 2;

/** Makes jobs of records of runs. */
export class PbsJobs {
  private readonly jobs: RecordedJobs;
  private readonly record: PbsRecord;
  private readonly hosts = new ExecHosts();
  private readonly bySelect = new OncePerText(tasksOfSelect);
  private readonly byNodes = new OncePerText(tasksOfNodes);
  private readonly states = new Map<number, number>();
  /** What the chunks of the record say of memory if that cannot be read. */
  private unreadMemory = "";

  /** @param record that of each run that is added */
  constructor(jobs: RecordedJobs, record: PbsRecord) {
    this.jobs = jobs;
    this.record = record;
  }

  /** Adds the run of the record. It is submitted when its job was created or was last put back in the queue. */
  add(requeuedSeconds: number, endSeconds: number, line: number): void {
    const { jobs, record, hosts } = this;
    const { builder } = jobs;
    const { row, columns } = builder;
    const { bytes } = record;
    if (record.isMixed) {
      builder.bad("two records in one line", line);
      return;
    }
    const startSeconds = record.number("start");
    if (Number.isNaN(startSeconds) || Number.isNaN(endSeconds)) {
      builder.bad("a record of an end that lacks the start or the end", line);
      return;
    }
    const createdSeconds = record.number("ctime") > 0 ? record.number("ctime") : record.number("qtime");
    const submitSeconds = Math.max(createdSeconds, requeuedSeconds);
    // A job that was deleted while it waited may have a start of 0.
    if (!jobs.setTimes(submitSeconds, startSeconds > 0 ? startSeconds : Number.NaN, endSeconds, line)) return;
    jobs.noteEligible(submitSeconds, record.number("etime"), line);

    if (record.has("exec_host")) hosts.read(bytes, record.startOf("exec_host"), record.endOf("exec_host"));
    else hosts.read(bytes, 0, 0);
    if (!this.setTasks(line)) {
      builder.bad("no CPUs", line);
      return;
    }
    const limitSeconds = record.has("Resource_List.walltime")
      ? parseWalltime(bytes, record.startOf("Resource_List.walltime"), record.endOf("Resource_List.walltime"))
      : Number.NaN;
    if (Number.isNaN(limitSeconds) && record.has("Resource_List.walltime"))
      jobs.noteUnread(UNREAD_LIMIT, line, this.text("Resource_List.walltime"));
    if (row.memoryMiB === UNKNOWN) this.noteUnreadMemory(line);
    row.estimateSeconds = limitSeconds > 0 ? limitSeconds : UNKNOWN;
    row.jobNumber = record.jobNumber;
    row.arrayIndex = record.arrayIndex;
    row.user = this.code("user", columns.users, UNKNOWN);
    row.group = this.code("group", columns.groups, EMPTY_NAME);
    row.queue = this.code("queue", columns.queues, UNKNOWN);
    row.project = this.code("account", columns.projects, UNKNOWN);
    if (row.project === UNKNOWN && !this.isDefaultProject())
      row.project = this.code("project", columns.projects, UNKNOWN);
    row.nodes = hosts.code(columns.nodeLists);
    row.state = this.stateCode();
    jobs.add(line);
  }

  /** Notes memory that the record tells in a way that cannot be read. */
  private noteUnreadMemory(line: number): void {
    let text = this.unreadMemory;
    for (const key of ["Resource_List.pmem", "Resource_List.mem"] as const)
      if (Number.isNaN(this.mebibytes(key))) text = this.text(key);
    if (text !== "") this.jobs.noteUnread(UNREAD_MEMORY, line, text);
  }

  /** @returns false if the number of the job's cores is unknown */
  private setTasks(line: number): boolean {
    const { jobs, record, hosts } = this;
    this.unreadMemory = "";
    const cpus = record.number("Resource_List.ncpus");
    const processes = record.number("Resource_List.procs");
    // Torque sets `nodes=1` if only `ncpus` was asked for.
    const nodes =
      this.tasksOf(this.byNodes, "Resource_List.nodes") ??
      this.tasksOf(this.byNodes, "Resource_List.neednodes");
    const isBare = nodes !== null && nodes.count * nodes.cores < cpus;
    const chunks = this.tasksOf(this.bySelect, "Resource_List.select") ?? (isBare ? null : nodes);
    if (chunks !== null) {
      if (chunks.isMixed)
        jobs.builder.notes.add("kept as tasks that divide all its chunks: they are not alike", line);
      this.unreadMemory = chunks.unreadMemory;
      if (chunks.unreadGpus !== "") jobs.noteUnread(UNREAD_GPUS, line, chunks.unreadGpus);
      this.setAlike(chunks);
    } else if (cpus >= 1) {
      // If nothing says how the CPUs are divided, the hosts show it.
      const machines = hosts.count <= 1 ? 1 : hosts.isEven ? hosts.count : cpus;
      jobs.setShape(machines, cpus, this.memory("Resource_List.mem"), this.jobGpus(), line);
    } else if (processes >= 1) {
      this.setAlike({ count: processes, cores: 1, memoryMiB: UNKNOWN, gpus: 0 });
    } else if (hosts.cores >= 1) {
      jobs.setShape(
        hosts.isEven ? hosts.count : hosts.cores,
        hosts.cores,
        this.memory("Resource_List.mem"),
        this.jobGpus(),
        line,
      );
    } else {
      return false;
    }
    return true;
  }

  private code(key: PbsKey, names: Names, missing: number): number {
    const { record } = this;
    return record.has(key)
      ? names.codeOfBytes(record.bytes, record.startOf(key), record.endOf(key))
      : missing;
  }

  /** Null if the record does not have the key, or it names no core. */
  private tasksOf(made: OncePerText<Tasks | null>, key: PbsKey): Tasks | null {
    const { record } = this;
    return record.has(key) ? made.of(record.bytes, record.startOf(key), record.endOf(key)) : null;
  }

  private setAlike({
    count,
    cores,
    memoryMiB,
    gpus,
  }: Pick<Tasks, "count" | "cores" | "memoryMiB" | "gpus">): void {
    let mebibytes = memoryMiB;
    if (mebibytes === UNKNOWN) {
      const [ofJob, ofProcess] = [this.memory("Resource_List.mem"), this.memory("Resource_List.pmem")];
      if (ofJob !== UNKNOWN) mebibytes = ofJob / count;
      else if (ofProcess !== UNKNOWN) mebibytes = ofProcess * cores;
    }
    this.jobs.setTasks(count, cores, mebibytes, gpus > 0 ? gpus : this.jobGpus() / count);
  }

  private text(key: PbsKey): string {
    const { record } = this;
    return decodeText(record.bytes, record.startOf(key), record.endOf(key));
  }

  private memory(key: MemoryKey): number {
    const mebibytes = this.mebibytes(key);
    return mebibytes > 0 ? mebibytes : UNKNOWN;
  }

  /** 0 if the record does not have the key; NaN if its value cannot be read. */
  private mebibytes(key: MemoryKey): number {
    const { record } = this;
    if (!record.has(key)) return 0;
    return parseMemory(record.bytes, record.startOf(key), record.endOf(key), MEBIBYTES_PER_BYTE);
  }

  private jobGpus(): number {
    const count = this.record.number("Resource_List.ngpus");
    return count >= 0 ? count : 0;
  }

  private isDefaultProject(): boolean {
    const { record } = this;
    return isText(record.bytes, record.startOf("project"), record.endOf("project"), "_pbs_project_default");
  }

  /** `exit 0`: PBS does not record more of how a job ended. */
  private stateCode(): number {
    const status = this.record.number("Exit_status");
    if (Number.isNaN(status)) return EMPTY_NAME;
    let code = this.states.get(status);
    if (code === undefined)
      this.states.set(status, (code = this.jobs.builder.columns.states.codeOf(`exit ${status}`)));
    return code;
  }
}
