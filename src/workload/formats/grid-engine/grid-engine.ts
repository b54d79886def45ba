import type { ByteSource } from "../../input/bytes.ts";
import { Fields } from "../../input/fields.ts";
import { epochSeconds } from "../../input/instants.ts";
import { decodeText } from "../../input/text.ts";
import { Names } from "../../names.ts";
import { OncePerText } from "../../once-per-text.ts";
import type { Workload } from "../../workload.ts";
import type { ReadOptions, WorkloadFormat } from "../format.ts";
import { EMPTY_NAME, UNKNOWN } from "../job-row.ts";
import { RecordedJobs } from "../recorded-jobs.ts";
import { requestsOf } from "./category.ts";
import type { Requests } from "./category.ts";
import { emptyJob, GridEngineJobs } from "./job.ts";

/** The fields from 0, as in accounting(5). Univa's version has more after them. */
const QUEUE = 0;
const HOST = 1;
const GROUP = 2;
const OWNER = 3;
const JOB_NUMBER = 5;
const ACCOUNT = 6;
const SUBMISSION = 8;
const START = 9;
const END = 10;
const FAILED = 11;
const EXIT_STATUS = 12;
const PROJECT = 31;
const ENVIRONMENT = 33;
const SLOTS = 34;
const TASK_NUMBER = 35;
const CATEGORY = 39;
/** The number of fields up to `maxvmem`, the last that all versions have. */
const LEAST_FIELDS = 43;

const COLON = 58;
const NUMBER_SIGN = 35;
const POINT = 46;
const BLANK = 32;
const MINUS = 45;
const LETTER_L = 108;
/** The length of `-l `. */
const OPTION_LENGTH = 3;
/** The number of damaged lines after which the format is no longer recognised. */
const MAX_BAD_LINES = 50;

export const gridEngine: WorkloadFormat = {
  name: "grid-engine",
  summary: "accounting files of SGE, Open Grid Scheduler, Univa and Altair Grid Engine",
  uses: ["jobShape", "memoryScope"],
  matches,
  read,
};

function matches(_fileName: string, firstBytes: Uint8Array): boolean {
  const lines = decodeText(firstBytes, 0, firstBytes.length).split("\n", MAX_BAD_LINES);
  return lines.some((line) =>
    /^([^:#][^:]*:){5}\d+:[^:]*:-?\d+:\d+:\d+:\d+:\d+:-?\d+:([^:]*:){29,}/.test(line),
  );
}

async function read(source: ByteSource, options: ReadOptions = {}): Promise<Workload> {
  const jobs = new RecordedJobs(source, options);
  const { builder } = jobs;
  const { row, columns } = builder;
  const fields = new Fields();
  const { starts, ends } = fields;
  const gridEngineJobs = new GridEngineJobs(jobs, options);
  const categories = new OncePerText(requestsOf);
  const environments = new Names();
  const job = emptyJob();
  const seconds = (field: number): number => epochSeconds(fields.number(field));

  await jobs.readLines((bytes, start, end, line) => {
    if (bytes[start] === NUMBER_SIGN) return;
    fields.splitPlainly(bytes, start, end, COLON);
    if (fields.count < LEAST_FIELDS) {
      const inFull = `the line has ${fields.count} fields where Grid Engine writes ${LEAST_FIELDS} or more`;
      builder.bad("not as many fields as Grid Engine writes", line, inFull);
      return;
    }
    const number = fields.number(JOB_NUMBER);
    const place = fields.number(TASK_NUMBER);
    const index = place > 0 ? place : UNKNOWN;
    const host = fields.isEmpty(HOST) ? EMPTY_NAME : fields.code(HOST, columns.nodeLists);
    const categoryEnd = endOfCategory(fields);
    if (!isNone(fields, categoryEnd + 2)) {
      gridEngineJobs.addTask(number, index, host, line);
      return;
    }
    row.queue = fields.isEmpty(QUEUE) ? UNKNOWN : fields.code(QUEUE, columns.queues);
    row.user = fields.isEmpty(OWNER) ? UNKNOWN : fields.code(OWNER, columns.users);
    row.group = fields.isEmpty(GROUP) ? EMPTY_NAME : fields.code(GROUP, columns.groups);
    row.project = UNKNOWN;
    if (!isNone(fields, PROJECT)) row.project = fields.code(PROJECT, columns.projects);
    // The account is "sge" unless the user names one.
    else if (!isNone(fields, ACCOUNT) && !fields.is(ACCOUNT, "sge")) {
      row.project = fields.code(ACCOUNT, columns.projects);
    }
    job.environment = isNone(fields, ENVIRONMENT)
      ? ""
      : environments.list[fields.code(ENVIRONMENT, environments)]!;
    job.number = number;
    job.index = index;
    job.submitSeconds = seconds(SUBMISSION);
    job.startSeconds = seconds(START);
    job.endSeconds = seconds(END);
    job.slots = fields.number(SLOTS);
    job.host = host;
    job.failed = fields.number(FAILED);
    job.exitStatus = fields.number(EXIT_STATUS);
    job.requests = requestsAsked(categories, bytes, starts[CATEGORY]!, ends[categoryEnd]!);
    gridEngineJobs.add(job, line);
  });
  return jobs.finish();
}

/**
 * The last field of the category, which may contain colons (`-l h_rt=24:00:00`). What follows it is a number with a
 * decimal point, the time waited for input and output.
 */
function endOfCategory(fields: Fields): number {
  const last = Math.min(fields.count, LEAST_FIELDS + 20) - 1;
  for (let field = CATEGORY + 1; field < last; field++) {
    if (fields.includes(field, POINT) && !Number.isNaN(fields.number(field))) return field - 1;
  }
  return CATEGORY;
}

/** Whether a field is `NONE`, or empty. */
function isNone(fields: Fields, field: number): boolean {
  return field >= fields.count || fields.isEmpty(field) || fields.is(field, "NONE");
}

/** Most jobs ask for one of a few things, so each list of requests is parsed once. */
function requestsAsked(
  known: OncePerText<Requests>,
  bytes: Uint8Array,
  start: number,
  end: number,
): Requests {
  const listStart = afterOption(bytes, start, end);
  let listEnd = listStart;
  while (listEnd < end && bytes[listEnd]! > BLANK) listEnd++;
  // With its option before it. Several lists are rare.
  const isOne = listStart < end && afterOption(bytes, listEnd, end) === end;
  return isOne ? known.of(bytes, listStart - OPTION_LENGTH, listEnd) : known.of(bytes, start, end);
}

/** Where the text after the first `-l` begins; the end if there is none. */
function afterOption(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at + OPTION_LENGTH < end; at++) {
    if (bytes[at] !== MINUS || bytes[at + 1] !== LETTER_L || bytes[at + 2] !== BLANK) continue;
    if (at === start || bytes[at - 1] === BLANK) return at + OPTION_LENGTH;
  }
  return end;
}
