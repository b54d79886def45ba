import { attemptKey } from "../attempt-id.ts";
import type { StartFailed, StartRequest } from "../engine.ts";
import { startFailed } from "../outcome.ts";
import { requestProblem } from "../request.ts";
import { diskFailure } from "../system/disk.ts";
import type { Runner } from "../users.ts";
import { readStart } from "../wrapper/attempt-folder.ts";
import { launchFile } from "../wrapper/launch-file.ts";
import { fenceText, FILES, type Claim } from "../wrapper/records.ts";
import { newAttempt, type LaunchNote, type LocalAttempt } from "./attempt.ts";
import { finish, settle } from "./ending.ts";
import { attemptPath, type Parts } from "./parts.ts";
import type { Heard } from "./starter.ts";

/** Starts an attempt that is not known, or goes on with a start that was broken off. */
export async function launch(parts: Parts, request: StartRequest): Promise<void> {
  const key = attemptKey(request.id);
  const runner = await parts.users.runner(request.user);
  const refusal =
    refusalOf(parts, request) ??
    ("refused" in runner ? startFailed(request.id, runner.fault, runner.refused) : null);
  const cgroup = refusal === null ? (parts.cgroups?.create(key, request.limits) ?? null) : null;
  const attempt = newAttempt(request.id, request.limits, cgroup);
  // Then there is a launch file, and perhaps a wrapper on its way.
  const wasLaunched = parts.attempts.has(key);
  const refuse = (outcome: StartFailed) =>
    wasLaunched ? giveUp(parts, attempt, outcome) : finish(parts, attempt, outcome);
  parts.attempts.set(key, attempt);
  if (refusal !== null || "refused" in runner) return refuse(refusal!);
  try {
    await prepare(parts, request, attempt, runner.variables);
  } catch (error) {
    return refuse(failed(request, "transient", diskFailure(error)));
  }
  const heard = await parts.starter.start(key, prefixOf(runner));
  const start = await readStart(parts.disk, attemptPath(parts, key));
  const record = start?.record ?? null;
  if (record?.kind === "claim") return begun(parts, attempt, record, start!.unixSeconds, heard === "go");
  if (record?.kind === "fence") return finish(parts, attempt, { ...record.outcome, id: attempt.id });
  await giveUp(parts, attempt, failed(request, "transient", giveUpReason(heard)));
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
  const available = processes.memoryAvailableMiB();
  if (place!.memoryMiB > available)
    return failed(
      request,
      "transient",
      `only ${Math.floor(available)} MiB of memory are free on ${machine.name}`,
    );
  return null;
}

/** What a job's side of the wrapper is run with, to become its user. */
function prefixOf({ user }: Runner): string[] {
  if (user === null || user.uid === 0) return [];
  const ids = [`--reuid=${user.uid}`, `--regid=${user.gid}`];
  return ["/usr/bin/env", "setpriv", ...ids, "--init-groups", "--inh-caps=-all", "--"];
}

/** After this the attempt is known to whoever comes later, and may have run. */
async function prepare(
  { disk, clock, machine, ...parts }: Parts,
  request: StartRequest,
  { key, limits, cgroup }: LocalAttempt,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  const note: LaunchNote = { boot: clock.boot, machine: machine.name, limits, cgroup };
  const folder = attemptPath(parts, key);
  await disk.makeFolder(folder);
  const text = launchFile(request, variables, JSON.stringify(note));
  // A start that was broken off has left one, or a piece of one.
  const path = `${folder}/${FILES.launch}`;
  if (!(await disk.create(path, text))) await disk.writeWhole(path, text);
}

/** It has claimed: it runs, or has run, or was refused on the way. */
async function begun(
  parts: Parts,
  attempt: LocalAttempt,
  claim: Claim,
  unixSeconds: number,
  hasSpoken: boolean,
): Promise<void> {
  attempt.claim = claim;
  attempt.isHeard = hasSpoken;
  attempt.state = "running";
  attempt.started = { kind: "started", id: attempt.id, machines: [parts.machine.name], unixSeconds };
  // Who has said nothing was refused, or this is another wrapper than the one that claimed.
  if (!hasSpoken) await settle(parts, attempt.key);
  if (parts.attempts.get(attempt.key)?.state === "running") parts.report(attempt.started);
}

/** No claim: then there must never be one. */
async function giveUp(parts: Parts, attempt: LocalAttempt, outcome: StartFailed): Promise<void> {
  const path = `${attemptPath(parts, attempt.key)}/${FILES.start}`;
  const isFenced = await parts.insist(() => parts.disk.create(path, fenceText(outcome)));
  if (isFenced) return finish(parts, attempt, outcome);
  // Something is there after all: a claim that came at the last moment, or a piece of one.
  const start = await readStart(parts.disk, attemptPath(parts, attempt.key));
  if (start?.record?.kind === "claim") return begun(parts, attempt, start.record, start.unixSeconds, false);
  await finish(parts, attempt, outcome);
}

function giveUpReason(heard: Heard): string {
  switch (heard) {
    case "failed":
      return "no process could be made for it";
    case "silent":
      return "its wrapper did not come to run";
    case "end":
      return "its wrapper could not write its start record";
    case "go":
      return "its start record cannot be read";
  }
}
