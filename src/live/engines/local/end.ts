import type { AttemptId } from "../attempt-id.ts";
import type { Outcome } from "../engine.ts";
import { NO_LIMITS } from "../limits.ts";
import { NO_USAGE, neverRan, startFailed } from "../outcome.ts";
import { readExit, type EndCause, type ExitFile } from "../wrapper/attempt-folder.ts";
import { fenceText, FILES, type Claim } from "../wrapper/records.ts";
import { newAttempt, stoodOf, type Left, type LocalAttempt } from "./attempt.ts";
import { attemptPath, RESTARTED, type Parts } from "./parts.ts";
import { ended, keepSuspension } from "./suspension.ts";

const FIRST_LOOK_SECONDS = 0.05;
/** The longest wait between two extra looks; after it the regular looks are enough. */
const LAST_LOOK_SECONDS = 1;
/** How long what a command leaves running is left alone, and between two looks at it. */
const LEFT_ALONE_SECONDS = 0.2;

/** Keeps the outcome of an attempt, and reports it. */
export async function finish(
  { cgroups, wrappers, hooks, report }: Parts,
  attempt: LocalAttempt,
  outcome: Outcome,
): Promise<void> {
  if (attempt.cgroup !== null) cgroups?.remove(attempt.cgroup);
  // It keeps what it has until its epilog is over. A service that ends meanwhile leaves it to the next.
  if (hooks !== null && !(await hooks.after(attempt))) return;
  attempt.state = "over";
  attempt.outcome = outcome;
  wrappers.free(attempt.key);
  report(outcome);
}

/**
 * Finds out whether an attempt has ended. If so, ends what it left behind, and then says how it ended.
 *
 * @returns whether it is over by this
 */
export async function settle(parts: Parts, key: string): Promise<boolean> {
  const attempt = parts.attempts.get(key);
  if (attempt === undefined || attempt.state === "over" || attempt.claim === null) return false;
  const isOfThisBoot = attempt.claim.boot === parts.clock.boot;
  // Asked before the record is read: a wrapper that is gone writes none any more.
  const mayGoOn = isOfThisBoot && isWrapped(parts, attempt.claim);
  const exit = await readExit(parts.disk, attemptPath(parts, key));
  // With the record the attempt has ended, whatever its wrapper does next.
  if (exit === null && mayGoOn) return false;
  if (isOfThisBoot && (await isLeft(parts, attempt)) && !(await endLeft(parts, attempt))) return false;
  await finish(parts, attempt, outcomeOf(parts, attempt, exit, isOfThisBoot));
  return true;
}

function isWrapped({ processes }: Parts, { pid, startTicks }: Claim): boolean {
  return processes.one(pid)?.startTicks === startTicks;
}

/** Whether it has left anything behind. */
async function isLeft(parts: Parts, { key, cgroup }: LocalAttempt): Promise<boolean> {
  // None escapes from a cgroup, and to ask one is quick.
  if (cgroup !== null && parts.cgroups !== null) return !parts.cgroups.isEmpty(cgroup);
  return (await parts.census.look()).members.has(key);
}

/**
 * Asks what the command left running to end, and makes it to after the grace: one look a call. False while some of it is
 * there.
 */
async function endLeft(parts: Parts, attempt: LocalAttempt): Promise<boolean> {
  const { clock, control, census, cgroups } = parts;
  const { key, limits } = attempt;
  const now = clock.monotonicSeconds();
  attempt.left ??= { since: now, count: 0, isLookedAfter: false };
  const { left } = attempt;
  // Some are about to end by themselves, such as the last of a pipe. What is being ended was asked already.
  if (attempt.ending === null && left.count === 0 && now - left.since >= LEFT_ALONE_SECONDS) {
    left.count = (await census.look()).members.get(key)?.length ?? 0;
    attempt.killAt ??= now + limits.graceSeconds;
    await control.terminate(key);
  }
  if (now < (attempt.killAt ?? Infinity)) {
    lookAfterLeft(parts, attempt, left);
    return false;
  }
  if (attempt.cgroup !== null) cgroups?.kill(attempt.cgroup);
  // A process that does not die is waiting for a disk.
  const isGone = await control.kill(key);
  if (!isGone) lookAfterLeft(parts, attempt, left);
  return isGone;
}

function lookAfterLeft(parts: Parts, { key }: LocalAttempt, left: Left): void {
  if (left.isLookedAfter) return;
  left.isLookedAfter = true;
  parts.clock.after(LEFT_ALONE_SECONDS, () =>
    parts.inTurn(key, async () => {
      left.isLookedAfter = false;
      await settle(parts, key);
    }),
  );
}

/**
 * Waits until an attempt whose wrapper is about to end is over: it says so before it ends. A wrapper that stays on is
 * left after some seconds.
 */
export async function settleSoon(parts: Parts, attempt: LocalAttempt): Promise<void> {
  for (let seconds = FIRST_LOOK_SECONDS; ; seconds *= 2) {
    await settle(parts, attempt.key);
    if (attempt.state === "over" || seconds > LAST_LOOK_SECONDS) return;
    await new Promise<void>((resolve) => parts.clock.after(seconds, resolve));
  }
}

