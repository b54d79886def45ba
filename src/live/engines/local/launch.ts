import { attemptKey } from "../attempt-id.ts";
import type { Limits, StartFailed, StartRequest } from "../engine.ts";
import { startFailed } from "../outcome.ts";
import { requestProblem } from "../request.ts";
import { diskFailure } from "../system/disk.ts";
import type { Runner } from "../users.ts";
import { readStart } from "../wrapper/attempt-folder.ts";
import { launchFile } from "../wrapper/launch-file.ts";
import { fenceText, FILES, type Claim } from "../wrapper/records.ts";
import { newAttempt, startedOf, type LaunchNote, type LocalAttempt } from "./attempt.ts";
import { finish, settle, settleSoon } from "./end.ts";
import { devicesFor, gpuVariables } from "./gpus.ts";
import { CLOSED } from "./hooks.ts";
import { attemptPath, type Parts } from "./parts.ts";
import type { Message } from "./wrappers.ts";

/** Starts an unknown attempt, or continues a start that was interrupted. */
export async function launch(parts: Parts, request: StartRequest): Promise<void> {
  const key = attemptKey(request.id);
  const runner = await parts.users.runner(request.user);
  const before = parts.attempts.get(key);
  const gpus = gpusFor(parts, request, before);
  const refusal =
    refusalOf(parts, request) ??
    ("refused" in runner ? startFailed(request.id, runner.fault, runner.refused) : null) ??
    (gpus === null ? failed(request, "transient", "its GPUs are not free yet") : null);
  const cgroup = refusal === null ? (parts.cgroups?.create(key, request.limits) ?? null) : null;
  const attempt = newAttempt(request.id, limitsOf(parts, request, key), cgroup, gpus ?? [], {
    job: request.environment["CROFT_JOB_NUMBER"] ?? "",
    user: request.user ?? ("refused" in runner ? "" : runner.variables["USER"]!),
  });
  // If so, there is a launch file, and perhaps a wrapper that is starting.
  const wasLaunched = before !== undefined;
  const refuse = (outcome: StartFailed) =>
    wasLaunched ? giveUp(parts, attempt, outcome, "silent") : finish(parts, attempt, outcome);
  parts.attempts.set(key, attempt);
  if (refusal !== null || "refused" in runner) return refuse(refusal!);
  try {
    await prepare(parts, request, attempt, runner.variables);
  } catch (error) {
    return refuse(failed(request, "transient", diskFailure(error)));
  }
  const problem = (await parts.hooks?.before(attempt, runner.user)) ?? null;
  // The next service is told to start it.
  if (problem === CLOSED) return;
  if (problem !== null) {
    const { reason, drains } = problem;
    const outcome = drains
      ? { ...failed(request, "machine", reason), drains }
      : failed(request, "transient", reason);
    return giveUp(parts, attempt, outcome, "silent");
  }
  const keeps = request.stdoutPath === null || request.stderrPath === null;
  const message = await parts.wrappers.run(key, keeps, prefixOf(runner));
  const start = await readStart(parts.disk, attemptPath(parts, key));
  const record = start?.record ?? null;
  if (record?.kind === "claim") return markBegun(parts, attempt, record, start!.unixSeconds, message);
  if (record?.kind === "fence") return finish(parts, attempt, { ...record.outcome, id: attempt.id });
  await giveUp(parts, attempt, failed(request, "transient", giveUpReason(message)), message);
}

/** With the files that the engine itself keeps. */
function limitsOf(parts: Parts, { limits, stdoutPath, stderrPath }: StartRequest, key: string): Limits {
  if (limits.output === undefined) return limits;
  const { bytes, paths } = limits.output;
  const kept = [
    ...(stdoutPath === null ? [FILES.stdout] : []),
    ...(stderrPath === null ? [FILES.stderr] : []),
  ].map((name) => `${attemptPath(parts, key)}/${name}`);
  return { ...limits, output: { bytes, paths: [...paths, ...kept] } };
}

function failed(request: StartRequest, fault: StartFailed["fault"], reason: string): StartFailed {
  return startFailed(request.id, fault, reason);
}

