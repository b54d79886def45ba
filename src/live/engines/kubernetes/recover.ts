import { parseAttemptKey } from "../attempt-id.ts";
import type { Placement } from "../engine.ts";
import { parseLimits } from "../limits.ts";
import { parseJson, text } from "../wrapper/attempt-folder.ts";
import { newAttempt, type AttemptRecord } from "./attempt.ts";
import { attemptsPath, recordPath, type Parts } from "./parts.ts";

/** More than a pod takes: the command and the environment are at most 1 MiB. */
const RECORD_LIMIT_BYTES = 8 * 1024 * 1024;

/**
 * Takes the attempts that an earlier engine left in the folder. The pods that are seen then say how they stand.
 *
 * @returns what is in the folder and is not an attempt, or cannot be read
 */
export async function recover(parts: Parts): Promise<string[]> {
  const { disk, attempts } = parts;
  const foreign: string[] = [];
  for (const name of await disk.list(attemptsPath(parts))) {
    const id = parseAttemptKey(name);
    const content = id === null ? null : await text(disk, recordPath(parts, name), RECORD_LIMIT_BYTES);
    const record = content === null ? null : parseRecord(parseJson(content.text));
    if (id !== null && record !== null) attempts.set(name, newAttempt(id, record));
    // Without a record nothing was ever asked of the cluster.
    else if (id === null || content !== null) foreign.push(`attempts/${name}`);
  }
  return foreign;
}

function parseRecord(value: unknown): AttemptRecord | null {
  const record = value as Partial<AttemptRecord> | null;
  const limits = parseLimits(record?.limits);
  if (record === null || limits === null || !Array.isArray(record.placement)) return null;
  const isPlaced = record.placement.every(
    (part: Partial<Placement> | null) => typeof part?.machine === "string",
  );
  const { uid, pod, ending, outcome } = record;
  const isWhole =
    (uid === null || typeof uid === "string") &&
    [pod, ending, outcome].every((each) => each === null || typeof each === "object");
  const canGoOn = uid === null || record.placement.length === 1;
  return isPlaced && isWhole && canGoOn ? (record as AttemptRecord) : null;
}
