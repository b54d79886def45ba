import { parseAttemptKey } from "../attempt-id.ts";
import { NO_LIMITS, parseLimits } from "../limits.ts";
import { diskFailure, type Disk } from "../system/disk.ts";
import { readAttemptFolder, type EndCause } from "../wrapper/attempt-folder.ts";
import type { Claim } from "../wrapper/records.ts";
import { newAttempt, startedOf, type LaunchNote, type LocalAttempt } from "./attempt.ts";
import type { Look } from "./census.ts";
import { endRunning, finish, settle } from "./end.ts";
import { endLeftHooks } from "./left-hooks.ts";
import { attemptsPath, RESTARTED, type Parts } from "./parts.ts";
import { isStopped, TICKS_PER_SECOND } from "./processes.ts";
import { ended, keepSuspension, readSuspension } from "./suspension.ts";

/** Folders that are read at a time. */
const AT_ONCE = 64;

/** An attempt as an earlier engine left it. */
interface Found {
  readonly attempt: LocalAttempt;
  /** The boot that it was launched in. */
  readonly boot: string;
  /** Whether a start record exists, readable or not. */
  readonly hasStart: boolean;
}

/**
 * Resumes watching the attempts that an earlier engine left in the folder, or only those of `keys`.
 *
 * @returns what is in the folder and is not an attempt, or cannot be read
 */
export async function recover(parts: Parts, keys: readonly string[] | null = null): Promise<string[]> {
  const foreign: string[] = [];
  const found: Found[] = [];
  const names = keys ?? (await parts.disk.list(attemptsPath(parts)));
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = names.slice(at, at + AT_ONCE);
    const read = await Promise.all(
      some.map((name) =>
        findAttempt(parts.disk, attemptsPath(parts), name).catch((error: unknown) => {
          parts.report({ kind: "notice", text: `attempts/${name} cannot be read: ${diskFailure(error)}` });
          return "foreign" as const;
        }),
      ),
    );
    read.forEach((each, i) => {
      const lost = parts.boot.isOther && (each === "foreign" || each === null) ? cutOff(some[i]!) : null;
      if (lost !== null) parts.attempts.set(lost.key, lost);
      else if (each === "foreign") foreign.push(`attempts/${some[i]}`);
      else if (each !== null) found.push(each);
    });
  }
  for (const { attempt } of found) parts.attempts.set(attempt.key, attempt);
  if (parts.hooks !== null) await endLeftHooks(parts);
  const look = await parts.census.look();
  await Promise.all(found.map((each) => recoverOne(parts, each, look)));
  return foreign;
}

/** Of an attempt that was launched before the machine was restarted there may be pieces. Null: it is none. */
function cutOff(name: string): LocalAttempt | null {
  const id = parseAttemptKey(name);
  if (id === null) return null;
  const attempt = newAttempt(id, NO_LIMITS, null);
  return { ...attempt, state: "over", outcome: { kind: "lost", id, reason: RESTARTED } };
}

async function recoverOne(parts: Parts, { attempt, boot, hasStart }: Found, look: Look): Promise<void> {
  const { id, key } = attempt;
  if (attempt.state === "over") return;
  if (attempt.claim !== null) {
    // It may have ended, and its wrapper be there for the next one. An epilog is not waited for: it may take long.
    if (parts.hooks !== null) parts.inTurn(key, async () => void (await settle(parts, key)));
    const isOver = parts.hooks === null && (await settle(parts, key));
    if (isOver) return;
    // How much of the grace was over the earlier engine alone has known, and perhaps it has not asked all: it begins anew.
    if (attempt.ending !== null) parts.inTurn(key, () => endAgain(parts, attempt, attempt.ending!));
    if (!look.wrapped.has(key)) return;
    const members = look.members.get(key) ?? [];
    const { since } = attempt.suspension;
    // What they do counts: on a full disk the last engine could not write that they were stopped.
    if (attempt.left === null && members.length > 0 && members.every(isStopped)) {
      attempt.state = "suspended";
      attempt.suspension = {
        ...attempt.suspension,
        since: since ?? parts.clock.monotonicSeconds(),
        until: null,
      };
    } else if (since !== null) {
      // It died between the signals to them: those that stand would for ever, and the others may wait for them.
      await parts.control.resume(key);
      const until = members.some(isStopped) ? parts.clock.monotonicSeconds() : attempt.suspension.until;
      await keepSuspension(parts, attempt, ended({ ...attempt.suspension, until }));
    }
    return;
  }
  // The restart may have destroyed its start record, so whether it ran is not known.
  if (boot !== parts.clock.boot) return finish(parts, attempt, { kind: "lost", id, reason: RESTARTED });
  // Without a start record it has not started yet. An unreadable record means that it has.
  if (hasStart) await recoverByProcesses(parts, attempt, look);
}

