import { attemptKey } from "../attempt-id.ts";
import type { StartFailed, StartRequest } from "../engine.ts";
import { startFailed } from "../outcome.ts";
import { requestProblem } from "../request.ts";
import { diskFailure } from "../system/disk.ts";
import { launchFile } from "../wrapper/launch-file.ts";
import {
  fenceText,
  FILES,
  parseStart,
  RECORD_LIMIT_BYTES,
  type Claim,
  type Fence,
} from "../wrapper/records.ts";
import { newAttempt, type LaunchNote, type LocalAttempt } from "./attempt.ts";
import { finish, settle } from "./ending.ts";
import { attemptPath, type Parts } from "./parts.ts";
import type { Heard } from "./starter.ts";
import type { Runner } from "./user.ts";

/** Starts an attempt that is not known, or goes on with a start that was broken off. */
export async function launch(parts: Parts, request: StartRequest): Promise<void> {
  const key = attemptKey(request.id);
  const runner = await parts.users.runner(request.user);
  const refusal =
    refusalOf(parts, request) ?? (typeof runner === "string" ? failed(request, "job", runner) : null);
  const cgroup = refusal === null ? (parts.cgroups?.create(key, request.limits) ?? null) : null;
  const attempt = newAttempt(request.id, request.limits, cgroup);
  parts.attempts.set(key, attempt);
  if (refusal !== null) return finish(parts, attempt, refusal);
  try {
    await prepare(parts, request, attempt, (runner as Runner).variables);
  } catch (error) {
    return finish(parts, attempt, failed(request, "transient", diskFailure(error)));
  }
  const heard = await parts.starter.start(key, (runner as Runner).prefix);
  const start = await readStart(parts, key);
  if (start?.kind === "claim") return begun(parts, attempt, start.claim, start.unixSeconds, heard === "go");
  if (start?.kind === "fence") return finish(parts, attempt, { ...start.fence.outcome, id: attempt.id });
  await giveUp(parts, attempt, heard);
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

async function readStart(parts: Parts, key: string) {
  const content = await parts.disk.read(`${attemptPath(parts, key)}/${FILES.start}`, 0, RECORD_LIMIT_BYTES);
  if (content === null) return null;
  const start: Claim | Fence | null = parseStart(new TextDecoder().decode(content.bytes));
  if (start === null) return null;
  return start.kind === "claim"
    ? { kind: "claim" as const, claim: start, unixSeconds: content.modifiedUnixSeconds }
    : { kind: "fence" as const, fence: start };
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
async function giveUp(parts: Parts, attempt: LocalAttempt, heard: Heard): Promise<void> {
  const outcome = startFailed(attempt.id, "transient", giveUpReason(heard));
  const path = `${attemptPath(parts, attempt.key)}/${FILES.start}`;
  const isFenced = await parts.insist(() => parts.disk.create(path, fenceText(outcome)));
  if (isFenced) return finish(parts, attempt, outcome);
  // Something is there after all: a claim that came at the last moment, or a piece of one.
  const start = await readStart(parts, attempt.key);
  if (start?.kind === "claim") return begun(parts, attempt, start.claim, start.unixSeconds, false);
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
