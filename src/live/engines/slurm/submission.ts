import type { StartFailed } from "../engine.ts";
import type { Failure } from "./cli.ts";
import type { SlurmAttempt } from "./attempt.ts";
import { commentOf } from "./queue.ts";

/**
 * Slurm's limit is this much longer: the engine itself ends an attempt at its limit, and Slurm, which counts whole
 * minutes, only what the engine missed.
 */
const SPARE_SECONDS = 120;

/**
 * How an attempt is submitted: to the machines that it was placed on, never to be started again by Slurm
 * itself, and by Slurm's own rule not beside another job of its name.
 *
 * All that the user chose is in the launch file; what is here is numbers, names of machines and our own paths.
 */
export function submissionArgs(
  { key, note }: SlurmAttempt,
  paths: { readonly wrapper: string; readonly attempt: string },
  { partition, sync }: { readonly partition: string | null; readonly sync: string },
): string[] {
  const { placement, limits, user } = note;
  const most = (value: (part: (typeof placement)[number]) => number): number =>
    Math.max(...placement.map(value));
  const gpus = Math.ceil(most(({ gpuMilli }) => gpuMilli) / 1000);
  const seconds = limits.seconds === null ? null : limits.seconds + limits.graceSeconds + SPARE_SECONDS;
  return [
    `--job-name=${key}`,
    `--comment=${commentOf(key)}`,
    "--dependency=singleton",
    "--no-requeue",
    `--nodelist=${placement.map(({ machine }) => machine).join(",")}`,
    `--nodes=${placement.length}`,
    "--ntasks-per-node=1",
    `--cpus-per-task=${Math.max(1, Math.ceil(most(({ coresMilli }) => coresMilli) / 1000))}`,
    `--mem=${Math.max(1, Math.ceil(most(({ memoryMiB }) => memoryMiB)))}M`,
    ...(gpus === 0 ? [] : [`--gres=gpu:${gpus}`]),
    ...(seconds === null ? [] : [`--time=${Math.ceil(seconds / 60)}`]),
    ...(partition === null ? [] : [`--partition=${partition}`]),
    ...(user === null ? [] : [`--uid=${user.uid}`, `--gid=${user.gid}`]),
    // The environment of sbatch is clean; any other value makes Slurm load the user's own by a login shell.
    "--export=ALL",
    "--output=/dev/null",
    "--error=/dev/null",
    "--input=/dev/null",
    "--chdir=/",
    paths.wrapper,
    paths.attempt,
    "",
    sync,
  ];
}

/** The outcome of an attempt that the controller refuses, with the fault. */
export function refusalOf({ id }: SlurmAttempt, { reason }: Failure): StartFailed {
  const fault = /node name|node configuration|not available on this|nodes? (?:is|are) /i.test(reason)
    ? "machine"
    : /invalid|violates|not permitted|denied|disabled|does not exist|unrecognized|exceeds|can ?not be satisfied|too (?:large|long)|not allowed/i.test(
          reason,
        )
      ? "job"
      : "transient";
  return { kind: "start-failed", id, fault, reason };
}
