import { parseAttemptKey } from "../attempt-id.ts";
import type { Placement } from "../engine.ts";
import { parseLimits } from "../limits.ts";
import type { Disk } from "../system/disk.ts";
import { readAttemptFolder } from "../wrapper/attempt-folder.ts";
import { markStarted, newAttempt, NO_NOTE, type SlurmAttempt, type SlurmNote } from "./attempt.ts";
import { attemptsPath, type Parts } from "./parts.ts";

/**
 * Takes the attempts that an earlier engine left in the folder. The first look at Slurm's queue then says how they
 * stand.
 *
 * @returns what is in the folder and is not an attempt, or cannot be read
 */
export async function recover(
  parts: Pick<Parts, "disk" | "attempts" | "folder" | "clock">,
): Promise<string[]> {
  const { disk, attempts, clock } = parts;
  const foreign: string[] = [];
  for (const name of await disk.list(attemptsPath(parts))) {
    const found = await findAttempt(disk, attemptsPath(parts), name);
    if (found === "foreign") foreign.push(`attempts/${name}`);
    else if (found !== null) {
      // Perhaps it was: then Slurm would drop the signal that asks it to end.
      found.resumedAt = clock.monotonicSeconds();
      attempts.set(name, found);
    }
  }
  return foreign;
}

/** Null where nothing was ever launched; "foreign" where the folder is not an attempt's or cannot be read. */
async function findAttempt(
  disk: Disk,
  attempts: string,
  name: string,
): Promise<SlurmAttempt | "foreign" | null> {
  const id = parseAttemptKey(name);
  if (id === null) return "foreign";
  const folder = await readAttemptFolder(disk, `${attempts}/${name}`);
  if (folder === null) return null;
  const record = folder.start?.record ?? null;
  if (record?.kind === "fence")
    return {
      ...newAttempt(id, NO_NOTE),
      state: "over",
      outcome: { ...record.outcome, id },
      mayBeQueued: true,
    };
  const note = parseNote(folder.note);
  if (note === null) return folder.start === null ? null : "foreign";
  const { outputs, ending } = folder;
  const attempt: SlurmAttempt = { ...newAttempt(id, note), outputs, ending, mayBeQueued: true };
  if (record !== null) markStarted(attempt, record, folder.start!);
  return attempt;
}

function parseNote(value: unknown): SlurmNote | null {
  const note = value as Partial<SlurmNote> | null;
  const limits = parseLimits(note?.limits);
  if (limits === null || !Array.isArray(note?.placement)) return null;
  const isPlaced = note.placement.every(
    (part: Partial<Placement> | null) =>
      typeof part?.machine === "string" &&
      typeof part.coresMilli === "number" &&
      typeof part.memoryMiB === "number" &&
      typeof part.gpuMilli === "number",
  );
  const user = note.user ?? null;
  const isUser = user === null || (Number.isInteger(user.uid) && Number.isInteger(user.gid));
  return isPlaced && isUser ? { placement: note.placement, limits, user } : null;
}
