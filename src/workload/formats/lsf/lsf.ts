import type { ByteSource } from "../../input/bytes.ts";
import { decodeText } from "../../input/text.ts";
import type { Names } from "../../names.ts";
import { OncePerText } from "../../once-per-text.ts";
import type { Workload } from "../../workload.ts";
import type { ReadOptions, WorkloadFormat } from "../format.ts";
import { EMPTY_NAME, UNKNOWN } from "../job-row.ts";
import { RecordedJobs } from "../recorded-jobs.ts";
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
  const { builder } = jobs;
  const record = new LsfRecord();
  const addJob = jobAdder(jobs, record, options);

  await jobs.readLines((bytes, start, end, line) => {
    record.read(bytes, start, end);
    if (!record.isQuoted(0) || !record.isWhole) {
      builder.bad("a line that is no record, or whose quotes are not in order", line);
    } else if (record.begins(0, "JOB_FINISH")) {
      addJob(line);
    } else {
      builder.notes.add("left out: records of other events than the end of a job", line);
    }
  });
  return jobs.finish();
}

function jobAdder(jobs: RecordedJobs, record: LsfRecord, options: ReadOptions): (line: number) => void {
  const { builder } = jobs;
  const { row, columns, notes } = builder;
  const hosts = new ExecHosts();
  const memoryOf = options.memoryScope === undefined ? "host" : memoryOfScope[options.memoryScope];
  const requests = new OncePerText(requestReader(options.memoryUnit ?? "MiB", memoryOf));
  const requestOf = (field: number): LsfRequest =>
    requests.of(record.bytes, record.startOf(field), record.endOf(field));
  const code = (field: number, names: Names): number =>
    record.isEmpty(field)
      ? UNKNOWN
      : names.codeOfBytes(record.bytes, record.startOf(field), record.endOf(field));

  return (line) => {
    const asked = record.number(ASKED_HOSTS);
    const execHosts = ASKED_HOSTS + 1 + asked;
    const listed = record.number(execHosts);
    const status = execHosts + 1 + listed;
    const project = status + AFTER_STATUS + RUSAGE_FIELDS + 1;
    const number = record.number(JOB);
    const places = [JOB, EVENT_TIME, SUBMIT_TIME, START_TIME, status];
    if (!(asked >= 0 && listed >= 0) || places.some((place) => Number.isNaN(record.number(place)))) {
      builder.bad("a record of a job's end whose fields are not in their places", line);
      return;
    }
    const startSeconds = record.number(START_TIME);
    if (!(startSeconds > 0)) {
      notes.add("dropped: it never started", line);
      return;
    }
    if (!jobs.setTimes(record.number(SUBMIT_TIME), startSeconds, record.number(EVENT_TIME), line)) return;

    const pairs = project + PAIRS_FROM_PROJECT;
    const limits = placeOfLimits(record, pairs);
    const effective = limits + 3;
    const hasEffective = limits !== -1 && !record.isEmpty(effective);
    hosts.read(record, execHosts + 1, listed);
    const slots = hosts.slots > 0 ? hosts.slots : record.number(PROCESSORS);
    if (!(slots >= 1)) {
      builder.bad("no slots", line);
      return;
    }
    setTasks(slots, requestOf(hasEffective ? effective : RESOURCES), line);
    const limitSeconds = limits === -1 ? Number.NaN : record.number(limits);
    row.estimateSeconds = limitSeconds > 0 ? limitSeconds : UNKNOWN;
    const index = record.number(project + INDEX_FROM_PROJECT);
    row.jobNumber = number;
    row.arrayIndex = index > 0 ? index : UNKNOWN;
    row.user = code(USER, columns.users);
    row.queue = code(QUEUE, columns.queues);
    row.project = record.isQuoted(project) ? code(project, columns.projects) : UNKNOWN;
    const word = STATUSES[record.number(status)];
    row.state = word === undefined ? EMPTY_NAME : columns.states.codeOf(word);
    row.nodes = hosts.code(columns.nodeLists);
    jobs.add(line);
  };

  /** One task for each host if the job says how many slots each has; otherwise its slots may be anywhere. */
  function setTasks(
    slots: number,
    { slotsPerHost, memoryMiB, memoryOf, gpus }: LsfRequest,
    line: number,
  ): void {
    let tasks = slots;
    if (slotsPerHost >= slots) tasks = 1;
    else if (slotsPerHost >= 1 && slots % slotsPerHost === 0) tasks = slots / slotsPerHost;
    else if (slots > 1 && jobs.shapeIsOpen) {
      notes.add("kept as one-core tasks: slots of a job that does not say how many go on a host", line);
    }
    // What is reserved on each host, for all hosts.
    const machines = tasks === slots && slots > 1 ? Math.max(1, hosts.count) : tasks;
    const times = { host: machines, task: slots, job: 1 }[memoryOf];
    const memory = memoryMiB > 0 ? (memoryMiB * times) / tasks : UNKNOWN;
    jobs.setTasks(tasks, slots / tasks, memory, gpus > 0 ? (gpus * machines) / tasks : 0);
  }
}

/**
 * The position of the run limit. Versions 9 and later write it after the pairs and the use of hosts; options, memory,
 * and the resources as a string follow. -1 if it is missing.
 */
function placeOfLimits(record: LsfRecord, pairs: number): number {
  const pairCount = record.number(pairs);
  const usage = pairs + 1 + 2 * pairCount;
  const hostCount = record.number(usage);
  if (!(pairCount >= 0 && hostCount >= 0)) return -1;
  // The use of a host has had five fields, and later six.
  for (const fields of [6, 5]) {
    const place = usage + 1 + hostCount * fields;
    const areNumbers = [0, 1, 2].every((at) => !Number.isNaN(record.number(place + at)));
    if (areNumbers && record.isQuoted(place + 3)) return place;
  }
  return -1;
}
