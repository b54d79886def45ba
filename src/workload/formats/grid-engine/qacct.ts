import type { ByteSource } from "../../input/bytes.ts";
import { daysSince1970, isDay } from "../../input/instants.ts";
import type { InstantReader } from "../../input/instants.ts";
import { decodeText } from "../../input/text.ts";
import type { Names } from "../../names.ts";
import type { Workload } from "../../workload.ts";
import type { ReadOptions, WorkloadFormat } from "../format.ts";
import { EMPTY_NAME, UNKNOWN } from "../job-row.ts";
import { RecordedJobs } from "../recorded-jobs.ts";
import { requestsOf } from "./category.ts";
import { GridEngineJobs } from "./job.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const EQUALS = 61;
/** More lines than a job has. Further lines, as in a damaged log, are dropped. */
const MAX_KEYS = 500;

export const qacct: WorkloadFormat = {
  name: "qacct",
  summary: "Grid Engine's qacct -j",
  uses: ["jobShape", "memoryScope", "timeZone"],
  matches: (_fileName, firstBytes) =>
    /^\s*qname\s+\S[^\n]*\n\s*hostname\s+\S/m.test(decodeText(firstBytes, 0, firstBytes.length)),
  read,
};

/** Blocks of lines below a line of equals signs, each line a key and a value. */
async function read(source: ByteSource, options: ReadOptions = {}): Promise<Workload> {
  const jobs = new RecordedJobs(source, options);
  const gridEngineJobs = new GridEngineJobs(jobs, options);
  const block = new Map<string, string>();
  let blockLine = 0;
  const endBlock = (): void => {
    if (block.size > 0) addJob(jobs, gridEngineJobs, block, blockLine);
    block.clear();
  };

  await jobs.readLines({
    read: (bytes, start, end, line) => {
      if (bytes[start] === EQUALS) {
        endBlock();
        return;
      }
      const [, key, value] = /^\s*(\S+)\s*(.*?)\s*$/.exec(decodeText(bytes, start, end)) ?? [];
      // A block without a line of equals signs above it.
      if (key === "qname" && block.has("qname")) endBlock();
      if (block.size === 0) blockLine = line;
      if (block.size < MAX_KEYS && key !== undefined) block.set(key, value!);
    },
  });
  endBlock();
  return jobs.finish();
}

function addJob(
  jobs: RecordedJobs,
  gridEngineJobs: GridEngineJobs,
  block: ReadonlyMap<string, string>,
  line: number,
): void {
  const { builder, instants } = jobs;
  const { row, columns } = builder;
  const text = (key: string): string => {
    const value = block.get(key) ?? "";
    return value === "NONE" || value === "undefined" ? "" : value;
  };
  // `15  : in epilog` is 15.
  const number = (key: string): number => Number.parseInt(text(key), 10);
  if (!block.has("jobnumber") && !block.has("qname")) {
    // The totals below the jobs, and anything that a shell has written above them.
    builder.notes.add("left out: lines that are of no job", line);
    return;
  }
  const submitSeconds = seconds(text("qsub_time"), instants);
  const startSeconds = seconds(text("start_time"), instants, submitSeconds);
  const endSeconds = seconds(text("end_time"), instants, startSeconds);
  const times = { qsub_time: submitSeconds, start_time: startSeconds, end_time: endSeconds };
  const [badTime] = Object.entries(times).find(([, each]) => Number.isNaN(each)) ?? [];
  if (badTime !== undefined) {
    const what = "a time that is none: qacct writes them in English";
    builder.bad(what, line, `${what}: "${text(badTime)}"`, text(badTime));
    return;
  }
  const index = number("taskid");
  const host = codeOf(columns.nodeLists, text("hostname"), EMPTY_NAME);
  if (text("pe_taskid") !== "") {
    gridEngineJobs.addTask(number("jobnumber"), index > 0 ? index : UNKNOWN, host, line);
    return;
  }
  const account = text("account") === "sge" ? "" : text("account");
  row.queue = codeOf(columns.queues, text("qname"), UNKNOWN);
  row.user = codeOf(columns.users, text("owner"), UNKNOWN);
  row.group = codeOf(columns.groups, text("group"), EMPTY_NAME);
  row.project = codeOf(columns.projects, text("project") || account, UNKNOWN);
  gridEngineJobs.add(
    {
      number: number("jobnumber"),
      index: index > 0 ? index : UNKNOWN,
      submitSeconds,
      startSeconds,
      endSeconds,
      slots: number("slots"),
      environment: text("granted_pe"),
      host,
      failed: number("failed"),
      exitStatus: number("exit_status"),
      requests: requestsOf(text("category")),
    },
    line,
  );
}

/**
 * `Fri Sep 18 17:02:32 2020` or `06/11/2020 13:22:28.652`; 0 for a time that has not come, which is `-/-` or the clock's
 * zero, in 1970 or 1969 by the zone; NaN for anything else.
 */
function seconds(text: string, instants: InstantReader, notBefore?: number): number {
  if (text === "" || text.startsWith("-/-")) return 0;
  const [, month, day, clock, year] =
    /^\S+ +(\S+) +(\d+) +(\d\d:\d\d:\d\d(?:\.\d+)?) +(\d{4})$/.exec(text) ?? [];
  if (month !== undefined) return wall(Number(year), MONTHS.indexOf(month) + 1, Number(day), clock!);
  const [, m, d, y, time] = /^(\d\d)\/(\d\d)\/(\d{4}) (\d\d:\d\d:\d\d(?:\.\d+)?)$/.exec(text) ?? [];
  return time === undefined ? Number.NaN : wall(Number(y), Number(m), Number(d), time);

  function wall(year: number, month: number, day: number, clock: string): number {
    if (!isDay(year, month, day)) return Number.NaN;
    if (year <= 1970) return 0;
    const [hours, minutes, rest] = clock.split(":").map(Number);
    const ofDay = hours! * 3600 + minutes! * 60 + rest!;
    return instants.onWall(daysSince1970(year, month, day) * 86_400 + ofDay, notBefore);
  }
}

function codeOf(names: Names, name: string, missing: number): number {
  return name === "" ? missing : names.codeOf(name);
}
