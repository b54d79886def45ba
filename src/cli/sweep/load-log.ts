import { existsSync } from "node:fs";

import { farmChecks } from "../../simulation/index.ts";
import {
  generators,
  InputError,
  readFarm,
  rowsOf,
  timeOnLog,
  workloadFrom,
  type Workload,
  type WorkloadGenerator,
} from "../../workload/index.ts";
import { inferMachines, loadMachines, loadWorkload, sayMachinesNotes } from "../input.ts";
import { toMachinesOfQueues } from "../machines-of-queues.ts";
import { checksOf, isFarm, type Place } from "../simulate/place.ts";
import { hashOf, hashOfFile, hashOfPlace } from "../fingerprint.ts";
import { atPlace, placed, type LogSpec, type Sweep, type SweepLog } from "./read-sweep.ts";
import { seenFrom } from "./seen-from.ts";

type FileSpec = Exclude<LogSpec, { readonly generate: unknown }>;

/** A log of a sweep whose machines were read, and whose jobs can be. */
export interface Source {
  readonly log: SweepLog;
  /** Null: inferred from the log's jobs. */
  readonly place: Place | null;
  /** Of all that its jobs and machines depend on, except for the seed. */
  readonly hash: string;
  /** Null where the jobs come from a file. */
  readonly generator: WorkloadGenerator | null;
}

/** @throws InputError where the log is not there, or what it runs on cannot be read */
export async function openSource(sweep: Sweep, log: SweepLog): Promise<Source> {
  const { spec } = log;
  const generator = "generate" in spec ? generatorOf(spec) : null;
  const place = await openPlace(sweep, spec, generator);
  const options = { from: spec.from, until: spec.until, jobs: spec.jobs };
  const placeHash = place === null ? "inferred" : hashOfPlace(place);
  if ("generate" in spec)
    return {
      log,
      place,
      generator,
      hash: hashOf([generator!.name, spec.load, options, placeHash]),
    };
  const path = seenFrom(sweep.folder, spec.file.value, sweep.root);
  if (!existsSync(path)) spec.file.at.refuse(`there is no file ${path}`);
  return {
    log,
    place,
    generator,
    hash: hashOf([await hashOfFile(path), readingOf(spec), options, placeHash]),
  };
}

/**
 * Reads or makes the jobs.
 *
 * @throws InputError where that cannot be, or none are left
 */
export async function loadSource(
  sweep: Sweep,
  { log: { spec, name }, place: given, generator }: Source,
  seed: number,
): Promise<{ readonly workload: Workload; readonly place: Place }> {
  const whole =
    "generate" in spec
      ? atPlace(spec.generate.at, () => generate(generator!, spec, seed))
      : await loadWorkload(
          seenFrom(sweep.folder, spec.file.value, sweep.root),
          readingOf(spec),
          given === null ? {} : checksOf(given),
        ).catch((error: unknown) => {
          throw placed(spec.file.at, error);
        });
  const chosen = atPlace(spec.at, () => chosenJobs({ ...whole, name }, spec));
  const place = given ?? atPlace(spec.machines!.at, () => inferMachines(chosen));
  const queued = isFarm(place) ? null : toMachinesOfQueues(chosen, place);
  return { workload: queued?.workload ?? chosen, place };
}

function generatorOf({
  generate: { value, at },
}: Extract<LogSpec, { readonly generate: unknown }>): WorkloadGenerator {
  const generator = generators.find(({ name }) => name === value);
  return (
    generator ?? at.refuse(`no generator "${value}": choose ${generators.map(({ name }) => name).join(", ")}`)
  );
}

function generate(
  generator: WorkloadGenerator,
  { jobs, from, until, load }: Extract<LogSpec, { readonly generate: unknown }>,
  seed: number,
): Workload {
  if (from !== null || until !== null)
    throw new InputError("from and until are for logs of files: jobs says how many are generated");
  return generator.generate({
    seed,
    ...(jobs === null ? {} : { jobs }),
    ...(load === null ? {} : { load }),
  });
}

/** The options of its reader. */
function readingOf(spec: FileSpec): Parameters<typeof loadWorkload>[1] {
  const { format, jobShape, memoryUnit, memoryScope, overrun, timeZone, columns, strict } = spec;
  return {
    ...(format === null ? {} : { format }),
    ...(jobShape === null ? {} : { jobShape }),
    ...(memoryUnit === null ? {} : { memoryUnit }),
    ...(memoryScope === null ? {} : { memoryScope }),
    ...(overrun === null ? {} : { overrun }),
    ...(timeZone === null ? {} : { timeZone }),
    ...(columns === null ? {} : { columns: Object.fromEntries(columns) }),
    ...(strict ? { strict } : {}),
  };
}

async function openPlace(
  { folder, root }: Sweep,
  { machines, farm }: LogSpec,
  generator: WorkloadGenerator | null,
): Promise<Place | null> {
  if (farm !== null) {
    const path = seenFrom(folder, farm.value, root);
    if (!existsSync(path)) farm.at.refuse(`there is no file ${path}`);
    return readFarm(path, { ...farmChecks, machines: sayMachinesNotes });
  }
  if (machines === null) return generator!.machines();
  const path = seenFrom(folder, machines.value, root);
  if (machines.value === "-") machines.at.refuse("standard input can be read once only: give a file");
  if (machines.value === "inferred" && !existsSync(path)) return null;
  return loadMachines({ machines: existsSync(path) ? path : machines.value }).catch((error: unknown) => {
    throw placed(machines.at, error);
  });
}

/** @throws InputError where no job is left */
function chosenJobs(workload: Workload, { from, until, jobs }: LogSpec): Workload {
  const begun = from === null ? workload : workloadFrom(workload, timeOnLog(from, workload));
  const last = until === null ? Infinity : timeOnLog(until, workload);
  let end = 0;
  while (end < begun.count && end < (jobs ?? Infinity) && begun.submitSeconds[end]! < last) end++;
  if (end === 0)
    throw new InputError(`no job of ${workload.name} is left${until === null ? "" : ` before ${until}`}`);
  return end === begun.count ? begun : rowsOf(begun, 0, end);
}
