import { at, listOf, textOf } from "../../input/json.ts";
import type { JsonObject } from "../../input/json.ts";
import type { Names } from "../../names.ts";
import { EMPTY_NAME, UNKNOWN } from "../job-row.ts";
import { UNREAD_LIMIT } from "../recorded-jobs.ts";
import type { RecordedJobs } from "../recorded-jobs.ts";
import { condition, conditionTime, endOf, isRefused, time } from "./lifetime.ts";
import { podRequests } from "./requests.ts";
import type { PodRequests } from "./requests.ts";

const OTHER_RESOURCES = "not counted: resources other than CPU, memory and those that end in /gpu";
/** A pod that asks for no CPU still needs a machine. */
const LEAST_CORES = 0.001;

/**
 * Adds a pod as a job, or counts why it does not.
 *
 * @returns whether it was added
 */
export function addPod(jobs: RecordedJobs, pod: JsonObject, line: number): boolean {
  const { builder, instants } = jobs;
  const { row, notes, columns } = builder;
  const { spec, status } = pod;
  const owners = listOf(at(pod, "metadata", "ownerReferences"));
  if (owners.some((owner) => at(owner, "kind") === "DaemonSet")) {
    notes.add("left out: pods of daemon sets, which are of their nodes", line);
    return false;
  }
  const phase = textOf(at(status, "phase"));
  const node = textOf(at(spec, "nodeName"));
  const scheduled = conditionTime(instants, status, "PodScheduled");
  const startSeconds = Number.isNaN(scheduled) ? time(instants, at(status, "startTime")) : scheduled;
  const isDone = phase === "Succeeded" || phase === "Failed";
  const isStarted = node !== "" && !isRefused(status);
  const endSeconds = isDone ? endOf(instants, spec, status) : Number.NaN;
  if (isDone && isStarted && Number.isNaN(endSeconds)) {
    notes.add("dropped: when it ended is not told", line);
    return false;
  }
  const created = time(instants, at(pod, "metadata", "creationTimestamp"));
  if (!jobs.setTimes(created, isStarted ? startSeconds : Number.NaN, endSeconds, line)) return false;
  setTasks(jobs, 1, requestsIn(jobs, spec, status, line), line);
  setNames(jobs, pod, queueOf(pod), at(spec, "priority"));
  row.estimateSeconds = limitIn(jobs, spec, "activeDeadlineSeconds", line);
  row.state = columns.states.codeOf(phase);
  row.nodes = columns.nodeLists.codeOf(node);
  jobs.add(line);
  return true;
}

/**
 * Adds one of Kueue's workloads as a job, or counts why it does not.
 *
 * @returns whether it was added
 */
export function addKueueWorkload(jobs: RecordedJobs, workload: JsonObject, line: number): boolean {
  const { builder, instants } = jobs;
  const { row, columns, notes } = builder;
  const { spec, status } = workload;
  const admitted = conditionTime(instants, status, "Admitted");
  const finished = conditionTime(instants, status, "Finished");
  const created = time(instants, at(workload, "metadata", "creationTimestamp"));
  if (!jobs.setTimes(created, admitted, finished, line)) return false;

  const assigned = new Map(
    listOf(at(status, "admission", "podSetAssignments")).map((each) => [
      textOf(at(each, "name")),
      at(each, "count"),
    ]),
  );
  const sets = listOf(at(spec, "podSets"))
    .map((set) => {
      const count = assigned.get(textOf(at(set, "name"))) ?? at(set, "count") ?? 1;
      return { count: Number(count), pod: requestsIn(jobs, at(set, "template", "spec"), undefined, line) };
    })
    .filter(({ count }) => count >= 1);
  const largest = sets.map(({ pod }) => pod).sort((a, b) => b.cores - a.cores)[0];
  if (largest === undefined) {
    builder.bad("no pods", line);
    return false;
  }
  const isMixed = sets.some(({ pod }) => pod.cores !== largest.cores || pod.memoryMiB !== largest.memoryMiB);
  if (isMixed) notes.add("kept as tasks like its largest pod: its pods are not alike", line);
  setTasks(
    jobs,
    isMixed ? tasksLike(largest, sets) : sets.reduce((sum, { count }) => sum + count, 0),
    largest,
    line,
  );
  setNames(jobs, workload, textOf(at(spec, "queueName")), at(spec, "priority"));
  row.estimateSeconds = limitIn(jobs, spec, "maximumExecutionTimeSeconds", line);
  row.state = columns.states.codeOf(textOf(at(condition(status, "Finished"), "reason")));
  row.nodes = EMPTY_NAME;
  jobs.add(line);
  return true;
}

/** What a pod asks for; notes what is odd about it. */
function requestsIn(jobs: RecordedJobs, spec: unknown, status: unknown, line: number): PodRequests {
  const notCounted = new Set<string>();
  const requests = podRequests(spec, status, {
    unreadable: (text) => jobs.noteUnread("counted as none: quantities that cannot be read", line, text),
    notCounted: (name) => notCounted.add(name),
    resized: () =>
      jobs.builder.notes.add("kept: a resized pod, with the most of what it asked for and held", line),
  });
  if (notCounted.size > 0) {
    jobs.noteUnread(OTHER_RESOURCES, line, [...notCounted].join(", "));
  }
  return requests;
}

/** Seconds; notes a limit that is none. */
function limitIn(jobs: RecordedJobs, spec: unknown, key: string, line: number): number {
  const limit = at(spec, key);
  if (limit === undefined || limit === null) return UNKNOWN;
  if (typeof limit === "number" && limit > 0) return limit;
  jobs.noteUnread(UNREAD_LIMIT, line, JSON.stringify(limit));
  return UNKNOWN;
}

/** As many pods of the largest pod's size as hold what all pods ask for. */
function tasksLike(largest: PodRequests, sets: readonly { count: number; pod: PodRequests }[]): number {
  const needed = (key: keyof PodRequests): number => {
    const all = sets.reduce((sum, { count, pod }) => sum + count * pod[key], 0);
    return largest[key] > 0 ? Math.ceil(all / largest[key] - 1e-9) : 0;
  };
  return Math.max(1, needed("cores"), needed("memoryMiB"));
}

function setTasks(
  jobs: RecordedJobs,
  tasks: number,
  { cores, memoryMiB, gpus }: PodRequests,
  line: number,
): void {
  if (cores === 0) jobs.builder.notes.add("raised: no CPU asked for, to a thousandth of a core", line);
  jobs.setTasks(tasks, Math.max(cores, LEAST_CORES), memoryMiB > 0 ? memoryMiB : UNKNOWN, gpus);
}

function setNames({ builder }: RecordedJobs, object: JsonObject, queue: string, priority: unknown): void {
  const { row, columns } = builder;
  row.project = codeOf(columns.projects, textOf(at(object, "metadata", "namespace")));
  row.queue = codeOf(columns.queues, queue);
  row.priority = typeof priority === "number" ? priority : 0;
}

/** The queue of a pod under Kueue, Volcano or YuniKorn. */
function queueOf(pod: JsonObject): string {
  const label = (name: string): string => textOf(at(pod, "metadata", "labels", name));
  const annotation = (name: string): string => textOf(at(pod, "metadata", "annotations", name));
  return (
    label("kueue.x-k8s.io/queue-name") ||
    annotation("scheduling.volcano.sh/queue-name") ||
    annotation("yunikorn.apache.org/queue") ||
    label("queue")
  );
}

function codeOf(names: Names, name: string): number {
  return name === "" ? UNKNOWN : names.codeOf(name);
}
