import type { ByteSource } from "../../input/bytes.ts";
import { Fields } from "../../input/fields.ts";
import { epochSeconds } from "../../input/instants.ts";
import { decodeText } from "../../input/text.ts";
import { Names } from "../../names.ts";
import { OncePerText } from "../../once-per-text.ts";
import type { Workload } from "../../workload.ts";
import type { ReadOptions, WorkloadFormat } from "../format.ts";
import { EMPTY_NAME, UNKNOWN } from "../job-row.ts";
import type { WorkloadBuilder } from "../builder.ts";
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
  await jobs.readLines(new Accounting(jobs, options));
  return jobs.finish();
}

/** Takes the lines of an accounting file. */
class Accounting {
  private readonly builder: WorkloadBuilder;
  private readonly gridEngineJobs: GridEngineJobs;
  private readonly fields = new Fields();
  private readonly requests = new OncePerText(requestsOf);
  private readonly environments = new Names();
  private readonly job = emptyJob();

  constructor(jobs: RecordedJobs, options: ReadOptions) {
    this.builder = jobs.builder;
    this.gridEngineJobs = new GridEngineJobs(jobs, options);
  }

  read(bytes: Uint8Array, start: number, end: number, line: number): void {
    if (bytes[start] === NUMBER_SIGN) return;
    const { builder, fields, job } = this;
    fields.splitPlainly(bytes, start, end, COLON);
    if (fields.count < LEAST_FIELDS) {
      const inFull = `the line has ${fields.count} fields where Grid Engine writes ${LEAST_FIELDS} or more`;
      builder.bad("not as many fields as Grid Engine writes", line, inFull);
      return;
    }
    const place = fields.number(TASK_NUMBER);
    job.number = fields.number(JOB_NUMBER);
    job.index = place > 0 ? place : UNKNOWN;
    job.host = this.code(HOST, builder.columns.nodeLists, EMPTY_NAME);
    const categoryEnd = endOfCategory(fields);
    if (!isNone(fields, categoryEnd + 2)) {
      this.gridEngineJobs.addTask(job.number, job.index, job.host, line);
      return;
    }
    this.setNames();
    job.environment = isNone(fields, ENVIRONMENT)
      ? ""
      : this.environments.list[fields.code(ENVIRONMENT, this.environments)]!;
    job.submitSeconds = epochSeconds(fields.number(SUBMISSION));
    job.startSeconds = epochSeconds(fields.number(START));
    job.endSeconds = epochSeconds(fields.number(END));
    job.slots = fields.number(SLOTS);
    job.failed = fields.number(FAILED);
    job.exitStatus = fields.number(EXIT_STATUS);
    const [from, to] = [fields.starts[CATEGORY]!, fields.ends[categoryEnd]!];
    job.requests = requestsAsked(this.requests, bytes, from, to);
    this.gridEngineJobs.add(job, line);
  }

  private setNames(): void {
    const { fields } = this;
    const { row, columns } = this.builder;
    row.queue = this.code(QUEUE, columns.queues, UNKNOWN);
    row.user = this.code(OWNER, columns.users, UNKNOWN);
    row.group = this.code(GROUP, columns.groups, EMPTY_NAME);
    row.project = UNKNOWN;
    if (!isNone(fields, PROJECT)) row.project = fields.code(PROJECT, columns.projects);
    // The account is "sge" unless the user names one.
    else if (!isNone(fields, ACCOUNT) && !fields.is(ACCOUNT, "sge")) {
      row.project = fields.code(ACCOUNT, columns.projects);
    }
  }

  private code(field: number, names: Names, missing: number): number {
    return this.fields.isEmpty(field) ? missing : this.fields.code(field, names);
  }
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
