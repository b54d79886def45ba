import type { ByteSource } from "../../input/bytes.ts";
import { at, isObject, listOf, numberOf, textOf } from "../../input/json.ts";
import type { JsonObject } from "../../input/json.ts";
import { decodeText } from "../../input/text.ts";
import { Names } from "../../names.ts";
import type { Workload } from "../../workload.ts";
import type { ReadOptions, WorkloadFormat } from "../format.ts";
import { EMPTY_NAME, UNKNOWN } from "../job-row.ts";
import { RecordedJobs } from "../recorded-jobs.ts";
import { addSlurmJob, emptyJob } from "./job.ts";
import type { SlurmJob } from "./job.ts";
import { UNREAD_LICENCES, withLicence } from "./tres.ts";

const KEYS = ["jobs"];

export const slurmJson: WorkloadFormat = {
  name: "slurm-json",
  summary: "Slurm's sacct --json",
  uses: ["jobShape"],
  matches,
  read,
};

/** Recognised by names that only a job has there. */
function matches(_fileName: string, firstBytes: Uint8Array): boolean {
  const text = decodeText(firstBytes, 0, firstBytes.length);
  return (
    /^\s*\u{feff}?\s*\{/u.test(text) &&
    /"jobs"\s*:\s*\[/.test(text) &&
    /"(association|job_id|slurm)"/i.test(text)
  );
}

async function read(source: ByteSource, options: ReadOptions = {}): Promise<Workload> {
  const jobs = new RecordedJobs(source, options);
  const { builder } = jobs;
  const { row, notes, columns } = builder;
  const clusters = new Names();
  const job = emptyJob();
  await jobs.readItems(KEYS, (item, line) => {
    const number = numberOf(item["job_id"]);
    if (!Number.isInteger(number)) {
      builder.bad("no job number", line);
      return;
    }
    if (amount(at(item, "het", "job_id")) > 0) {
      notes.add("kept: a part of a heterogeneous job, as a job of its own", line);
    }
    readTimes(item["time"], job);
    readResources(item, job);
    const nodes = textOf(item["nodes"]);
    job.hasNodes = nodes !== "" && !nodes.startsWith("None");
    readNumber(item, number);
    row.user = codeOf(columns.users, textOf(item["user"]) || textOf(at(item, "association", "user")));
    row.project = codeOf(columns.projects, textOf(item["account"]));
    row.queue = codeOf(columns.queues, textOf(item["partition"]));
    row.group = columns.groups.codeOf(textOf(item["group"]));
    row.nodes = job.hasNodes ? columns.nodeLists.codeOf(nodes) : EMPTY_NAME;
    row.licences = columns.licenceLists.codeOf(licencesOf(item, () => notes.add(UNREAD_LICENCES, line)));
    row.state = columns.states.codeOf(stateOf(item["state"]));
    if (codeOf(clusters, textOf(item["cluster"])) > 0) {
      notes.add("kept: a job of another cluster than the first", line);
    }
    addSlurmJob(jobs, job, line);
  });
  return jobs.finish(clusters.list.length === 1 ? { computer: clusters.list[0]! } : {});

  /** A task of an array is identified by the array's number and its own index. */
  function readNumber(item: JsonObject, number: number): void {
    const array = amount(at(item, "array", "job_id"));
    const place = amount(at(item, "array", "task_id"));
    const isTask = array > 0 && place >= 0;
    row.jobNumber = isTask ? array : number;
    row.arrayIndex = isTask ? place : UNKNOWN;
  }
}

/** Seconds since 1970; 0 is a time that has not come. */
function readTimes(time: unknown, job: SlurmJob): void {
  const instant = (key: string): number => {
    const seconds = amount(at(time, key));
    return seconds > 0 ? seconds : Number.NaN;
  };
  job.submitSeconds = instant("submission");
  job.eligibleSeconds = instant("eligible");
  job.startSeconds = instant("start");
  job.endSeconds = instant("end");
  job.elapsedSeconds = amount(at(time, "elapsed"));
  job.limitSeconds = 60 * amount(at(time, "limit"));
}

/** What was allocated, otherwise what was asked for. */
function readResources(item: JsonObject, job: SlurmJob): void {
  const allocated = listOf(at(item, "tres", "allocated"));
  const requested = listOf(at(item, "tres", "requested"));
  const tres = (type: string): number => {
    const count = tresCount(allocated, type);
    return count > 0 ? count : tresCount(requested, type);
  };
  job.cpus = tres("cpu") > 0 ? tres("cpu") : amount(at(item, "required", "CPUs"));
  job.nodes = tres("node") > 0 ? tres("node") : amount(item["allocation_nodes"]);
  job.gpus = tres("gres/gpu");
  const perNode = amount(at(item, "required", "memory_per_node"));
  const perCpu = amount(at(item, "required", "memory_per_cpu"));
  job.memoryMiB =
    tres("mem") > 0 ? tres("mem") : perNode > 0 ? perNode * (job.nodes || 1) : perCpu * job.cpus;
}

/**
 * The licences that were allocated, otherwise those that were asked for.
 *
 * @param unread is told that some of them cannot be read: they are left out
 */
function licencesOf(item: JsonObject, unread: () => void): string {
  let hasUnread = false;
  const list = (which: string): string => {
    let licences = "";
    for (const entry of listOf(at(item, "tres", which))) {
      if (!isObject(entry) || textOf(entry["type"]) !== "license") continue;
      const more = withLicence(licences, textOf(entry["name"]), amount(entry["count"]));
      if (more === null) hasUnread = true;
      else licences = more;
    }
    return licences;
  };
  const licences = list("allocated") || list("requested");
  if (hasUnread) unread();
  return licences;
}

/** The count of a kind of resource; for GPUs that of all types, or the sum of the types. */
function tresCount(list: readonly unknown[], type: string): number {
  let typed = Number.NaN;
  for (const entry of list) {
    if (!isObject(entry)) continue;
    const name = textOf(entry["name"]);
    const full = name === "" ? textOf(entry["type"]) : `${textOf(entry["type"])}/${name}`;
    if (full === type) return amount(entry["count"]);
    if (full.startsWith(`${type}:`)) typed = (Number.isNaN(typed) ? 0 : typed) + amount(entry["count"]);
  }
  return typed;
}

/** A number, or Slurm's object for one that may be unset or infinite, which gives NaN. */
function amount(value: unknown): number {
  if (!isObject(value)) return numberOf(value);
  return value["set"] === true && value["infinite"] !== true ? numberOf(value["number"]) : Number.NaN;
}

/** The first word of `{current: ["COMPLETED"]}` or `{current: "COMPLETED"}`. */
function stateOf(state: unknown): string {
  const current = isObject(state) ? state["current"] : state;
  const words = Array.isArray(current) ? current : [current];
  return textOf(words[0]).split(" ")[0]!;
}

function codeOf(names: Names, name: string): number {
  return name === "" ? UNKNOWN : names.codeOf(name);
}
