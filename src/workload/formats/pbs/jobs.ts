import { decodeText, isText } from "../../input/text.ts";
import type { Names } from "../../names.ts";
import { NOT_ADDED } from "../builder.ts";
import { EMPTY_NAME, UNKNOWN } from "../job-row.ts";
import { UNREAD_LIMIT } from "../recorded-jobs.ts";
import type { RecordedJobs } from "../recorded-jobs.ts";
import { ExecHosts } from "./hosts.ts";
import type { PbsKey, PbsRecord } from "./record.ts";
import { PbsResources } from "./resources.ts";
import type { PbsRuns } from "./runs.ts";
import { parseWalltime } from "./walltime.ts";

/** Makes jobs of records of runs. */
export class PbsJobs {
  private readonly jobs: RecordedJobs;
  private readonly record: PbsRecord;
  private readonly hosts = new ExecHosts();
  private readonly resources: PbsResources;
  private readonly runs: PbsRuns;
  private readonly states = new Map<number, number>();

  /** @param record that of each run that is added */
  constructor(jobs: RecordedJobs, record: PbsRecord, runs: PbsRuns) {
    this.jobs = jobs;
    this.record = record;
    this.runs = runs;
    this.resources = new PbsResources(jobs, record, this.hosts);
  }

  /**
   * Adds the run of the record, as one that waited since its job was created.
   *
   * @param isRequeue whether the job went back to the queue after it
   * @returns whether it is a job; if not, that is noted
   */
  add(endSeconds: number, isRequeue: boolean, line: number): boolean {
    const { jobs, record, hosts } = this;
    const { builder } = jobs;
    const { row, columns } = builder;
    const { bytes } = record;
    if (record.isMixed) {
      builder.bad(
        record.hasSecondRecord()
          ? "two records in one line"
          : "a key twice in one line, as where a name has a blank and a key in it, or a line is damaged",
        line,
      );
      return false;
    }
    const startSeconds = record.number("start");
    if (Number.isNaN(startSeconds) || Number.isNaN(endSeconds)) {
      builder.bad("a record of an end that lacks the start or the end", line);
      return false;
    }
    const submitSeconds = record.number("ctime") > 0 ? record.number("ctime") : record.number("qtime");
    // A job that was deleted while it waited may have a start of 0.
    if (!jobs.setTimes(submitSeconds, startSeconds > 0 ? startSeconds : Number.NaN, endSeconds, line))
      return false;

    if (record.has("exec_host")) hosts.read(bytes, record.startOf("exec_host"), record.endOf("exec_host"));
    else hosts.read(bytes, 0, 0);
    if (!this.resources.setTasks(line)) {
      builder.bad("no CPUs", line);
      return false;
    }
    const limitSeconds = record.has("Resource_List.walltime")
      ? parseWalltime(bytes, record.startOf("Resource_List.walltime"), record.endOf("Resource_List.walltime"))
      : Number.NaN;
    if (Number.isNaN(limitSeconds) && record.has("Resource_List.walltime"))
      jobs.noteUnread(UNREAD_LIMIT, line, this.text("Resource_List.walltime"));
    if (row.memoryMiB === UNKNOWN) this.resources.noteUnreadMemory(line);
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
    row.wholeNodes = this.resources.hasWholeNodes() ? 1 : 0;
    const added = jobs.add(line);
    if (added !== NOT_ADDED) this.runs.add(added, record, startSeconds, isRequeue, line);
    return added !== NOT_ADDED;
  }

  private code(key: PbsKey, names: Names, missing: number): number {
    const { record } = this;
    const unescaped = record.has(key) ? record.unescaped(key) : null;
    if (unescaped !== null) return names.codeOf(unescaped);
    return record.has(key)
      ? names.codeOfBytes(record.bytes, record.startOf(key), record.endOf(key))
      : missing;
  }

  private text(key: PbsKey): string {
    const { record } = this;
    return decodeText(record.bytes, record.startOf(key), record.endOf(key));
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
