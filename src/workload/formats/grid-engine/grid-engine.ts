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
import { Places } from "./places.ts";

/** The fields from 0 in front of the job's name, as in accounting(5). The others are at `Places`. */
const QUEUE = 0;
const HOST = 1;
const GROUP = 2;
const OWNER = 3;
/** The number of fields up to `maxvmem`, the last that all versions have. */
const LEAST_FIELDS = 43;

const COLON = 58;
const NUMBER_SIGN = 35;
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
    // Names may have colons.
    /^([^:#][^:]*:){4}([^:]*:){1,20}?\d+:([^:]*:){1,20}?-?\d+:\d+:\d+:\d+:\d+:-?\d+:([^:]*:){29,}/.test(line),
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
  private readonly places = new Places();
  private readonly requests = new OncePerText(requestsOf);
  private readonly environments = new Names();
  private readonly job = emptyJob();

  constructor(jobs: RecordedJobs, options: ReadOptions) {
    this.builder = jobs.builder;
    this.gridEngineJobs = new GridEngineJobs(jobs, options);
  }

  read(bytes: Uint8Array, start: number, end: number, line: number): void {
    if (bytes[start] === NUMBER_SIGN) return;
    const { builder, fields, job, places } = this;
    fields.splitPlainly(bytes, start, end, COLON);
    if (fields.count < LEAST_FIELDS) {
      const inFull = `the line has ${fields.count} fields where Grid Engine writes ${LEAST_FIELDS} or more`;
      builder.bad("not as many fields as Grid Engine writes", line, inFull);
      return;
    }
    if (!places.find(fields) || !hasParallelTask(fields, places.parallelTask)) {
      builder.bad(
        "fields out of their places, as where a line is damaged or colons in a name are next to numbers",
        line,
      );
      return;
    }
    if (places.areMoved)
      builder.notes.add("read: names with colons in them, by the numbers and times behind", line);
    if (places.isNumberOpen)
      builder.notes.add("read: a job's number that could also be a part of a name with colons", line);
    const place = fields.number(places.task);
    job.number = places.number === -1 ? Number.NaN : fields.number(places.number);
    job.index = place > 0 ? place : UNKNOWN;
    job.host = this.code(HOST, builder.columns.nodeLists, EMPTY_NAME);
    if (!isNone(fields, places.parallelTask)) {
      this.gridEngineJobs.addTask(job.number, job.index, job.host, line);
      return;
    }
    this.setNames();
    job.environment = isNone(fields, places.environment)
      ? ""
      : this.environments.list[fields.code(places.environment, this.environments)]!;
    job.submitSeconds = epochSeconds(fields.number(places.submission));
    job.startSeconds = epochSeconds(fields.number(places.start));
    job.endSeconds = epochSeconds(fields.number(places.end));
    job.slots = fields.number(places.slots);
    job.failed = fields.number(places.failed);
    job.exitStatus = fields.number(places.exitStatus);
    const [from, to] = [fields.starts[places.category]!, fields.ends[places.categoryEnd]!];
    job.requests = requestsAsked(this.requests, bytes, from, to);
    this.gridEngineJobs.add(job, line);
  }

  private setNames(): void {
    const { fields, places } = this;
    const { row, columns } = this.builder;
    row.queue = this.code(QUEUE, columns.queues, UNKNOWN);
    row.user = this.code(OWNER, columns.users, UNKNOWN);
    row.group = this.code(GROUP, columns.groups, EMPTY_NAME);
    row.project = UNKNOWN;
    const [account, accountEnd] = [places.account, places.priority - 1];
    if (!isNone(fields, places.project)) row.project = this.joined(places.project, places.projectEnd);
    // The account is "sge" unless the user names one.
    else if (account < accountEnd || (!isNone(fields, account) && !fields.is(account, "sge"))) {
      row.project = this.joined(account, accountEnd);
    }
  }

  /** The project that fields are together, with the colons between them. */
  private joined(first: number, last: number): number {
    const { bytes, starts, ends } = this.fields;
    return this.builder.columns.projects.codeOfBytes(bytes, starts[first]!, ends[last]!);
  }

  private code(field: number, names: Names, missing: number): number {
    return this.fields.isEmpty(field) ? missing : this.fields.code(field, names);
  }
}

/** Whether a field is `NONE`, or empty. */
function isNone(fields: Fields, field: number): boolean {
  return field >= fields.count || fields.isEmpty(field) || fields.is(field, "NONE");
}

/** Whether a field is none, or the task of a parallel job: `1.n2`, its number and its host. */
function hasParallelTask(fields: Fields, field: number): boolean {
  return isNone(fields, field) || (/^\d+\./.test(fields.text(field)) && Number.isNaN(fields.number(field)));
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