/** The wrapper has said that the attempt ended; the wrapper itself may still be there. */
export async function settleEnded(parts: Parts, key: string): Promise<void> {
  await settle(parts, key);
  const attempt = parts.attempts.get(key);
  if (attempt !== undefined && attempt.state !== "over") lookAfter(parts, attempt, FIRST_LOOK_SECONDS);
}

function outcomeOf(
  parts: Parts,
  attempt: LocalAttempt,
  exit: ExitFile | null,
  isOfThisBoot: boolean,
): Outcome {
  const { id, claim, ending } = attempt;
  if (exit === null) {
    if (ending !== null)
      return {
        kind: "exited",
        id,
        status: null,
        signal: null,
        cause: ending,
        usage: NO_USAGE,
        unixSeconds: null,
      };
    return {
      kind: "lost",
      id,
      reason: isOfThisBoot ? "its wrapper was killed" : RESTARTED,
    };
  }
  if (exit.refused !== null) return startFailed(id, "job", exit.refused);
  const inCgroup = attempt.cgroup === null ? null : (parts.cgroups?.usage(attempt.cgroup) ?? null);
  return {
    kind: "exited",
    id,
    status: exit.status,
    signal: exit.signal,
    cause: ending ?? (inCgroup?.isOverMemory === true ? "memory" : "itself"),
    ...(attempt.left === null || attempt.left.count === 0 ? {} : { left: attempt.left.count }),
    usage: {
      elapsedSeconds: Math.max(0, exit.monotonicSeconds - claim!.monotonicSeconds),
      cpuSeconds: inCgroup?.cpuSeconds ?? exit.cpuSeconds,
      memoryPeakMiB: inCgroup?.memoryPeakMiB ?? attempt.memoryPeakMiB,
    },
    unixSeconds: exit.unixSeconds,
  };
}

/** Makes sure that an attempt without a claim can never make one. False if it has made one. */
export async function fence(parts: Parts, id: AttemptId, key: string): Promise<boolean> {
  const outcome = neverRan(id);
  const isFenced = await parts.insist(async () => {
    await parts.disk.makeFolder(attemptPath(parts, key));
    return parts.disk.create(`${attemptPath(parts, key)}/${FILES.start}`, fenceText(outcome));
  });
  if (!isFenced) return false;
  const attempt = parts.attempts.get(key) ?? newAttempt(id, NO_LIMITS, null);
  parts.attempts.set(key, attempt);
  await finish(parts, attempt, outcome);
  return true;
}

/** Asks what runs of an attempt to end, and makes it to after the grace. */
export async function endRunning(
  parts: Parts,
  attempt: LocalAttempt,
  cause: EndCause,
  graceSeconds: number,
): Promise<void> {
  // Of a command that is over it is known how it ended: what it left is ended in any case.
  const path = attemptPath(parts, attempt.key);
  // Where that cannot be read it is taken to run: what was asked for is done all the same.
  if (attempt.ending === null && (await readExit(parts.disk, path).catch(() => null)) === null) {
    attempt.ending = cause;
    // If the disk is full it is ended all the same, but a later service will not know why.
    await parts.disk.create(`${path}/${FILES.ending}`, `${cause}\n`).catch(() => false);
  }
  const killAt = parts.clock.monotonicSeconds() + graceSeconds;
  const isSooner = attempt.killAt === null || killAt < attempt.killAt;
  if (isSooner) attempt.killAt = killAt;
  await parts.control.terminate(attempt.key);
  attempt.state = "running";
  await goesOn(parts, attempt);
  if (isSooner)
    parts.clock.after(graceSeconds, () => parts.inTurn(attempt.key, () => killNow(parts, attempt)));
  if (!attempt.isInExchange) lookAfter(parts, attempt, FIRST_LOOK_SECONDS);
}

/** What stood still has to run for its end. */
async function goesOn(parts: Parts, attempt: LocalAttempt): Promise<void> {
  if (attempt.suspension.since === null) return;
  const until = parts.clock.monotonicSeconds();
  await keepSuspension(parts, attempt, ended({ ...attempt.suspension, until }));
  parts.report({ kind: "resumed", id: attempt.id, stood: stoodOf(attempt, parts.clock) });
}

/** Looks again soon: a wrapper that an earlier engine started does not tell this one when it ends. */
function lookAfter(parts: Parts, attempt: LocalAttempt, seconds: number): void {
  parts.clock.after(seconds, () =>
    parts.inTurn(attempt.key, async () => {
      await settle(parts, attempt.key);
      if (attempt.state !== "over" && seconds < LAST_LOOK_SECONDS) lookAfter(parts, attempt, 2 * seconds);
    }),
  );
}

export async function killNow(parts: Parts, attempt: LocalAttempt): Promise<void> {
  if (attempt.state === "over") return;
  if (attempt.cgroup !== null) parts.cgroups?.kill(attempt.cgroup);
  await parts.control.kill(attempt.key);
  await settle(parts, attempt.key);
}
