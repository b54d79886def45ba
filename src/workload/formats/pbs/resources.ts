import { parseMemory } from "../../input/memory-amounts.ts";
import { decodeText } from "../../input/text.ts";
import { OncePerText } from "../../once-per-text.ts";
import { UNKNOWN } from "../job-row.ts";
import { UNREAD_GPUS, UNREAD_MEMORY } from "../recorded-jobs.ts";
import type { RecordedJobs } from "../recorded-jobs.ts";
import { tasksOfNodes, tasksOfSelect } from "./chunks.ts";
import type { Tasks } from "./chunks.ts";
import type { ExecHosts } from "./hosts.ts";
import type { PbsKey, PbsRecord } from "./record.ts";

type MemoryKey = "Resource_List.mem" | "Resource_List.pmem";

/** PBS counts bytes if an amount has no unit. */
const MEBIBYTES_PER_BYTE = 1 / 1024 ** 2;

/** Sets the tasks of a row from a record: what the job held, otherwise what it asked for. */
export class PbsResources {
  private readonly jobs: RecordedJobs;
  private readonly record: PbsRecord;
  private readonly hosts: ExecHosts;
  private readonly bySelect = new OncePerText(tasksOfSelect);
  private readonly byNodes = new OncePerText(tasksOfNodes);
  private readonly wholeByPlace = new OncePerText((place) => /(^|:)excl(host)?(:|$)/.test(place));
  private readonly wholeByNodes = new OncePerText((nodes) => /#excl(#|$)/.test(nodes));
  private readonly wholeByPolicy = new OncePerText((policy) => /(^|[;:])single(job|task)\b/i.test(policy));
  /** What the chunks of the record say of memory if that cannot be read. */
  private unreadMemory = "";

  /** @param hosts where the job of the record ran */
  constructor(jobs: RecordedJobs, record: PbsRecord, hosts: ExecHosts) {
    this.jobs = jobs;
    this.record = record;
    this.hosts = hosts;
  }

  /** @returns false if the number of the job's cores is unknown */
  setTasks(line: number): boolean {
    const { jobs, record, hosts } = this;
    const { notes } = jobs.builder;
    const cpus = record.number("Resource_List.ncpus");
    const processes = record.number("Resource_List.procs");
    const chunks = this.chunks(cpus);
    this.unreadMemory = chunks?.unreadMemory ?? "";
    if (chunks !== null && chunks.unreadGpus !== "") jobs.noteUnread(UNREAD_GPUS, line, chunks.unreadGpus);
    const unreadCores = chunks?.unreadCores ?? "";
    const inChunks = chunks === null ? 0 : chunks.count * chunks.cores;
    const asked = inChunks > 0 ? inChunks : firstAbove0(cpus, processes);
    if (hosts.cores > 0 && (unreadCores !== "" || hosts.cores > asked)) {
      if (unreadCores !== "")
        jobs.noteUnread("counted from where it ran: cores that cannot be read", line, unreadCores);
      else if (asked > 0)
        notes.add("kept with the cores that it held, which are more than it asked for", line);
      this.setByHosts(hosts.cores, chunks, line);
      return true;
    }
    if (asked === 0) return false;
    if (unreadCores !== "")
      jobs.noteUnread("counted as none: chunks with cores that cannot be read", line, unreadCores);
    if (chunks !== null && inChunks > 0) {
      if (chunks.isMixed) notes.add("kept as tasks that divide all its chunks: they are not alike", line);
      this.setAlike(chunks);
    } else if (cpus >= 1) {
      // If nothing says how the CPUs are divided, the hosts show it.
      this.setByHosts(cpus, null, line);
    } else {
      this.setAlike({ count: processes, cores: 1, memoryMiB: UNKNOWN, gpus: 0 });
    }
    return true;
  }

  /** Notes memory that the record tells in a way that cannot be read. */
  noteUnreadMemory(line: number): void {
    let text = this.unreadMemory;
    for (const key of ["Resource_List.pmem", "Resource_List.mem"] as const)
      if (Number.isNaN(this.mebibytes(key))) text = this.text(key);
    if (text !== "") this.jobs.noteUnread(UNREAD_MEMORY, line, text);
  }

  /**
   * Whether the job had its nodes for itself: PBS's `place=scatter:excl` and `exclhost`, `#excl` in `nodes`, and what
   * Torque hands to Maui and Moab.
   */
  hasWholeNodes(): boolean {
    return (
      this.made(this.wholeByPlace, "Resource_List.place") === true ||
      this.made(this.wholeByNodes, "Resource_List.nodes") === true ||
      this.made(this.wholeByPolicy, "Resource_List.naccesspolicy") === true ||
      this.made(this.wholeByPolicy, "Resource_List.x") === true
    );
  }

  /** The chunks of the job; null if the record does not have any, or they name no core. */
  private chunks(cpus: number): Tasks | null {
    const select = this.made(this.bySelect, "Resource_List.select");
    if (select !== null) return select;
    const nodes =
      this.made(this.byNodes, "Resource_List.nodes") ?? this.made(this.byNodes, "Resource_List.neednodes");
    // Torque sets `nodes=1` if only `ncpus` was asked for.
    const isBare = nodes !== null && nodes.unreadCores === "" && nodes.count * nodes.cores < cpus;
    return isBare ? null : nodes;
  }

  /** Null if the record does not have the key. */
  private made<T>(made: OncePerText<T>, key: PbsKey): T | null {
    const { record } = this;
    return record.has(key) ? made.of(record.bytes, record.startOf(key), record.endOf(key)) : null;
  }

  /** A task on each host, or tasks of one core if the hosts have other parts than equal ones. */
  private setByHosts(cores: number, chunks: Tasks | null, line: number): void {
    const { jobs, hosts } = this;
    const machines = Math.max(1, hosts.count);
    const isEven = hosts.isEven && cores % machines === 0;
    if (!isEven && jobs.shapeIsOpen)
      jobs.builder.notes.add("kept as one-core tasks: its cores do not divide evenly among its nodes", line);
    const count = isEven ? machines : cores;
    const told = chunks !== null && chunks.count > 0 ? chunks : null;
    this.setAlike({
      count,
      cores: cores / count,
      memoryMiB:
        told === null || told.memoryMiB === UNKNOWN ? UNKNOWN : (told.memoryMiB * told.count) / count,
      gpus: told === null ? 0 : (told.gpus * told.count) / count,
    });
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

  /** Empty if the record does not have the key. */
  private text(key: PbsKey): string {
    const { record } = this;
    return record.has(key) ? decodeText(record.bytes, record.startOf(key), record.endOf(key)) : "";
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
}

function firstAbove0(first: number, second: number): number {
  if (first >= 1) return first;
  return second >= 1 ? second : 0;
}
