import { parseDuration } from "../../input/durations.ts";
import type { Fields } from "../../input/fields.ts";
import { startsWith } from "../../input/text.ts";
import type { Names } from "../../names.ts";
import { EMPTY_NAME, UNKNOWN } from "../job-row.ts";
import { UNREAD_LIMIT, UNREAD_MEMORY } from "../recorded-jobs.ts";
import type { RecordedJobs } from "../recorded-jobs.ts";
import type { SacctColumn, SacctHeader } from "./columns.ts";
import { addSlurmJob, emptyJob } from "./job.ts";
import { SlurmJobId } from "./job-id.ts";
import { gpusOfGres, isUnknown, requestedMemory, Tres, UNREAD_LICENCES } from "./tres.ts";

const BLANK = 32;
const ZERO = 48;
/** In 1973. */
const EARLIEST_SECONDS = 1e8;

/** Makes jobs of lines below a header of sacct. */
export class SacctJobs {
  private readonly jobs: RecordedJobs;
  private readonly fields: Fields;
  private readonly places: Readonly<Record<SacctColumn, number>>;
  private readonly clusters: Names;
  private readonly id = new SlurmJobId();
  private readonly requested = new Tres();
  private readonly allocated = new Tres();
  private readonly job = emptyJob();
  /** The first time of the line that is none; empty if there is no such time. */
  private problem = "";
  private problemText = "";

  /** @param fields those of each line that is added */
  constructor(jobs: RecordedJobs, fields: Fields, { places }: SacctHeader, clusters: Names) {
    this.jobs = jobs;
    this.fields = fields;
    this.places = places;
    this.clusters = clusters;
  }

  /** Adds the job of the line whose fields have been split. */
  add(line: number): void {
    const { jobs, fields, places, id, job } = this;
    const { builder } = jobs;
    const { bytes, starts, ends } = fields;
    id.read(bytes, starts[places.jobId]!, ends[places.jobId]!);
    if (id.isStep) {
      builder.notes.add("left out: steps of jobs", line);
      return;
    }
    if (id.isHeterogeneous)
      builder.notes.add("kept: a part of a heterogeneous job, as a job of its own", line);
    this.readTimes();
    if (this.problem !== "") {
      builder.bad(this.problem, line, `${this.problem}: "${this.problemText}"`, this.problemText);
      return;
    }
    this.readResources();
    job.limitSeconds =
      places.limit === -1 ? 60 * this.number(places.limitMinutes) : this.duration(places.limit);
    this.noteUnread(line);
    const isPlaced = !this.isEmpty(places.nodeList);
    // Without the list of nodes, a job that was cancelled at its start is taken for one that waited.
    job.hasNodes =
      places.nodeList === -1 ? !(this.isState("CANCELLED") && job.startSeconds === job.endSeconds) : isPlaced;
    this.setNames(isPlaced);
    if (places.cluster !== -1 && fields.code(places.cluster, this.clusters) > 0) {
      builder.notes.add("kept: a job of another cluster than the first", line);
    }
    addSlurmJob(jobs, job, line);
  }

  private readTimes(): void {
    const { fields, places, job } = this;
    this.problem = "";
    job.submitSeconds = this.time(places.submit, "time of submission");
    job.startSeconds = this.time(places.start, "start", job.submitSeconds);
    job.endSeconds = this.time(places.end, "end", job.startSeconds);
    job.eligibleSeconds = fields.areSame(places.eligible, places.submit)
      ? job.submitSeconds
      : this.time(places.eligible, "time of eligibility", job.submitSeconds);
    job.elapsedSeconds = this.duration(places.elapsed);
    this.settleDoubledHour();
    if (places.end === -1 && !this.isState("RUNNING") && !this.isState("SUSPENDED"))
      job.endSeconds = job.startSeconds + job.elapsedSeconds;
  }

  /**
   * Of a start and an end in an hour that clocks showed twice, takes those between which `Elapsed` lies. A job that was
   * suspended has none such, and keeps its times.
   */
  private settleDoubledHour(): void {
    const { places, job } = this;
    const { submitSeconds, startSeconds, endSeconds, elapsedSeconds } = job;
    const agrees = (start: number, end: number): boolean => Math.abs(end - start - elapsedSeconds) <= 1;
    if (this.problem !== "" || Number.isNaN(endSeconds - startSeconds + elapsedSeconds)) return;
    if (agrees(startSeconds, endSeconds)) return;
    const [start, end] = [places.start, places.end];
    const ofStart = [this.time(start, "start"), this.time(start, "start", Number.POSITIVE_INFINITY)];
    const ofEnd = [this.time(end, "end"), this.time(end, "end", Number.POSITIVE_INFINITY)];
    const readings = ofStart.flatMap((from) => ofEnd.map((to): [number, number] => [from, to]));
    const agreeing = readings.filter(([from, to]) => agrees(from, to));
    // A job does not start before it is submitted; where it does by all readings the zone is wrong.
    const settled = agreeing.find(([from]) => !(from < submitSeconds)) ?? agreeing[0];
    if (settled !== undefined) [job.startSeconds, job.endSeconds] = settled;
  }

