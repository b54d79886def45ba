import type { Capabilities } from "../engine.ts";
import { FILES } from "../wrapper/records.ts";
import { ranSeconds, type LocalAttempt } from "./attempt.ts";
import { endRunning, killNow, settle } from "./end.ts";
import { exceeded, hasPrintedTooMuch } from "./limits.ts";
import { attemptPath, type Parts } from "./parts.ts";
import type { Process } from "./processes.ts";

/**
 * Looks at all that runs: what has ended is settled, what is above a limit is ended.
 *
 * @returns how many processes there are on the machine: what the look cost
 */
export async function lookAt(parts: Parts, limits: Capabilities["limits"]): Promise<number> {
  const { attempts, census, clock, disk, processes, inTurn, isIdle } = parts;
  const watched = { memory: limits.memory === "watched", cores: limits.cores === "watched" };
  const { members, wrapped, stoppedWrappers, processCount } = await census.look();
  // A job that stops its whole process group stops its wrapper too, and nothing else would ever record its end.
  for (const pid of stoppedWrappers) processes.signal(pid, "SIGCONT");
  for (const attempt of attempts.values()) {
    const { key, state } = attempt;
    if (state !== "running" && state !== "suspended") continue;
    // Who was told to look may not have been able to, as where no file could be opened.
    if (!wrapped.has(key) || !hasCommand(attempt, members.get(key))) {
      if (isIdle(key)) inTurn(key, async () => void (await settle(parts, key)));
      continue;
    }
    const now = clock.monotonicSeconds();
    if (attempt.killAt !== null && now >= attempt.killAt && isIdle(key))
      inTurn(key, () => killNow(parts, attempt));
    if (state === "suspended" || attempt.ending !== null || attempt.left !== null) continue;
    if (isToBeWarned(attempt, now)) inTurn(key, () => warn(parts, attempt));
    const limit =
      (await exceeded(attempt, members.get(key) ?? [], now, watched, processes)) ??
      ((await hasPrintedTooMuch(attempt, disk)) ? "output" : null);
    if (limit === null) continue;
    inTurn(key, async () => {
      if (attempt.state === "running") await endRunning(parts, attempt, limit, attempt.limits.graceSeconds);
    });
  }
  return processCount;
}

/** Whether what the wrapper has started is there: else its command is over. */
function hasCommand({ claim }: LocalAttempt, members: readonly Process[] = []): boolean {
  return members.some(({ parent }) => parent === claim?.pid);
}

function isToBeWarned(attempt: LocalAttempt, now: number): boolean {
  const { isWarned, limits } = attempt;
  if (isWarned || limits.warning === undefined || limits.seconds === null) return false;
  return ranSeconds(attempt, now) >= limits.seconds - limits.warning.seconds;
}

/** Once, whatever becomes of this engine. */
async function warn({ disk, control, ...parts }: Parts, attempt: LocalAttempt): Promise<void> {
  const { key, claim, state, isWarned, limits } = attempt;
  if (isWarned || state !== "running" || claim === null) return;
  attempt.isWarned = true;
  // If the disk is full it is warned all the same, and by a later engine again.
  const isFirst = (): Promise<boolean> =>
    disk.create(`${attemptPath(parts, key)}/${FILES.warned}`, "\n").catch(() => true);
  await control.warn(key, claim.pid, limits.warning!.signal, isFirst);
}
