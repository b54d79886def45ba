import { InputError } from "../../workload/errors.ts";
import { version } from "../package.ts";
import { print } from "../terminal.ts";
import { FetchedFiles } from "./fetch-files.ts";
import { planIn, readPlan, SENT, type TaskPlan, type Unit } from "./plans.ts";
import { farmOfTask } from "./task-server.ts";

/** The argument of a command that makes one run. */
export const planHelp =
  "the plan that was written for the runs, or sha256: and the hash of the one that was sent";

/**
 * Makes one run of a plan and prints it. A farm starts this for each task; CROFT_JOB_INDEX says which run.
 *
 * @param make gives the run as it is kept; `root` is the folder under which files are at their whole paths, and empty
 *   where they are at these
 * @throws InputError where this is no task of the plan, or another Croft has made the plan
 */
export async function makeUnit(
  place: string,
  make: (work: unknown, unit: Unit, root: string) => Promise<string>,
): Promise<void> {
  if (!place.startsWith(SENT)) {
    const plan = await readPlan(place);
    return print(await make(plan.work, unitOf(plan), ""));
  }
  const files = new FetchedFiles(farmOfTask(process.env));
  try {
    const plan = planIn(await files.text(place.slice(SENT.length)), place);
    const unit = unitOf(plan);
    await print(await make(plan.work, unit, await files.atTheirPaths(plan.files?.[unit.log] ?? {})));
  } finally {
    files.remove();
  }
}

function unitOf(plan: TaskPlan): Unit {
  if (plan.version !== version)
    throw new InputError(
      `the runs are of croft ${plan.version}, and this machine's croft is ${version}: name the same one with --croft`,
    );
  const index = process.env["CROFT_JOB_INDEX"];
  const unit = plan.units[Number(index ?? NaN)];
  if (unit === undefined)
    throw new InputError(`CROFT_JOB_INDEX is ${index ?? "not set"}: the plan has ${plan.units.length} runs`);
  return unit;
}
