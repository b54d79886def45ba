import type { ByteSource } from "../../input/bytes.ts";
import { decodeText } from "../../input/text.ts";
import type { Names } from "../../names.ts";
import { OncePerText } from "../../once-per-text.ts";
import type { Workload } from "../../workload.ts";
import type { ReadOptions, WorkloadFormat } from "../format.ts";
import { EMPTY_NAME, UNKNOWN } from "../job-row.ts";
import { RecordedJobs, UNREAD_GPUS, UNREAD_LIMIT, UNREAD_MEMORY } from "../recorded-jobs.ts";
import { ExecHosts } from "./hosts.ts";
import { LsfRecord } from "./record.ts";
import { requestReader } from "./request.ts";
import type { LsfRequest } from "./request.ts";

/** The positions in a JOB_FINISH record, from 0, as in lsb.acct(5) since version 5. */
const EVENT_TIME = 2;
const JOB = 3;
const PROCESSORS = 6;
const SUBMIT_TIME = 7;
const START_TIME = 10;
const USER = 11;
const QUEUE = 12;
const RESOURCES = 13;
/** The number of requested hosts, which follow it. */
const ASKED_HOSTS = 22;
/** After the list of hosts that it ran on: status, factor, name, command, then the resources used. */
const RUSAGE_FIELDS = 19;
const AFTER_STATUS = 4;
/** From the project on. */
const INDEX_FROM_PROJECT = 5;
/** From the project to the number of pairs that version 8 and later write. */
const PAIRS_FROM_PROJECT = 29;

const STATUSES: Readonly<Record<number, string>> = { 32: "EXIT", 64: "DONE" };

/** LSF reserves on each host, unless its administrators configure otherwise. */
const memoryOfScope = { "per-processor": "task", "per-job": "job" } as const;

export const lsf: WorkloadFormat = {
  name: "lsf",
  summary: "LSF's lsb.acct",
  uses: ["jobShape", "memoryUnit", "memoryScope"],
  matches: (_fileName, firstBytes) =>
    /^"(JOB_FINISH|EVENT_ADRSV_FINISH|JOB_RESIZE)" "\d/m.test(decodeText(firstBytes, 0, firstBytes.length)),
  read,
};

async function read(source: ByteSource, options: ReadOptions = {}): Promise<Workload> {
  const jobs = new RecordedJobs(source, options);
  jobs.needsMemoryUnit = false;
  await jobs.readLines(new Events(jobs, options));
  return jobs.finish();
}

/** Takes the records of lsb.acct. */
class Events {
  private readonly jobs: RecordedJobs;
  private readonly record = new LsfRecord();
  private readonly hosts = new ExecHosts();
  private readonly requests: OncePerText<LsfRequest>;

  constructor(jobs: RecordedJobs, { memoryScope, memoryUnit }: ReadOptions) {
    this.jobs = jobs;
    const memoryOf = memoryScope === undefined ? "host" : memoryOfScope[memoryScope];
    this.requests = new OncePerText(requestReader(memoryUnit ?? "MiB", memoryOf));
  }

  read(bytes: Uint8Array, start: number, end: number, line: number): void {
    const { record } = this;
    const { builder } = this.jobs;
    record.read(bytes, start, end);
    if (!record.isQuoted(0) || !record.isWhole) {
      builder.bad("a line that is no record, or whose quotes are not in order", line);
    } else if (record.begins(0, "JOB_FINISH")) {
      this.addJob(line);
    } else {
      builder.notes.add("left out: records of other events than the end of a job", line);
    }
  }

  private addJob(line: number): void {
    const { jobs, record, hosts } = this;
    const { builder } = jobs;
    const { row } = builder;
    const number = record.number(JOB);
    const [submitSeconds, endSeconds] = [record.number(SUBMIT_TIME), record.number(EVENT_TIME)];
    const startSeconds = record.number(START_TIME);
    // The times are before all lists. What follows them of a job that never started is left open in some versions.
    if (startSeconds <= 0 && !Number.isNaN(number + submitSeconds + endSeconds)) {
      builder.notes.add("dropped: it never started", line);
      return;
    }
    const asked = record.number(ASKED_HOSTS);
    const execHosts = ASKED_HOSTS + 1 + asked;
    const listed = record.number(execHosts);
    const status = execHosts + 1 + listed;
    const project = status + AFTER_STATUS + RUSAGE_FIELDS + 1;
    const statusNumber = record.number(status);
    if (
      !(asked >= 0 && listed >= 0) ||
      Number.isNaN(number + statusNumber + submitSeconds + endSeconds + startSeconds)
    ) {
      builder.bad("a record of a job's end whose fields are not in their places", line);
      return;
    }
    if (!jobs.setTimes(submitSeconds, startSeconds, endSeconds, line)) return;

    const limits = placeOfLimits(record, project + PAIRS_FROM_PROJECT);
    const effective = limits + 3;
    const hasEffective = limits >= 0 && !record.isEmpty(effective);
    hosts.read(record, execHosts + 1, listed);
    const slots = hosts.slots > 0 ? hosts.slots : record.number(PROCESSORS);
    if (!(slots >= 1)) {
      builder.bad("no slots", line);
      return;
    }
    this.setTasks(slots, this.request(hasEffective ? effective : RESOURCES), line);
    const limitSeconds = limits < 0 ? Number.NaN : record.number(limits);
    if (limits === UNREAD)
      jobs.noteUnread(UNREAD_LIMIT, line, limitText(record, project + PAIRS_FROM_PROJECT));
    row.estimateSeconds = limitSeconds > 0 ? limitSeconds : UNKNOWN;
    const index = record.number(project + INDEX_FROM_PROJECT);
    row.jobNumber = number;
    row.arrayIndex = index > 0 ? index : UNKNOWN;
    this.setNames(project, statusNumber);
    jobs.add(line);
  }