function refusalOf({ machine, processes }: Parts, request: StartRequest): StartFailed | null {
  const problem = requestProblem(request);
  if (problem !== null) return failed(request, "job", problem);
  const [place, ...others] = request.placement;
  if (others.length > 0) return failed(request, "job", "it is placed on more than this machine");
  if (place!.machine !== machine.name) return failed(request, "machine", `this machine is ${machine.name}`);
  // Others may have taken what the service believes to be free.
  const available = place!.memoryMiB === 0 ? Infinity : processes.memoryAvailableMiB();
  if (place!.memoryMiB > available)
    return failed(
      request,
      "transient",
      `only ${Math.floor(available)} MiB of memory are free on ${machine.name}`,
    );
  return null;
}

/**
 * The devices that it gets, from now on; null: too few are free. One whose start was interrupted keeps those that are
 * written in its launch file, since a wrapper may have read it.
 */
function gpusFor(
  { gpus, attempts }: Parts,
  { placement }: StartRequest,
  before: LocalAttempt | undefined,
): readonly string[] | null {
  if (gpus === null) return [];
  return before !== undefined && before.gpus.length > 0
    ? before.gpus
    : devicesFor(gpus, placement[0]!.gpuMilli, attempts.values());
}

/** The command that the wrapper runs the job with, to become its user. */
function prefixOf({ user }: Runner): string[] {
  if (user === null || user.uid === 0) return [];
  const ids = [`--reuid=${user.uid}`, `--regid=${user.gid}`];
  return ["/usr/bin/env", "setpriv", ...ids, "--init-groups", "--inh-caps=-all", "--"];
}

/** Prepares the attempt's folder. From then on later engines know the attempt, and it may have run. */
async function prepare(
  { disk, boot, clock, machine, ...parts }: Parts,
  request: StartRequest,
  attempt: LocalAttempt,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  const { key, limits, cgroup, gpus, about } = attempt;
  await boot.keep();
  const note: LaunchNote = {
    boot: clock.boot,
    machine: machine.name,
    limits,
    cgroup,
    ...(gpus.length === 0 ? {} : { gpus }),
    about,
  };
  const folder = attemptPath(parts, key);
  const environment = {
    ...request.environment,
    ...(parts.gpus === null ? {} : gpuVariables(gpus)),
    ...parts.hooks?.variables(attempt),
  };
  const text = launchFile({ ...request, environment }, variables, JSON.stringify(note));
  // An interrupted start may have left a launch file, or a part of one.
  if (!(await disk.createIn(folder, FILES.launch, text)))
    await disk.writeWhole(`${folder}/${FILES.launch}`, text);
}

/** Marks an attempt that has claimed: it runs, has run, or was refused before its program began. */
async function markBegun(
  parts: Parts,
  attempt: LocalAttempt,
  claim: Claim,
  unixSeconds: number,
  message: Message,
): Promise<void> {
  attempt.claim = claim;
  attempt.isInExchange = message === "go";
  attempt.state = "running";
  attempt.started = startedOf(attempt, parts.machine.name, unixSeconds);
  // If the wrapper did not say `go`, its job was refused, or another wrapper made the claim.
  if (message === "end") await settleSoon(parts, attempt);
  else if (message !== "go") await settle(parts, attempt.key);
  if (parts.attempts.get(attempt.key)?.state === "running") parts.report(attempt.started);
}

/** Gives up an attempt without a claim, and makes sure that there will never be one. */
async function giveUp(
  parts: Parts,
  attempt: LocalAttempt,
  outcome: StartFailed,
  message: Message,
): Promise<void> {
  const path = `${attemptPath(parts, attempt.key)}/${FILES.start}`;
  const isFenced = await parts.insist(() => parts.disk.create(path, fenceText(outcome)));
  if (isFenced) return finish(parts, attempt, outcome);
  // There is a start record after all: a claim made at the last moment, or a part of one.
  const start = await readStart(parts.disk, attemptPath(parts, attempt.key));
  if (start?.record?.kind === "claim")
    return markBegun(parts, attempt, start.record, start.unixSeconds, message);
  await finish(parts, attempt, outcome);
}

function giveUpReason(message: Message): string {
  switch (message) {
    case "silent":
      return "its wrapper did not come to run";
    case "end":
      return "its wrapper could not write its start record";
    case "go":
      return "its start record cannot be read";
  }
}
