import type { ByteSource } from "../../input/bytes.ts";
import { parseMemory } from "../../input/memory-amounts.ts";
import { decodeText, isText } from "../../input/text.ts";
import type { Names } from "../../names.ts";
import { OncePerText } from "../../once-per-text.ts";
import type { Workload } from "../../workload.ts";
import type { ReadOptions, WorkloadFormat } from "../format.ts";
import { EMPTY_NAME, UNKNOWN } from "../job-row.ts";
import { RecordedJobs } from "../recorded-jobs.ts";
import { tasksOfNodes, tasksOfSelect } from "./chunks.ts";
import type { Tasks } from "./chunks.ts";
import { ExecHosts } from "./hosts.ts";
import { OutstandingJobs } from "./outstanding.ts";
import { PbsRecord } from "./record.ts";
import type { PbsKey } from "./record.ts";
import { parseWalltime } from "./walltime.ts";

const LETTER = { A: 65, D: 68, E: 69, Q: 81, R: 82, S: 83 } as const;
/** PBS counts bytes if an amount has no unit. */
const MEBIBYTES_PER_BYTE = 1 / 1024 ** 2;

export const pbs: WorkloadFormat = {
  name: "pbs",
  summary: "accounting files of OpenPBS, PBS Pro and Torque",
  uses: ["jobShape", "timeZone"],
  matches: (_fileName, firstBytes) =>
    /^([^\s:;]*:|\s*)\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d(\.\d+)?;[A-Za-z];[^;\n]*;/m.test(
      decodeText(firstBytes, 0, firstBytes.length),
    ),
  read,
};

/**
 * A record `E` is a job that ended. `R` is a run after which the job went back to the queue; it counts as a job of its
 * own, and the next run waits from then on. `Q`, `S`, `D` and `A` only tell of jobs that never ran.
 */
async function read(source: ByteSource, options: ReadOptions = {}): Promise<Workload> {
  const jobs = new RecordedJobs(source, options);
  const { builder, instants } = jobs;
  const { notes } = builder;
  const record = new PbsRecord();
  const outstanding = new OutstandingJobs();
  const addJob = jobAdder(jobs, record);

  await jobs.readLines({
    read: (bytes, start, end, line) => {
      if (!record.read(bytes, start, end)) {
        builder.bad("a line that is no record: date;type;id;message", line);
        return;
      }
      const { type, jobNumber: number, arrayIndex: index } = record;
      const isEnd = type === LETTER.E || type === LETTER.R;
      if (!isEnd && type !== LETTER.Q && type !== LETTER.S && type !== LETTER.D && type !== LETTER.A) {
        notes.add("left out: records that are not of a job's way through the queue", line);
      } else if (record.isWholeArray) {
        notes.add("left out: records of arrays as a whole", line);
      } else if (Number.isNaN(number)) {
        builder.bad("no job number", line);
      } else if (type === LETTER.Q) {
        outstanding.queued(number, index, line);
      } else if (type === LETTER.S) {
        outstanding.started(number, index, line);
      } else if (!isEnd) {
        outstanding.deleted(number, index, line);
      } else {
        record.readMessage();
        const since = outstanding.ended(number, index);
        const endSeconds = record.has("end") ? record.number("end") : Number.NaN;
        if (type === LETTER.E) {
          addJob(since, endSeconds, line);
        } else {
          const requeuedSeconds = endSeconds >= 0 ? endSeconds : instants.onWall(record.wallSeconds());
          if (record.has("start")) addJob(since, requeuedSeconds, line);
          else notes.add("dropped: a run that ended in the queue again, of which only that is told", line);
          outstanding.requeued(number, index, line, requeuedSeconds);
        }
      }
    },
  });
  outstanding.noteAll(notes);
  return jobs.finish();
}