  private request(field: number): LsfRequest {
    const { record } = this;
    return this.requests.of(record.bytes, record.startOf(field), record.endOf(field));
  }

  private setNames(project: number, status: number): void {
    const { row, columns } = this.jobs.builder;
    row.user = this.code(USER, columns.users);
    row.queue = this.code(QUEUE, columns.queues);
    row.project = this.record.isQuoted(project) ? this.code(project, columns.projects) : UNKNOWN;
    const word = STATUSES[status];
    row.state = word === undefined ? EMPTY_NAME : columns.states.codeOf(word);
    row.nodes = this.hosts.code(columns.nodeLists);
  }

  private code(field: number, names: Names): number {
    const { record } = this;
    if (record.isEmpty(field)) return UNKNOWN;
    return names.codeOfBytes(record.bytes, record.startOf(field), record.endOf(field));
  }

  /** One task for each host if the job says how many slots each has; otherwise its slots may be anywhere. */
  private setTasks(
    slots: number,
    { slotsPerHost, memoryMiB, needsUnit, memoryOf, gpus, unreadMemory, unreadGpus }: LsfRequest,
    line: number,
  ): void {
    const { jobs, hosts } = this;
    if (needsUnit) jobs.needsMemoryUnit = true;
    if (unreadMemory !== "") jobs.noteUnread(UNREAD_MEMORY, line, unreadMemory);
    if (unreadGpus !== "") jobs.noteUnread(UNREAD_GPUS, line, unreadGpus);
    let tasks = slots;
    if (slotsPerHost >= slots) tasks = 1;
    else if (slotsPerHost >= 1 && slots % slotsPerHost === 0) tasks = slots / slotsPerHost;
    else if (slots > 1 && jobs.shapeIsOpen) {
      jobs.builder.notes.add(
        "kept as one-core tasks: slots of a job that does not say how many go on a host",
        line,
      );
    }
    // What is reserved on each host, for all hosts.
    const machines = tasks === slots && slots > 1 ? Math.max(1, hosts.count) : tasks;
    const times = memoryOf === "host" ? machines : memoryOf === "task" ? slots : 1;
    const memory = memoryMiB > 0 ? (memoryMiB * times) / tasks : UNKNOWN;
    jobs.setTasks(tasks, slots / tasks, memory, gpus > 0 ? (gpus * machines) / tasks : 0);
  }
}

/** The record has no limits. */
const MISSING = -1;
/** The record has something else where its limits should be. */
const UNREAD = -2;

/**
 * The position of the run limit. Versions 9 and later write it after the pairs and the use of hosts; options, memory,
 * and the resources as a string follow. `MISSING` or `UNREAD` if it is not found.
 */
function placeOfLimits(record: LsfRecord, pairs: number): number {
  const pairCount = record.number(pairs);
  const usage = pairs + 1 + 2 * pairCount;
  const hostCount = record.number(usage);
  if (!(pairCount >= 0 && hostCount >= 0)) return MISSING;
  // The use of a host has had five fields, and later six.
  for (const fields of [6, 5]) {
    const place = usage + 1 + hostCount * fields;
    const sum = record.number(place) + record.number(place + 1) + record.number(place + 2);
    if (!Number.isNaN(sum) && record.isQuoted(place + 3)) return place;
  }
  return limitText(record, pairs) === "" ? MISSING : UNREAD;
}

/** What stands in place of a run limit that cannot be read; empty if the record ends before it. */
function limitText(record: LsfRecord, pairs: number): string {
  const usage = pairs + 1 + 2 * record.number(pairs);
  const places = [6, 5].map((fields) => usage + 1 + fields * record.number(usage));
  return record.text(places.find((place) => record.isQuoted(place + 3)) ?? record.count);
}