async function endAgain(parts: Parts, attempt: LocalAttempt, cause: EndCause): Promise<void> {
  if (attempt.state !== "over") await endRunning(parts, attempt, cause, attempt.limits.graceSeconds);
}

/** The wrapper leads the session that the job's first process, which has the attempt's mark, is in. */
async function recoverByProcesses(parts: Parts, attempt: LocalAttempt, look: Look): Promise<void> {
  const { id, key } = attempt;
  const first = look.members.get(key)?.find(({ parent, session }) => parent === session);
  const wrapper = first === undefined ? null : parts.processes.one(first.session);
  if (wrapper === null) {
    await parts.control.kill(key);
    return finish(parts, attempt, { kind: "lost", id, reason: "its start record cannot be read" });
  }
  const claim: Claim = {
    kind: "claim",
    pid: wrapper.pid,
    startTicks: wrapper.startTicks,
    boot: parts.clock.boot,
    monotonicSeconds: wrapper.startTicks / TICKS_PER_SECOND,
    slurmJob: null,
    machine: parts.machine.name,
  };
  attempt.claim = claim;
  attempt.state = "running";
  const unixSeconds = parts.clock.unixSeconds() - parts.clock.monotonicSeconds() + claim.monotonicSeconds;
  attempt.started = startedOf(attempt, parts.machine.name, unixSeconds);
}

/** Null where nothing was ever launched; "foreign" where the folder is not an attempt's or cannot be read. */
async function findAttempt(disk: Disk, attempts: string, name: string): Promise<Found | "foreign" | null> {
  const id = parseAttemptKey(name);
  if (id === null) return "foreign";
  const path = `${attempts}/${name}`;
  const folder = await readAttemptFolder(disk, path);
  if (folder === null) return null;
  const { outputs, start, ending } = folder;
  const record = start?.record ?? null;
  if (record?.kind === "fence") {
    const attempt = newAttempt(id, NO_LIMITS, null);
    return {
      attempt: { ...attempt, state: "over", outcome: { ...record.outcome, id } },
      boot: "",
      hasStart: true,
    };
  }
  const note = parseNote(folder.note);
  if (note === null) return start === null ? null : "foreign";
  const attempt = newAttempt(id, note.limits, note.cgroup, note.gpus, note.about);
  attempt.ending = ending;
  attempt.outputs = outputs;
  attempt.suspension = await readSuspension(disk, path);
  if (record !== null) {
    attempt.claim = record;
    attempt.state = "running";
    attempt.started = startedOf(attempt, note.machine, start!.unixSeconds);
  }
  return { attempt, boot: note.boot, hasStart: start !== null };
}

function parseNote(value: unknown): LaunchNote | null {
  const note = value as Partial<LaunchNote> | null;
  if (typeof note?.boot !== "string" || typeof note.machine !== "string") return null;
  const limits = parseLimits(note.limits);
  if (limits === null) return null;
  const { boot, machine, cgroup = null, gpus = [], about } = note;
  return {
    boot,
    machine,
    limits,
    cgroup,
    gpus: Array.isArray(gpus) ? gpus.map(String) : [],
    ...(about === undefined ? {} : { about }),
  };
}
