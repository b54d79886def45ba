import { existsSync, statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { deserialize, serialize } from "node:v8";

import { hashOf, hashOfJobs, hashOfPlace } from "../../../cli/fingerprint.ts";
import { KeptRuns } from "../../../cli/kept-runs.ts";
import { farmAsked, type FarmAsked, type OnFarmFlags } from "../../../cli/on-farm/flags.ts";
import { makeRunsOnFarm } from "../../../cli/on-farm/make-runs.ts";
import type { Unit } from "../../../cli/on-farm/plans.ts";
import { filesOfFarm } from "../../../cli/on-farm/send-files.ts";
import { version } from "../../../cli/package.ts";
import { ProgressLine } from "../../../cli/simulate/progress.ts";
import { say } from "../../../cli/terminal.ts";
import {
  checkPolicy,
  nameOfPolicy,
  type GivenSettings,
  type SimulationProgress,
} from "../../../simulation/index.ts";
import { InputError, type Workload } from "../../../workload/index.ts";
import { makeHere, type ListedStudy, type StudyRuns } from "../../study/index.ts";

/** What a study was asked for. It is plain data, of which a task lists the same runs. */
export interface StudyWork<Flags extends FileFlags = FileFlags> {
  readonly study: string;
  /** The log, or what generates one. */
  readonly log?: string;
  readonly flags: Flags;
}

/** Options that may name files. */
interface FileFlags {
  readonly machines?: string;
  readonly farm?: string;
}

interface FarmStudyFlags extends OnFarmFlags {
  readonly out?: string;
  readonly threads?: number;
  readonly quiet?: true;
}

/** A farm that makes a study's runs, and the folder that keeps them. */
export interface StudyFarm extends FarmAsked {
  readonly out: string;
  readonly most?: number;
  readonly quiet: boolean;
}

/**
 * The farm that is to make the runs (null: this machine makes them), and what to ask it for, with whole paths: tasks
 * see these from wherever they are.
 *
 * @throws InputError where an option needs a farm, and there is none, the farm a folder, or a run files to read again
 */
export function farmOfStudy<Flags extends FileFlags & FarmStudyFlags>(
  work: StudyWork<Flags>,
): { readonly farm: StudyFarm | null; readonly work: StudyWork<Flags> } {
  const asked = farmAsked(work.flags);
  if (asked === null) return { farm: null, work };
  const { out, threads, quiet = false } = work.flags;
  if (out === undefined)
    throw new InputError("--on keeps finished runs in the folder of --out, for a second call: give one");
  const farm = { ...asked, out, ...(threads === undefined ? {} : { most: threads }), quiet };
  return { farm, work: withPaths(work, wholePath) };
}

function wholePath(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (path === "-" || (found !== undefined && !found.isFile() && !found.isDirectory()))
    throw new InputError(`${path} can be read once only, and each run reads it: give a file`);
  return found === undefined ? path : resolve(path);
}

/** @param root the folder under which files are at their whole paths */
export function under<Flags extends FileFlags>(root: string, work: StudyWork<Flags>): StudyWork<Flags> {
  return withPaths(work, (path) => (isAbsolute(path) ? root + path : path));
}

function withPaths<Flags extends FileFlags>(
  { study, log, flags }: StudyWork<Flags>,
  whole: (path: string) => string,
): StudyWork<Flags> {
  const { machines, farm } = flags;
  return {
    study,
    ...(log === undefined ? {} : { log: whole(log) }),
    flags: {
      ...flags,
      ...(machines === undefined ? {} : { machines: whole(machines) }),
      ...(farm === undefined ? {} : { farm: whole(farm) }),
    },
  };
}

/**
 * Makes the runs of a study, here or on a farm.
 *
 * @returns list by list, in the order of the settings
 */
export async function makeStudy<Runs extends StudyRuns, Run>(
  study: ListedStudy<Runs, Run>,
  work: StudyWork<FileFlags & FarmStudyFlags>,
  farm: StudyFarm | null,
): Promise<(readonly Run[])[]> {
  if (farm !== null) return makeStudyOnFarm(study, work, farm);
  const { threads, quiet = false } = work.flags;
  const progress = new ProgressLine(quiet);
  const options = {
    ...(threads === undefined ? {} : { threads }),
    onProgress: (now: SimulationProgress) => progress.show(now),
  };
  return makeHere(study, options).finally(() => progress.clear());
}

/**
 * Makes the runs of a study on a farm, without those that its folder has already.
 *
 * @param work with whole paths
 * @returns list by list, in the order of the settings
 * @throws InputError before anything is sent where settings do not go together, or a file cannot be sent
 */
async function makeStudyOnFarm<Runs extends StudyRuns, Run>(
  { lists }: ListedStudy<Runs, Run>,
  work: StudyWork,
  { out, ...farm }: StudyFarm,
): Promise<Run[][]> {
  const kept = new KeptRuns(out, (text, hash) => runIn(text, hash) as Run | null);
  const units: Unit[][] = [];
  for (const list of lists) {
    const jobs = list.jobs();
    for (const each of list.settings) checkPolicy(jobs, list.on, each);
    units.push(unitsOf(work, list, jobs));
  }
  const all = new Map(units.flat().map((unit) => [unit.hash, unit]));
  const missing = [...all.values()].filter(({ hash }) => kept.read(hash) === null);
  const done = all.size - missing.length;
  if (done > 0) say(`${out}: ${done} of ${all.size} runs were made before`);
  const paths = farm.sends === null ? null : { [LOG]: await filesOf(work) };
  await makeRunsOnFarm(missing, kept, { ...farm, kind: "study", work, paths, out: resolve(out), done });
  return units.map((ofList) =>
    ofList.map(({ hash }) => {
      const run = kept.read(hash);
      if (run === null) throw new Error(`the run ${hash} was made and is gone: was its file removed?`);
      return run;
    }),
  );
}

/**
 * Makes one run of a study here.
 *
 * @returns the run as it is kept
 * @throws InputError where the study has no such run
 */
export async function makeStudyUnit<Runs extends StudyRuns, Run>(
  { lists, make }: ListedStudy<Runs, Run>,
  work: StudyWork,
  { hash }: Unit,
): Promise<string> {
  for (const list of lists) {
    const at = unitsOf(work, list).findIndex((unit) => unit.hash === hash);
    if (at === -1) continue;
    const settings = [list.settings[at]!];
    const [run] = await make({ ...list, settings }, { threads: 1 });
    return textOf(hash, settings[0]!, run);
  }
  throw new InputError(
    "the log, or what it runs on, is not what it was when the study was sent: call croft study again",
  );
}

/** Under which the files of a study are sent. */
const LOG = "study";

/** The runs of a list, in the order of its settings. */
export function unitsOf({ study }: StudyWork, list: StudyRuns, jobs?: Workload): Unit[] {
  const ofJobs = list.generated ?? hashOfJobs(jobs ?? list.jobs());
  const ofList = [version, study, ofJobs, hashOfPlace(list.on)];
  return list.settings.map((settings) => ({
    hash: hashOf([...ofList, settings]),
    log: LOG,
    name: nameOf(settings),
  }));
}

/** What is tried in the run: strategies in the runs of a farm, and packing policies where all runs have one heuristic. */
function nameOf({ packing, strategy, policy }: GivenSettings): string {
  return packing?.policy ?? strategy ?? nameOfPolicy(policy!);
}

/** The whole paths of what each run reads. */
async function filesOf({ log, flags: { machines, farm } }: StudyWork): Promise<string[]> {
  const files = [log, machines].filter((path) => path !== undefined).filter((path) => existsSync(path));
  if (farm === undefined) return files;
  const ofFarm = await filesOfFarm(farm, (problem) => {
    throw new InputError(problem, { file: farm });
  });
  return [...files, ...ofFarm];
}

/** A run's file. The run is written as threads hand it over, with what JSON has not: NaN, infinity, arrays of bytes. */
function textOf(hash: string, settings: GivenSettings, run: unknown): string {
  return `${JSON.stringify({ unit: hash, version, settings, run: serialize(run).toString("base64") }, null, 1)}\n`;
}

/** The run of a file's text; null where this is no whole run of that hash. */
export function runIn(text: string, hash: string): unknown {
  try {
    const { unit, run } = JSON.parse(text) as { readonly unit?: unknown; readonly run: string };
    return unit === hash ? deserialize(Buffer.from(run, "base64")) : null;
  } catch {
    return null;
  }
}
