import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

import type { Client } from "../../live/client/client.ts";
import { FarmError } from "../../live/client/farm-error.ts";
import { LONGEST_TAG_VALUE } from "../../live/limits.ts";
import { formatCount } from "../../report/index.ts";
import { InputError } from "../../workload/errors.ts";
import { shellWord } from "../command-line.ts";
import { version } from "../package.ts";
import { say, StatusLine } from "../terminal.ts";
import type { FarmAsked } from "./flags.ts";
import { problemOf, textOf, type Problem } from "./problems.ts";
import { Plans, SENT, type Plan, type TaskPlan, type Unit } from "./plans.ts";
import { sendBytes, sendFiles, type FileHashes } from "./send-files.ts";
import { isOver, MOST_TASKS, SentArray, type Task } from "./sent-array.ts";

const LOOK_SECONDS = 0.5;
/** How long the farm is left alone, for the time that a look has taken: others ask it too. */
const LEAST_REST = 4;
/** Tasks that are on the farm at a time. */
const MOST_OPEN = 10 * MOST_TASKS;
/** A run that is killed each time is not killed by chance. */
const MOST_TRIES = 3;
/** More jobs than the farm takes of this user at present. */
const TOO_MANY: readonly number[] = [409, 429];

/** Where finished runs are kept. */
interface Kept {
  /** Keeps what a task has printed; false, and nothing kept, where it is no whole run. */
  take(hash: string, text: string): Promise<boolean>;
}

interface FarmRunOptions extends FarmAsked {
  /** Whose runs they are. The command that makes one of them is called so, with `-unit` behind. */
  readonly kind: "sweep" | "study";
  /** What that command finds the units in: plain data. */
  readonly work: unknown;
  /** By log: the whole paths of what its runs read, to be sent. Null: the tasks see these files. */
  readonly paths: Readonly<Record<string, readonly string[]>> | null;
  /** The folder of the results, as a whole path: the tasks read their plans there. */
  readonly out: string;
  /** Tasks at a time; absent: as many as the farm starts. */
  readonly most?: number;
  readonly quiet: boolean;
  /** Units that were there already. */
  readonly done: number;
  /** Between two looks at the tasks, at least. */
  readonly lookSeconds?: number;
}

/**
 * Makes the runs as tasks of arrays on a farm, and keeps each as soon as it has ended. What an earlier call has sent is
 * taken up.
 *
 * @throws FarmError where the farm takes no task, or is away for long
 */
export async function makeRunsOnFarm(
  units: readonly Unit[],
  kept: Kept,
  options: FarmRunOptions,
): Promise<void> {
  const files: Record<string, FileHashes> = {};
  for (const [log, paths] of Object.entries(options.paths ?? {}))
    files[log] = await sendFiles(options.farm, paths);
  const runs = new FarmRuns(units, kept, options, files);
  const interrupted = (): void => runs.tellWhatGoesOn();
  // Before the handler of all commands, which ends the process.
  process.prependListener("SIGINT", interrupted);
  try {
    await runs.takeUp();
    await runs.make();
  } finally {
    process.off("SIGINT", interrupted);
  }
}

interface Failure {
  readonly unit: Unit;
  readonly problem: Problem;
}

class FarmRuns {
  private readonly kept: Kept;
  private readonly options: FarmRunOptions;
  private readonly files: Readonly<Record<string, FileHashes>>;
  private readonly plans: Plans;
  private readonly units: ReadonlyMap<string, Unit>;
  /** Those of which no task was sent. */
  private readonly unsent: Map<string, Unit>;
  private readonly failures: Failure[] = [];
  private arrays: SentArray[] = [];
  private mostAtOnce = MOST_TASKS;
  private isSplitting = false;
  private hasRoom = true;
  /** How often a run was lost or killed, by its hash. */
  private readonly tries = new Map<string, number>();
  private done: number;

  /** @param files what was sent, by log */
  constructor(
    units: readonly Unit[],
    kept: Kept,
    options: FarmRunOptions,
    files: Readonly<Record<string, FileHashes>>,
  ) {
    this.files = files;
    this.kept = kept;
    this.options = options;
    this.plans = new Plans(options.out);
    this.units = new Map(units.map((unit) => [unit.hash, unit]));
    this.unsent = new Map(this.units);
    this.done = options.done;
  }

  /** Finds the arrays of earlier calls: what has ended there is kept, what goes on is waited for. */
  async takeUp(): Promise<void> {
    const { farm, server } = this.options;
    for (const key of this.plans.keys()) {
      const plan = await this.plans.read(key);
      if (plan.server !== server) {
        say(
          `${this.plans.pathOf(key)}: ${runsText(plan.units.length, "was", "were")} sent to ${plan.server}, and left there`,
        );
        continue;
      }
      const array = await SentArray.send(farm, key, plan);
      await array.cancelAllBut((hash) => this.unsent.has(hash));
      for (const task of await array.look()) {
        const hash = array.open.get(task.number)!;
        // What went wrong is tried again: that is what this call is for.
        if (isOver(task) && task.state !== "ended") array.open.delete(task.number);
        else this.unsent.delete(hash);
      }
      this.arrays.push(array);
    }
    const goOn = this.openCount;
    if (goOn > 0) say(`${runsText(goOn, "was", "were")} sent to the farm before, and taken up`);
  }