  /** What the job held, otherwise what it asked for. */
  private readResources(): void {
    const { fields, places, job, allocated, requested } = this;
    this.readTres(allocated, places.allocatedTres);
    if (allocated.cpus > 0 && allocated.memoryMiB > 0) requested.clear();
    else this.readTres(requested, places.requestedTres);
    job.cpus = this.number(places.cpus);
    if (!(job.cpus > 0)) job.cpus = allocated.cpus;
    if (!(job.cpus > 0)) job.cpus = this.number(places.requestedCpus);
    if (!(job.cpus > 0)) job.cpus = requested.cpus;
    job.nodes = firstAbove0(this.number(places.nodes), allocated.nodes, requested.nodes, 1);
    job.tasks = this.number(places.tasks);
    job.memoryMiB = firstAbove0(allocated.memoryMiB, requested.memoryMiB, 0, Number.NaN);
    if (Number.isNaN(job.memoryMiB) && places.requestedMemory !== -1) {
      const place = places.requestedMemory;
      const { bytes, starts, ends } = fields;
      job.memoryMiB = requestedMemory(bytes, starts[place]!, ends[place]!, job.cpus, job.nodes);
    }
    job.gpus = firstAbove0(allocated.gpus, requested.gpus, this.gresGpus(), 0);
  }

  /** Notes a limit and memory that the line tells in a way that cannot be read. 0 is how Slurm says that it has none. */
  private noteUnread(line: number): void {
    const { places, job } = this;
    const { bytes, starts, ends } = this.fields;
    const { notes } = this.jobs.builder;
    const { limit, requestedMemory: memory } = places;
    if (Number.isNaN(job.limitSeconds) && !this.isEmpty(limit)) {
      const isWord = ["UNLIMITED", "Partition_Limit"].some((word) =>
        startsWith(bytes, starts[limit]!, ends[limit]!, word),
      );
      if (!isWord) notes.add(UNREAD_LIMIT, line);
    }
    const isMemoryTold = !this.isEmpty(memory) && bytes[starts[memory]!] !== ZERO;
    const isInTres = this.allocated.hasUnreadMemory || this.requested.hasUnreadMemory;
    if (Number.isNaN(job.memoryMiB) && (isMemoryTold || isInTres)) notes.add(UNREAD_MEMORY, line);
    if (this.allocated.hasUnreadLicences || this.requested.hasUnreadLicences) {
      notes.add(UNREAD_LICENCES, line);
    }
  }

  private setNames(isPlaced: boolean): void {
    const { fields, places, id, allocated, requested } = this;
    const { row, columns } = this.jobs.builder;
    row.jobNumber = id.number;
    row.arrayIndex = id.index;
    row.user = this.code(places.user, columns.users, UNKNOWN);
    row.project = this.code(places.account, columns.projects, UNKNOWN);
    row.queue = this.code(places.partition, columns.queues, UNKNOWN);
    row.group = this.code(places.group, columns.groups, EMPTY_NAME);
    row.nodes = isPlaced ? fields.code(places.nodeList, columns.nodeLists) : EMPTY_NAME;
    const licences = allocated.licences || requested.licences;
    row.licences = licences === "" ? EMPTY_NAME : columns.licenceLists.codeOf(licences);
    row.state = this.firstWordOfState();
  }

  private isEmpty(place: number): boolean {
    const { bytes, starts, ends } = this.fields;
    return place === -1 || isUnknown(bytes, starts[place]!, ends[place]!);
  }

  private time(place: number, what: string, notBefore?: number): number {
    if (this.isEmpty(place)) return Number.NaN;
    const { bytes, starts, ends } = this.fields;
    const seconds = this.jobs.instants.read(bytes, starts[place]!, ends[place]!, notBefore);
    // A number that is too early for any Slurm: the fields are not in their places.
    if (!(seconds >= EARLIEST_SECONDS)) {
      this.problem = `the ${what} is not a time`;
      this.problemText = this.fields.text(place);
    }
    return seconds;
  }

  /** NaN for `UNLIMITED`, `Partition_Limit` and anything else that is not a time. */
  private duration(place: number): number {
    if (place === -1) return Number.NaN;
    const { bytes, starts, ends } = this.fields;
    return parseDuration(bytes, starts[place]!, ends[place]!);
  }

  private number(place: number): number {
    return place === -1 ? Number.NaN : this.fields.number(place);
  }

  private code(place: number, names: Names, missing: number): number {
    return this.isEmpty(place) ? missing : this.fields.code(place, names);
  }

  private readTres(tres: Tres, place: number): void {
    const { bytes, starts, ends } = this.fields;
    if (place === -1) tres.clear();
    else tres.read(bytes, starts[place]!, ends[place]!);
  }

  /** Per node, if only generic resources tell the GPUs. */
  private gresGpus(): number {
    const place = this.places.requestedGres;
    if (place === -1 || this.fields.isEmpty(place)) return Number.NaN;
    return gpusOfGres(this.fields.text(place)) * this.job.nodes;
  }

  /** Whether the state begins with this word. */
  private isState(word: string): boolean {
    const place = this.places.state;
    const { bytes, starts, ends } = this.fields;
    return place !== -1 && startsWith(bytes, starts[place]!, ends[place]!, word);
  }

  /** `CANCELLED` of `CANCELLED by 1000`. */
  private firstWordOfState(): number {
    const place = this.places.state;
    if (this.isEmpty(place)) return EMPTY_NAME;
    const { bytes, starts, ends } = this.fields;
    const start = starts[place]!;
    let end = start;
    while (end < ends[place]! && bytes[end]! > BLANK) end++;
    return this.jobs.builder.columns.states.codeOfBytes(bytes, start, end);
  }
}

function firstAbove0(first: number, second: number, third: number, otherwise: number): number {
  if (first > 0) return first;
  if (second > 0) return second;
  return third > 0 ? third : otherwise;
}
