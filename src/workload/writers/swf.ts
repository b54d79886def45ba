import { writeFileAtomically } from "../atomic-file.ts";
import { RAN_NOTE, ranUnderText } from "../ran-under.ts";
import type { Workload } from "../workload.ts";
import { textChunks } from "./text.ts";
import { jobNumberOf } from "../rows.ts";

const unknown = -1;

/**
 * Writes the workload in the Standard Workload Format 2.2: comment lines that describe it, then a line of 18 numbers
 * for each job.
 *
 * A job's processors are its tasks times the cores of one, rounded up; memory is in KB
 * per processor. What the format has no field for (GPUs, priority, policy, the names
 * of users and groups) is left out, and a `Note` in the header says so.
 *
 * @throws {InputError} if the path cannot be written to
 */
export async function writeSwf(workload: Workload, path: string): Promise<void> {
  await writeFileAtomically(path, textChunks(swfHeader(workload), workload.count, swfLine(workload)));
}

function swfHeader(workload: Workload): string {
  const { farm } = workload;
  const ran = ranUnderText(farm);
  const lines: [key: string, value: string | number | undefined][] = [
    ["Version", "2.2"],
    ["Computer", farm?.computer],
    ["Installation", farm?.installation],
    ["MaxJobs", workload.count],
    ["MaxRecords", workload.count],
    ["UnixStartTime", farm?.unixStartSeconds],
    ["MaxNodes", farm?.nodes],
    ["MaxProcs", farm?.processors],
    ["MaxRuntime", farm?.maxRuntimeSeconds],
    ["MaxQueues", workload.queue?.names.length],
    ...(workload.queue?.names ?? []).map((name, i): [string, string] => ["Queue", `${i + 1} ${name}`]),
    ["Note", `written from ${workload.name}`],
    ["Note", workload.synthetic ? "synthetic: made by a generator, not recorded on a machine" : undefined],
    ["Note", ran === undefined ? undefined : `${RAN_NOTE}${ran}`],
    ...workload.notes.map(({ what, count }): [string, string] => ["Note", `${what} (${count})`]),
    ["Note", noteOnProcessors(workload)],
    ["Note", noteOnOmissions(workload)],
    ["Note", noteOnTimes(workload)],
  ];
  return lines
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `; ${key}: ${String(value).replace(/\s+/g, " ")}\n`)
    .join("");
}

/** The parts of the workload that SWF has no place for. The header's notes name them too. */
export function swfLosses(workload: Workload): string[] {
  const ofNode =
    workload.nodeCpu === undefined ? undefined : "left out: what part of a node's memory its tasks need";
  return [noteOnProcessors(workload), noteOnOmissions(workload), noteOnTimes(workload), ofNode].filter(
    (note) => note !== undefined,
  );
}

/** A clock that starts below 0 may show the time that SWF has for an unknown one. */
function noteOnTimes({ submitSeconds, count }: Workload): string | undefined {
  let jobs = 0;
  for (let row = 0; row < count; row++) if (submitSeconds[row] === unknown) jobs++;
  return jobs === 0
    ? undefined
    : `a submission at -1 s, which the format has for an unknown one: jobs ${jobs}`;
}

function noteOnProcessors({ coresMilli, tasks }: Workload): string | undefined {
  if (coresMilli.every((milli) => milli === 1000)) return undefined;
  const fractions = coresMilli.some((milli) => milli % 1000 !== 0);
  return (
    `processors are ${tasks === null ? "the cores of the one task of a job" : "tasks times the cores of each"}` +
    `${fractions ? ", rounded up to whole cores" : ""}; memory is divided among them`
  );
}

function noteOnOmissions({ gpuMilli, priority, policy, user, project, ...of }: Workload): string | undefined {
  const left = [
    gpuMilli === null ? [] : ["GPUs"],
    priority === null ? [] : ["priorities"],
    policy === null ? [] : ["matching policies"],
    of.requires === null ? [] : ["requirements"],
    of.pools === null ? [] : ["candidate pools"],
    of.restartPools === undefined ? [] : ["pools to restart in"],
    of.site === null ? [] : ["sites"],
    of.group === null ? [] : ["business groups"],
    of.licences === undefined ? [] : ["licences"],
    of.arrayIndex === undefined ? [] : ["places in arrays"],
    of.state === undefined ? [] : ["states"],
    of.nodes === undefined ? [] : ["the nodes that jobs ran on"],
    user === null ? [] : ["users' names"],
    project === null ? [] : ["projects' names (their numbers are the groups)"],
  ].flat();
  return left.length === 0 ? undefined : `left out: ${left.join(", ")}`;
}

function swfLine(workload: Workload): (row: number) => string {
  const { submitSeconds, runtimeSeconds, coresMilli, memoryMiB, tasks, estimateSeconds } = workload;
  const { recordedWaitSeconds, user, project, queue } = workload;
  return (row) => {
    const coresOfTask = Math.ceil(coresMilli[row]! / 1000);
    const processors = coresOfTask * (tasks === null ? 1 : tasks[row]!);
    // Rounded down: a reader that multiplies by the cores and rounds up to MiB gets the task's memory again.
    const memoryKB = memoryMiB === null ? unknown : Math.floor((memoryMiB[row]! * 1024) / coresOfTask);
    const job = jobNumberOf(workload, row);
    const wait = known(recordedWaitSeconds, row);
    const estimate = known(estimateSeconds, row);
    const userNumber = user === null ? unknown : user.codes[row]! + 1;
    const group = project === null ? unknown : project.codes[row]! + 1;
    const queueNumber = queue === null ? unknown : queue.codes[row]! + 1;
    return (
      // job, submit, wait, run time, processors, CPU time, used memory,
      `${job} ${submitSeconds[row]!} ${wait} ${runtimeSeconds[row]!} ${processors} -1 -1 ` +
      // and as requested: processors, time, memory; status, user, group, executable,
      `${processors} ${estimate} ${memoryKB} -1 ${userNumber} ${group} -1 ` +
      // queue, partition, preceding job, think time.
      `${queueNumber} -1 -1 -1`
    );
  };
}

function known(column: Float64Array | null, row: number): number {
  const value = column === null ? Number.NaN : column[row]!;
  return Number.isNaN(value) ? unknown : value;
}