  async make(): Promise<void> {
    const { farm, lookSeconds = LOOK_SECONDS } = this.options;
    const line = new StatusLine(this.options.quiet);
    const total = this.options.done + this.units.size;
    try {
      for (;;) {
        const begun = secondsWith(farm);
        // 1. Send what the farm takes.
        await this.send();
        // 2. Keep what has ended.
        let running = 0;
        for (const array of this.arrays)
          for (const task of await array.look()) {
            if (isOver(task)) await this.settle(array, task);
            else if (task.state === "running") running++;
          }
        // 3. Leave what is over.
        for (const { key } of this.arrays.filter(({ open }) => open.size === 0)) this.plans.remove(key);
        this.arrays = this.arrays.filter(({ open }) => open.size > 0);
        if (this.arrays.length === 0 && this.unsent.size === 0) break;
        line.show(
          `${formatCount(this.done)} of ${formatCount(total)} runs done; on the farm ${formatCount(running)} go on and ${formatCount(this.openCount + this.unsent.size - running)} wait`,
        );
        await pause(Math.max(lookSeconds, LEAST_REST * (secondsWith(farm) - begun)) * 1000);
      }
    } finally {
      line.clear();
    }
    this.refuseFailures();
  }

  /** Says on Ctrl-C what becomes of the tasks. */
  tellWhatGoesOn(): void {
    const { out, kind } = this.options;
    if (this.openCount > 0)
      say(
        `croft: ${runsText(this.openCount, "goes", "go")} on at the farm, to be taken up by the same command; croft cancel --tag ${shellWord(`${kind}=${tagOf(out)}`)} ends them`,
      );
  }

  private get openCount(): number {
    return this.arrays.reduce((sum, { open }) => sum + open.size, 0);
  }

  /** Sends what has no task yet, in smaller parts where the farm refuses larger ones, as far as there is room. */
  private async send(): Promise<void> {
    while (this.unsent.size > 0 && this.hasRoom && this.openCount < MOST_OPEN) {
      const units = [...this.unsent.values()].slice(0, this.mostAtOnce);
      const key = randomUUID();
      const plan = await this.planOf(key, units);
      // Written first: a call that ends in between finds the array by it.
      await this.plans.write(key, plan);
      try {
        this.arrays.push(await SentArray.send(this.options.farm, key, plan));
        for (const { hash } of units) this.unsent.delete(hash);
      } catch (error) {
        // It was refused, and not lost on the way.
        const status = error instanceof FarmError ? error.status : 0;
        if (error instanceof InputError || (status >= 400 && status < 500)) this.plans.remove(key);
        if (!TOO_MANY.includes(status) || (units.length === 1 && this.openCount === 0)) throw error;
        if (!this.isSplitting)
          say(`croft: ${(error as Error).message}: the runs are sent in smaller parts, as there is room`);
        this.isSplitting = true;
        this.mostAtOnce = Math.ceil(units.length / 2);
        // There is again when one of the others is over.
        if (units.length === 1) this.hasRoom = false;
      }
    }
  }

  private async planOf(key: string, units: readonly Unit[]): Promise<Plan> {
    const { kind, work, out, farm, server, croft, asked, most, sends } = this.options;
    const ofTasks: TaskPlan = { version, work, units, ...(sends === null ? {} : { files: this.files }) };
    const place =
      sends === null
        ? this.plans.pathOf(key)
        : SENT + (await sendBytes(farm, Buffer.from(JSON.stringify(ofTasks))));
    return {
      ...ofTasks,
      server,
      request: {
        command: [...croft, `${kind}-unit`, place],
        directory: "/",
        name: kind,
        // A machine that goes away is no fault of the run.
        retries: 5,
        retryOn: ["lost"],
        tags: { [kind]: tagOf(out) },
        ...asked,
        environment: {
          PATH: process.env["PATH"] ?? "",
          // Times of a log may be local ones: those of here.
          TZ: Intl.DateTimeFormat().resolvedOptions().timeZone,
          ...sends,
        },
        array: { from: 0, to: units.length - 1, ...(most === undefined ? {} : { most }) },
      },
    };
  }

  /** Keeps the run of a task that is over, has it made again, or remembers why there is none. */
  private async settle(array: SentArray, task: Task): Promise<void> {
    const { farm } = this.options;
    const hash = array.open.get(task.number)!;
    const isKept =
      task.state === "ended" && (await this.kept.take(hash, await textOf(farm, task.number, "stdout")));
    const problem = isKept ? null : await problemOf(farm, task);
    array.open.delete(task.number);
    this.hasRoom = true;
    if (problem === null) {
      this.done++;
      return;
    }
    const unit = this.units.get(hash)!;
    const tries = (this.tries.get(hash) ?? 0) + 1;
    this.tries.set(hash, tries);
    if (problem.mayPass && tries < MOST_TRIES) this.unsent.set(hash, unit);
    else this.failures.push({ unit, problem });
  }

  /** @throws InputError where the runs themselves refused what they were given */
  private refuseFailures(): void {
    const [first] = this.failures;
    if (first === undefined) return;
    const count = this.failures.length;
    const others = count === 1 ? "" : `; so ended ${formatCount(count - 1)} more`;
    const text = `the run of ${first.unit.name} was not made: ${first.problem.text}${others}. The others are kept: the same command makes what is left`;
    throw this.failures.every(({ problem }) => problem.isBadInput) ? new InputError(text) : new Error(text);
  }
}

/** A clock that stands while the farm is away, and needs no rest. */
export function secondsWith({ awaySeconds }: Pick<Client, "awaySeconds">): number {
  return performance.now() / 1000 - awaySeconds;
}

function runsText(count: number, one: string, several: string): string {
  return count === 1 ? `1 run ${one}` : `${formatCount(count)} runs ${several}`;
}

/** By which `croft jobs` finds the tasks: the end of the folder's path. */
function tagOf(out: string): string {
  return out.slice(-LONGEST_TAG_VALUE);
}
