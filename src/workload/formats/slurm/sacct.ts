import { sourceName } from "../../input/bytes.ts";
import type { ByteSource } from "../../input/bytes.ts";
import { parseDuration } from "../../input/durations.ts";
import { CsvLine } from "../../input/csv-line.ts";
import { Fields, MAX_FIELDS } from "../../input/fields.ts";
import { decodeText, startsWith } from "../../input/text.ts";
import { Names } from "../../names.ts";
import type { Workload } from "../../workload.ts";
import type { ReadOptions, WorkloadFormat } from "../format.ts";
import { EMPTY_NAME, UNKNOWN } from "../job-row.ts";
import { RecordedJobs } from "../recorded-jobs.ts";
import type { SacctHeader } from "./columns.ts";
import { addSlurmJob, emptyJob } from "./job.ts";
import { SlurmJobId } from "./job-id.ts";
import { BAR, isAligned, isHeaderless, layoutOf, refuseAligned, refuseHeaderless } from "./layout.ts";
import type { Layout } from "./layout.ts";
import { gpusOfGres, isUnknown, requestedMemory, Tres } from "./tres.ts";

const BLANK = 32;
const MINUS = 45;
const LETTER_T = 84;
const TIME_LENGTH = 19;
const ZERO = 48;
/** In 1973. */
const EARLIEST_SECONDS = 1e8;
/** The number of damaged lines after which the format is no longer recognised. */
const MAX_BAD_LINES = 50;

export const slurm: WorkloadFormat = {
  name: "slurm",
  summary: "Slurm's sacct --parsable2, with a header or in the order of Open XDMoD's guide",
  uses: ["jobShape", "timeZone"],
  matches,
  read,
};

/** Recognised by one of the first lines: a header, or a job in a known order. */
function matches(_fileName: string, firstBytes: Uint8Array): boolean {
  const lines = decodeText(firstBytes, 0, firstBytes.length).split(/\r?\n/, MAX_BAD_LINES);
  return lines.some(
    (line) => layoutOf(line.replace(/^\u{feff}/u, "")) !== null || isAligned(line) || isHeaderless(line),
  );
}

async function read(source: ByteSource, options: ReadOptions = {}): Promise<Workload> {
  const file = sourceName(source);
  const jobs = new RecordedJobs(source, options);
  const { builder } = jobs;
  const clusters = new Names();
  let layout: Layout | null = null;
  let fields = new Fields();
  let addJob: ((line: number) => void) | null = null;
  let sawHeaderless = false;

  /**
   * A log may consist of several listings, each with its header. Before the first header, or first job, nothing can be
   * read.
   */
  const begin = (bytes: Uint8Array, start: number, end: number, line: number): boolean => {
    const text = decodeText(bytes, start, end);
    const found = layoutOf(text);
    if (found === null && layout === null) {
      if (isAligned(text)) refuseAligned(file, line);
      sawHeaderless ||= isHeaderless(text);
    }
    if (found === null || (layout !== null && !found.isHeaderLine)) return false;
    found.header.require(file, line);
    const order = found.isHeaderLine ? "with a header" : "in the order of Open XDMoD's guide";
    if (layout === null) builder.notes.add(`recognised: Slurm's sacct, ${order}`, line);
    layout = found;
    // Logs with commas between fields have lists of nodes in quotes.
    fields = found.delimiter === BAR ? new Fields() : new CsvLine(found.delimiter);
    addJob = jobAdder(jobs, fields, found.header, clusters);
    return true;
  };

  await jobs.readLines((bytes, start, end, line) => {
    if (layout === null && !begin(bytes, start, end, line)) {
      builder.bad("a line that sacct does not write", line);
      return;
    }
    const { header, delimiter } = layout!;
    if (fields instanceof CsvLine) fields.split(bytes, start, end);
    else fields.splitPlainly(bytes, start, end, delimiter);
    const fits = fields.count === header.names.length || fit(fields, header);
    if (fits && isDigit(bytes[fields.starts[header.places.jobId]!]!)) {
      addJob!(line);
    } else if (!begin(bytes, start, end, line)) {
      const inFull = `the line has ${fields.count} fields where there are ${header.names.length} columns`;
      if (fits) builder.bad("no job number", line);
      else builder.bad("not as many fields as there are columns", line, inFull);
    }
  });
  if (layout === null && sawHeaderless) refuseHeaderless(file);
  if (clusters.list.length !== 1) return jobs.finish();
  return jobs.finish({ computer: clusters.list[0]! });
}

