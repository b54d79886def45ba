import { parseJson, text } from "../wrapper/attempt-folder.ts";
import { FILES } from "../wrapper/records.ts";
import type { Disk } from "../system/disk.ts";
import { NEVER_SUSPENDED, type LocalAttempt, type Suspension } from "./attempt.ts";
import { attemptPath, type Parts } from "./parts.ts";

/** It goes on. */
export function ended({ totalSeconds, since, until }: Suspension): Suspension {
  const seconds = since === null || until === null ? 0 : until - since;
  return { totalSeconds: totalSeconds + seconds, since: null, until: null };
}

export async function keepSuspension(
  parts: Parts,
  attempt: LocalAttempt,
  suspension: Suspension,
): Promise<void> {
  attempt.suspension = suspension;
  await writeSuspension(parts, attempt, suspension);
}

/** For a later service. On a full disk, which the attempt itself may have filled, only this one knows it. */
export async function writeSuspension(
  parts: Parts,
  { key }: LocalAttempt,
  suspension: Suspension,
): Promise<void> {
  const path = `${attemptPath(parts, key)}/${FILES.suspension}`;
  await parts.disk.writeWhole(path, `${JSON.stringify(suspension)}\n`).catch(() => undefined);
}

/** @param path the attempt's folder */
export async function readSuspension(disk: Disk, path: string): Promise<Suspension> {
  const file = await text(disk, `${path}/${FILES.suspension}`);
  const kept = parseJson(file?.text ?? null) as Partial<Suspension> | null;
  if (typeof kept?.totalSeconds !== "number") return NEVER_SUSPENDED;
  const { totalSeconds, since, until } = kept;
  return { totalSeconds, since: numberOrNull(since), until: numberOrNull(until) };
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
