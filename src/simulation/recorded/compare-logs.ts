import { InputError, type CodedColumn, type Workload } from "../../workload/index.ts";
import { JobCount, type JobFigures } from "../figures/job-figures.ts";
import { coreClasses, coreClassOf, runtimeClasses, runtimeClassOf } from "../figures/waits-by-part.ts";
import { BATCHES, FEWEST_DAYS, noIntervalBecause, waitChange, type WaitChange } from "./two-logs.ts";

const DAY_SECONDS = 86_400;
/** The names that are compared of each kind: one of twenty intervals is off by chance, and of more of them more are. */
const NAMED = 20;

/** What a log records, and how much work it is. */
export interface LogSide extends Pick<
  JobFigures,
  | "jobs"
  | "waitMeanSeconds"
  | "waitMedianSeconds"
  | "waitP95Seconds"
  | "waitMaxSeconds"
  | "boundedSlowdownMean"
> {
  readonly name: string;
  /** Jobs whose wait the log does not tell: they are in no figure here. */
  readonly jobsWithoutWait: number;
  /** From the first submission to the last. */
  readonly spanSeconds: number;
  readonly jobsPerDay: number;
  /** Cores × run time of the jobs submitted. */
  readonly coreHoursPerDay: number;
}

export interface PartChange extends WaitChange {
  readonly name: string;
}

/** The waits in two logs of a farm, such as those before and after a change of its settings. */
export interface LogComparison {
  readonly before: LogSide;
  readonly after: LogSide;
  readonly all: WaitChange;
  /** Of names the 20 with the most jobs; absent where neither log tells them. */
  readonly queues?: readonly PartChange[];
  readonly users?: readonly PartChange[];
  readonly projects?: readonly PartChange[];
  readonly cores: readonly PartChange[];
  readonly runtimes: readonly PartChange[];
  /** Why no mean wait is given an interval; null: they are. */
  readonly noIntervalBecause: string | null;
}

/** @throws {InputError} for a log that tells no waits */
export function compareLogs(before: Workload, after: Workload): LogComparison {
  const [one, other] = [new LogParts(before), new LogParts(after)];
  const shorter = Math.min(one.spanSeconds, other.spanSeconds);
  const isLongEnough = shorter >= FEWEST_DAYS * DAY_SECONDS;
  const batchSeconds = shorter / BATCHES;
  const change = (a: Batches | undefined, b: Batches | undefined): WaitChange =>
    waitChange(a ?? nothing, b ?? nothing, isLongEnough, batchSeconds);
  const changes = (kind: PartKind): PartChange[] => {
    const [a, b] = [one.parts(kind), other.parts(kind)];
    return [...new Set([...a.keys(), ...b.keys()])].map((name) => ({
      name,
      ...change(a.get(name), b.get(name)),
    }));
  };
  const named = (kind: "queues" | "users" | "projects"): Partial<LogComparison> => {
    const all = changes(kind);
    const jobs = ({ jobsBefore, jobsAfter }: PartChange): number => jobsBefore + jobsAfter;
    const most = all.sort((a, b) => jobs(b) - jobs(a) || (a.name < b.name ? -1 : 1));
    return all.length === 0 ? {} : { [kind]: most.slice(0, NAMED) };
  };
  const ordered = (kind: "cores" | "runtimes", names: readonly string[]): PartChange[] =>
    changes(kind).sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
  const longest = Math.max(one.side.waitMeanSeconds, other.side.waitMeanSeconds);
  return {
    before: one.side,
    after: other.side,
    all: change(one.all, other.all),
    ...named("queues"),
    ...named("users"),
    ...named("projects"),
    cores: ordered("cores", coreClasses),
    runtimes: ordered("runtimes", runtimeClasses),
    noIntervalBecause: noIntervalBecause(longest, isLongEnough, batchSeconds),
  };
}

type PartKind = "queues" | "users" | "projects" | "cores" | "runtimes";

/** Waits in batches of equal time. */
class Batches {
  readonly jobs = Array<number>(BATCHES).fill(0);
  readonly waitSumSeconds = Array<number>(BATCHES).fill(0);
}

const nothing = new Batches();

/** The jobs of a log by their parts. */
class LogParts {
  readonly side: LogSide;
  readonly spanSeconds: number;
  readonly all = new Batches();
  private readonly byKind = new Map<PartKind, Map<string, Batches>>();

  constructor(workload: Workload) {
    const { name, count, submitSeconds, runtimeSeconds, coresMilli, tasks, recordedWaitSeconds } = workload;
    if (recordedWaitSeconds === null || count === 0)
      throw new InputError(
        count === 0
          ? `workload ${name} has no jobs`
          : `workload ${name} does not tell when its jobs started: there are no waits to compare`,
      );
    const first = submitSeconds[0];
    this.spanSeconds = submitSeconds[count - 1] - first;
    const counted = new JobCount(count, first, 1);
    let coreSeconds = 0;
    for (let row = 0; row < count; row++) {
      coreSeconds += ((tasks === null ? 1 : tasks[row]) * coresMilli[row] * runtimeSeconds[row]) / 1000;
      const wait = recordedWaitSeconds[row];
      if (Number.isNaN(wait)) continue;
      const submit = submitSeconds[row];
      counted.add(submit, wait, wait + runtimeSeconds[row], runtimeSeconds[row]);
      const part = this.spanSeconds === 0 ? 0 : (submit - first) / this.spanSeconds;
      this.add(workload, row, Math.min(BATCHES - 1, Math.floor(part * BATCHES)), wait);
    }
    const { jobs, started: _started, rejected: _rejected, ...figures } = counted.figures();
    if (jobs === 0)
      throw new InputError(`workload ${name} tells of no job when it started: there are no waits to compare`);
    const days = this.spanSeconds / DAY_SECONDS;
    const { waitMeanSeconds, waitMedianSeconds, waitP95Seconds, waitMaxSeconds, boundedSlowdownMean } =
      figures;
    this.side = {
      name,
      jobs,
      jobsWithoutWait: count - jobs,
      spanSeconds: this.spanSeconds,
      jobsPerDay: days === 0 ? 0 : count / days,
      coreHoursPerDay: days === 0 ? 0 : coreSeconds / 3600 / days,
      waitMeanSeconds,
      waitMedianSeconds,
      waitP95Seconds,
      waitMaxSeconds,
      boundedSlowdownMean,
    };
  }

  parts(kind: PartKind): ReadonlyMap<string, Batches> {
    return this.byKind.get(kind) ?? new Map<string, Batches>();
  }

  private add(workload: Workload, row: number, batch: number, wait: number): void {
    const { queue, user, project } = workload;
    count(this.all, batch, wait);
    const named = (kind: PartKind, column: CodedColumn | null): void => {
      const name = column?.names[column.codes[row]];
      if (name !== undefined && name !== "") count(this.part(kind, name), batch, wait);
    };
    named("queues", queue);
    named("users", user);
    named("projects", project);
    count(this.part("cores", coreClasses[coreClassOf(workload, row)]), batch, wait);
    count(this.part("runtimes", runtimeClasses[runtimeClassOf(workload, row)]), batch, wait);
  }

  private part(kind: PartKind, name: string): Batches {
    let parts = this.byKind.get(kind);
    if (parts === undefined) this.byKind.set(kind, (parts = new Map()));
    let batches = parts.get(name);
    if (batches === undefined) parts.set(name, (batches = new Batches()));
    return batches;
  }
}

function count({ jobs, waitSumSeconds }: Batches, batch: number, wait: number): void {
  jobs[batch]++;
  waitSumSeconds[batch] += wait;
}