/** How a record of a run becomes a job. It is submitted when it was created or was last put back in the queue. */
function jobAdder(
  jobs: RecordedJobs,
  record: PbsRecord,
): (requeuedSeconds: number, endSeconds: number, line: number) => void {
  const { builder } = jobs;
  const { row, notes, columns } = builder;
  const hosts = new ExecHosts();
  const bySelect = new OncePerText(tasksOfSelect);
  const byNodes = new OncePerText(tasksOfNodes);
  const states = new Map<number, number>();
  const code = (key: PbsKey, names: Names, missing: number): number =>
    record.has(key) ? names.codeOfBytes(record.bytes, record.startOf(key), record.endOf(key)) : missing;

  return (requeuedSeconds, endSeconds, line) => {
    const { bytes } = record;
    if (record.isMixed) {
      builder.bad("two records in one line", line);
      return;
    }
    const startSeconds = record.number("start");
    if (Number.isNaN(startSeconds) || Number.isNaN(endSeconds)) {
      builder.bad("a record of an end that lacks the start or the end", line);
      return;
    }
    const createdSeconds = record.has("ctime") ? record.number("ctime") : record.number("qtime");
    const submitSeconds = Math.max(createdSeconds, requeuedSeconds);
    // A job that was deleted while it waited may have a start of 0.
    if (!jobs.setTimes(submitSeconds, startSeconds > 0 ? startSeconds : Number.NaN, endSeconds, line)) return;
    jobs.noteEligible(submitSeconds, record.number("etime"), line);

    if (record.has("exec_host")) hosts.read(bytes, record.startOf("exec_host"), record.endOf("exec_host"));
    else hosts.read(bytes, 0, 0);
    if (!setTasks(line)) {
      builder.bad("no CPUs", line);
      return;
    }
    const limitSeconds = record.has("Resource_List.walltime")
      ? parseWalltime(bytes, record.startOf("Resource_List.walltime"), record.endOf("Resource_List.walltime"))
      : Number.NaN;
    row.estimateSeconds = limitSeconds > 0 ? limitSeconds : UNKNOWN;
    row.jobNumber = record.jobNumber;
    row.arrayIndex = record.arrayIndex;
    row.user = code("user", columns.users, UNKNOWN);
    row.group = code("group", columns.groups, EMPTY_NAME);
    row.queue = code("queue", columns.queues, UNKNOWN);
    row.project = code("account", columns.projects, UNKNOWN);
    if (row.project === UNKNOWN && !isDefaultProject())
      row.project = code("project", columns.projects, UNKNOWN);
    row.nodes = hosts.code(columns.nodeLists);
    row.state = stateCode();
    jobs.add(line);
  };

  /** @returns false if the number of the job's cores is unknown */
  function setTasks(line: number): boolean {
    const cpus = record.number("Resource_List.ncpus");
    const processes = record.number("Resource_List.procs");
    // Torque sets `nodes=1` if only `ncpus` was asked for.
    const nodes = tasksOf(byNodes, "Resource_List.nodes") ?? tasksOf(byNodes, "Resource_List.neednodes");
    const isBare = nodes !== null && nodes.count * nodes.cores < cpus;
    const chunks = tasksOf(bySelect, "Resource_List.select") ?? (isBare ? null : nodes);
    if (chunks !== null) {
      if (chunks.isMixed) notes.add("kept as tasks that divide all its chunks: they are not alike", line);
      setAlike(chunks);
    } else if (cpus >= 1) {
      // If nothing says how the CPUs are divided, the hosts show it.
      const machines = hosts.count <= 1 ? 1 : hosts.isEven ? hosts.count : cpus;
      jobs.setShape(machines, cpus, memory("Resource_List.mem"), jobGpus(), line);
    } else if (processes >= 1) {
      setAlike({ count: processes, cores: 1, memoryMiB: UNKNOWN, gpus: 0, isMixed: false });
    } else if (hosts.cores >= 1) {
      jobs.setShape(
        hosts.isEven ? hosts.count : hosts.cores,
        hosts.cores,
        memory("Resource_List.mem"),
        jobGpus(),
        line,
      );
    } else {
      return false;
    }
    return true;
  }

  /** Null if the record does not have the key, or it names no core. */
  function tasksOf(made: OncePerText<Tasks | null>, key: PbsKey): Tasks | null {
    return record.has(key) ? made.of(record.bytes, record.startOf(key), record.endOf(key)) : null;
  }

  function setAlike({ count, cores, memoryMiB, gpus }: Tasks): void {
    let mebibytes = memoryMiB;
    if (mebibytes === UNKNOWN) {
      const [ofJob, ofProcess] = [memory("Resource_List.mem"), memory("Resource_List.pmem")];
      if (ofJob !== UNKNOWN) mebibytes = ofJob / count;
      else if (ofProcess !== UNKNOWN) mebibytes = ofProcess * cores;
    }
    jobs.setTasks(count, cores, mebibytes, gpus > 0 ? gpus : jobGpus() / count);
  }

  function memory(key: "Resource_List.mem" | "Resource_List.pmem"): number {
    if (!record.has(key)) return UNKNOWN;
    const mebibytes = parseMemory(record.bytes, record.startOf(key), record.endOf(key), MEBIBYTES_PER_BYTE);
    return mebibytes > 0 ? mebibytes : UNKNOWN;
  }

  function jobGpus(): number {
    const count = record.number("Resource_List.ngpus");
    return count >= 0 ? count : 0;
  }

  function isDefaultProject(): boolean {
    return isText(record.bytes, record.startOf("project"), record.endOf("project"), "_pbs_project_default");
  }

  /** `exit 0`: PBS does not record more of how a job ended. */
  function stateCode(): number {
    const status = record.number("Exit_status");
    if (Number.isNaN(status)) return EMPTY_NAME;
    let code = states.get(status);
    if (code === undefined) states.set(status, (code = columns.states.codeOf(`exit ${status}`)));
    return code;
  }
}