/**
 * Finds the columns of a line with too many fields: `-p` ends lines with a delimiter, and users' texts may contain
 * delimiters.
 */
function fit(fields: Fields, { names, lastFree, toleratesDelimiters }: SacctHeader): boolean {
  const extra = fields.count - names.length;
  if (extra < 0 || fields.count > MAX_FIELDS) return false;
  if (extra === 1 && fields.isEmpty(fields.count - 1)) return true;
  if (!toleratesDelimiters) return false;
  // No user writes this: another record runs into this one.
  for (let place = lastFree; place <= lastFree + extra; place++) if (isTime(fields, place)) return false;
  for (let place = lastFree + 1; place < names.length; place++) {
    fields.starts[place] = fields.starts[place + extra]!;
    fields.ends[place] = fields.ends[place + extra]!;
  }
  return true;
}

/** Whether a field looks like sacct's times: `2026-03-01T08:00:00`. */
function isTime({ bytes, starts, ends }: Fields, place: number): boolean {
  const start = starts[place]!;
  return (
    ends[place]! - start === TIME_LENGTH &&
    bytes[start + 4] === MINUS &&
    bytes[start + 7] === MINUS &&
    bytes[start + 10] === LETTER_T
  );
}

/** How a line becomes a job, once the columns are known. */
function jobAdder(
  jobs: RecordedJobs,
  fields: Fields,
  { places }: SacctHeader,
  clusters: Names,
): (line: number) => void {
  const { builder, instants } = jobs;
  const { row, notes, columns } = builder;
  const { starts, ends } = fields;
  const id = new SlurmJobId();
  const [requested, allocated] = [new Tres(), new Tres()];
  const job = emptyJob();
  let problem = "";
  let problemText = "";

  const isEmpty = (place: number): boolean =>
    place === -1 || isUnknown(fields.bytes, starts[place]!, ends[place]!);
  const time = (place: number, what: string, notBefore?: number): number => {
    if (isEmpty(place)) return Number.NaN;
    const seconds = instants.read(fields.bytes, starts[place]!, ends[place]!, notBefore);
    // A number that is too early for any Slurm: the fields are not in their places.
    if (!(seconds >= EARLIEST_SECONDS)) {
      problem = `the ${what} is not a time`;
      problemText = fields.text(place);
    }
    return seconds;
  };
  const number = (place: number): number => (place === -1 ? Number.NaN : fields.number(place));
  const code = (place: number, names: Names, missing: number): number =>
    isEmpty(place) ? missing : fields.code(place, names);
  const readTres = (tres: Tres, place: number): void => {
    if (place === -1) tres.clear();
    else tres.read(fields.bytes, starts[place]!, ends[place]!);
  };

  return (line) => {
    const { bytes } = fields;
    id.read(bytes, starts[places.jobId]!, ends[places.jobId]!);
    if (id.isStep) {
      notes.add("left out: steps of jobs", line);
      return;
    }
    if (id.isHeterogeneous) notes.add("kept: a part of a heterogeneous job, as a job of its own", line);
    problem = "";
    job.submitSeconds = time(places.submit, "time of submission");
    job.startSeconds = time(places.start, "start", job.submitSeconds);
    job.endSeconds = time(places.end, "end", job.startSeconds);
    job.eligibleSeconds = fields.areSame(places.eligible, places.submit)
      ? job.submitSeconds
      : time(places.eligible, "time of eligibility", job.submitSeconds);
    job.elapsedSeconds = duration(fields, places.elapsed);
    if (places.end === -1 && !isState("RUNNING") && !isState("SUSPENDED"))
      job.endSeconds = job.startSeconds + job.elapsedSeconds;
    if (problem !== "") {
      builder.bad(problem, line, `${problem}: "${problemText}"`, problemText);
      return;
    }
    // What the job held, otherwise what it asked for.
    readTres(allocated, places.allocatedTres);
    if (allocated.cpus > 0 && allocated.memoryMiB > 0) requested.clear();
    else readTres(requested, places.requestedTres);
    job.cpus = firstAbove0(number(places.cpus), allocated.cpus, number(places.requestedCpus), requested.cpus);
    job.nodes = firstAbove0(number(places.nodes), allocated.nodes, requested.nodes, 1);
    job.tasks = number(places.tasks);
    job.memoryMiB = firstAbove0(allocated.memoryMiB, requested.memoryMiB, 0, Number.NaN);
    if (Number.isNaN(job.memoryMiB) && places.requestedMemory !== -1) {
      const place = places.requestedMemory;
      job.memoryMiB = requestedMemory(bytes, starts[place]!, ends[place]!, job.cpus, job.nodes);
    }
    job.gpus = firstAbove0(allocated.gpus, requested.gpus, gresGpus(), 0);
    job.limitSeconds =
      places.limit === -1 ? 60 * number(places.limitMinutes) : duration(fields, places.limit);
    const isPlaced = !isEmpty(places.nodeList);
    // Without the list of nodes, a job that was cancelled at its start is taken for one that waited.
    job.hasNodes =
      places.nodeList === -1 ? !(isState("CANCELLED") && job.startSeconds === job.endSeconds) : isPlaced;

    row.jobNumber = id.number;
    row.arrayIndex = id.index;
    row.user = code(places.user, columns.users, UNKNOWN);
    row.project = code(places.account, columns.projects, UNKNOWN);
    row.queue = code(places.partition, columns.queues, UNKNOWN);
    row.group = code(places.group, columns.groups, EMPTY_NAME);
    row.nodes = isPlaced ? fields.code(places.nodeList, columns.nodeLists) : EMPTY_NAME;
    const licences = allocated.licences || requested.licences;
    row.licences = licences === "" ? EMPTY_NAME : columns.licenceLists.codeOf(licences);
    row.state = firstWord();
    if (places.cluster !== -1 && fields.code(places.cluster, clusters) > 0) {
      notes.add("kept: a job of another cluster than the first", line);
    }
    addSlurmJob(jobs, job, line);
  };

  /** Per node, if only generic resources tell the GPUs. */
  function gresGpus(): number {
    const place = places.requestedGres;
    if (place === -1 || fields.isEmpty(place)) return Number.NaN;
    return gpusOfGres(fields.text(place)) * job.nodes;
  }

  /** Whether the state begins with this word. */
  function isState(word: string): boolean {
    const place = places.state;
    return place !== -1 && startsWith(fields.bytes, starts[place]!, ends[place]!, word);
  }

  /** `CANCELLED` of `CANCELLED by 1000`. */
  function firstWord(): number {
    const place = places.state;
    if (isEmpty(place)) return EMPTY_NAME;
    const { bytes } = fields;
    const start = starts[place]!;
    let end = start;
    while (end < ends[place]! && bytes[end]! > BLANK) end++;
    return columns.states.codeOfBytes(bytes, start, end);
  }
}

/** NaN for `UNLIMITED`, `Partition_Limit` and anything else that is not a time. */
function duration(fields: Fields, place: number): number {
  if (place === -1) return Number.NaN;
  return parseDuration(fields.bytes, fields.starts[place]!, fields.ends[place]!);
}

function firstAbove0(first: number, second: number, third: number, otherwise: number): number {
  if (first > 0) return first;
  if (second > 0) return second;
  return third > 0 ? third : otherwise;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9;
}
