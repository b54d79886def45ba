/** What a column can contain. */
export type CsvField = keyof typeof FIELDS;

/** How the values of a column are written. */
type Kind = "time" | "duration" | "memory" | "number" | "name";

interface Shape {
  readonly kind: Kind;
  /** Its usual names, in lower case and without separators between words. */
  readonly known: readonly string[];
}

function shape(kind: Kind, known: string): Shape {
  return { kind, known: known.split(/\s+/) };
}

/** Every field, by its name in the documentation. */
export const FIELDS = {
  job: shape("name", "jobid id jobnumber jobno jobnum number jobidentifier"),
  array_index: shape("number", "arrayindex arraytaskid arrayid taskid index"),
  submit: shape(
    "time",
    `submitted submittime submission submissiontime submitdate submissiondate submittedat submitat timesubmit
    timesubmitted submittedtime qtime queued queuedat queuedtime enqueued enqueuedat enqueuetime ctime created
    createdat creationtime createtime creationtimestamp arrival arrivaltime arrived arrivedat`,
  ),
  start: shape(
    "time",
    `started starttime startedat startat startdate timestart timestarted begin began begintime dispatched
    dispatchtime dispatchedat launchtime launchedat`,
  ),
  end: shape(
    "time",
    `ended endtime endedat endat enddate timeend timeended finish finished finishtime finishedat completed
    completedat completiontime completiondate completion stop stopped stoptime stoppedat`,
  ),
  runtime: shape(
    "duration",
    `run runningtime duration elapsed elapsedtime wallclock wallclocktime usedwalltime walltimeused
    resourcesusedwalltime ruwallclock executiontime exectime elapsedraw`,
  ),
  wait: shape(
    "duration",
    "waittime waiting waitingtime waited queuewait queuewaittime pendtime pendingtime timeinqueue",
  ),
  estimate: shape(
    "duration",
    `timelimit limit walllimit walltimelimit requestedtime reqtime timerequested requestedwalltime reqwalltime
    walltimerequested estimatedruntime requestedruntime runtimeestimate runlimit maxruntime maxtime hrt walltimereq timereq`,
  ),
  cores: shape(
    "number",
    `core cpus cpu ncpus ncpu ncores numcores numcpus corecount cpucount processors processor procs nprocs numprocs
    numprocessors slots nslots numslots allocatedcores allocatedcpus alloccpus requestedcores requestedcpus reqcpus
    reqcores requestedprocessors allocatedprocessors totalcores totalcpus vcpus`,
  ),
  memory: shape(
    "memory",
    `mem ram reqmem requestedmemory requestedmem memoryrequested memrequested memreq allocatedmemory allocmem
    maxmem memorylimit memlimit`,
  ),
  gpu: shape(
    "number",
    "gpus ngpus ngpu numgpus numgpu gpucount requestedgpus reqgpus allocatedgpus allocgpus",
  ),
  tasks: shape("number", "ntasks numtasks taskcount"),
  nodes: shape(
    "number",
    "nnodes numnodes nodecount reqnodes allocnodes allocatednodes requestednodes numhosts nhosts",
  ),
  project: shape("name", "account accountname projectname acct"),
  user: shape("name", "username owner uid userid login useraccount"),
  group: shape("name", "groupname unixgroup gid"),
  queue: shape("name", "partition queuename partitionname qname"),
  state: shape("name", "status jobstate jobstatus exitstate"),
  node_list: shape(
    "name",
    "nodelist node host hostname hosts exechost exechosts machine nodename hostlist nodenames",
  ),
  priority: shape("number", "prio"),
  policy: shape("name", ""),
  requires: shape("name", ""),
  pools: shape("name", ""),
  restart_pools: shape("name", ""),
  site: shape("name", ""),
  ran_under: shape("name", ""),
  licences: shape("name", "licenses licence license"),
} as const;

/** Names that may mean how long the job ran, or how long it was allowed to run. */
export const WALL_TIME = "walltime";

/** Seconds of a unit of time that a column's name may end in. */
const SECONDS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  ms: 1e-3,
  msec: 1e-3,
  millis: 1e-3,
  milliseconds: 1e-3,
  s: 1,
  sec: 1,
  secs: 1,
  seconds: 1,
  min: 60,
  mins: 60,
  minutes: 60,
  h: 3600,
  hr: 3600,
  hrs: 3600,
  hour: 3600,
  hours: 3600,
  d: 86_400,
  days: 86_400,
};

const MEBIBYTES: Readonly<Record<string, number>> = {
  b: 1 / 1024 ** 2,
  bytes: 1 / 1024 ** 2,
  k: 1 / 1024,
  kb: 1 / 1024,
  kib: 1 / 1024,
  m: 1,
  mb: 1,
  mib: 1,
  g: 1024,
  gb: 1024,
  gib: 1024,
  t: 1024 ** 2,
  tb: 1024 ** 2,
  tib: 1024 ** 2,
};

/** What may follow the name of a time without changing its meaning. */
const OF_TIMES: ReadonlySet<string> = new Set([
  "ts",
  "epoch",
  "unix",
  "utc",
  "timestamp",
  "datetime",
  "date",
  "time",
  "at",
]);

/** One of this unit in seconds or MiB; undefined if there is no such unit. */
export function unitFactor(field: CsvField, unit: string): number | undefined {
  const { kind } = FIELDS[field];
  const name = unit.toLowerCase();
  const factors = kind === "time" || kind === "duration" ? SECONDS : kind === "memory" ? MEBIBYTES : {};
  return Object.hasOwn(factors, name) ? factors[name] : undefined;
}

/** What the name of a column means. */
export interface Recognised {
  readonly field: CsvField | typeof WALL_TIME;
  /** 0: the field's own name. The higher, the less likely the field is meant. */
  readonly rank: number;
  /** The unit that the name ends in; empty: none. */
  readonly unit: string;
}

/** The meaning of a column with this name; null if the name is not known. */
export function recognise(name: string): Recognised | null {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  const whole = byName(words.join(""));
  if (whole !== null) return { ...whole, unit: "" };
  const last = words.at(-1) ?? "";
  const rest = byName(words.slice(0, -1).join(""));
  if (rest === null) return null;
  const field = rest.field === WALL_TIME ? "runtime" : rest.field;
  if (unitFactor(field, last) !== undefined) return { ...rest, unit: last };
  return FIELDS[field].kind === "time" && OF_TIMES.has(last) ? { ...rest, unit: "" } : null;
}

function byName(joined: string): { field: CsvField | typeof WALL_TIME; rank: number } | null {
  if (joined === WALL_TIME) return { field: WALL_TIME, rank: 0 };
  for (const [field, { known }] of Object.entries(FIELDS)) {
    if (joined === field.replace("_", "")) return { field: field as CsvField, rank: 0 };
    const at = joined === "" ? -1 : known.indexOf(joined);
    if (at !== -1) return { field: field as CsvField, rank: at + 1 };
  }
  return null;
}
