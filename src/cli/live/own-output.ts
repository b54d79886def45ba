import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { normalize } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import type { Client } from "../../live/client/client.ts";
import { FarmError } from "../../live/client/farm-error.ts";
import { outputFile } from "../../live/service/output-pattern.ts";
import type { Heading } from "../../live/service/output-sections.ts";
import { isFinal } from "../../live/store/job-states.ts";
import { say } from "../terminal.ts";
import { LOOK_MILLISECONDS, write } from "./job-output.ts";
import type { JobDetails } from "./job-text.ts";
import { ownPart, UnreadableOutput, type Part } from "./own-part.ts";

/**
 * Shows what an attempt has written to the file that its job names. The file is the user's own, so it is read directly,
 * with the user's rights, and not through the farm.
 *
 * @param shownTo what is before this is left out: it was shown already
 * @returns how far it is shown
 */
export async function showOwn(
  farm: Client,
  pattern: string,
  job: JobDetails,
  attempt: number,
  shownTo = 0,
): Promise<number> {
  const path = outputFile(pattern, job, attempt);
  const part = await ownPart(path, job, attempt, (heading) => writesTo(farm, path, heading));
  if (part.isChanged)
    say(
      `croft: ${path} was changed after attempt ${attempt} of job ${job.number} had ended: this may not be all that it wrote, or more`,
    );
  await copy(path, { from: Math.max(part.from, shownTo), to: part.to });
  return part.to;
}

/**
 * Shows it as it comes, until the job is over.
 *
 * @param asked the attempt to show; absent: the last one so far, and then each later one
 */
export async function followOwn(
  farm: Client,
  pattern: string,
  number: number,
  asked?: number,
): Promise<void> {
  let attempt = asked;
  let shownTo: number | null = null;
  let isShown = false;
  for (;;) {
    // Asked before reading, so that nothing that comes in between is missed.
    const job = await farm.insist(() => farm.get<JobDetails>(`/v1/jobs/${number}`));
    const isOver = isFinal(job.state);
    if (isOver && job.attempt === 0) return;
    attempt ??= Math.max(1, job.attempt);
    const { startedAt = null, endedAt = null } = job.attempts.find((each) => each.attempt === attempt) ?? {};
    const isPast = endedAt !== null || isOver;
    const isLast = asked !== undefined || attempt >= job.attempt;
    if (!isPast && startedAt !== null)
      shownTo =
        shownTo === null
          ? await showOwn(farm, pattern, job, attempt)
          : await showMore(outputFile(pattern, job, attempt), shownTo);
    // One that has never run has no file. Of the last that is said.
    if (isPast && !isShown && (startedAt !== null || (isLast && isOver))) {
      await showOwn(farm, pattern, job, attempt, shownTo ?? 0);
      isShown = true;
    }
    if (isPast && !isLast) [attempt, shownTo, isShown] = [attempt + 1, null, false];
    else if (isPast && (isOver || asked !== undefined)) return;
    else await pause(LOOK_MILLISECONDS);
  }
}

/** As long as an attempt runs, all that comes is its own. */
async function showMore(path: string, from: number): Promise<number> {
  const size = await stat(path).then(
    (found) => found.size,
    () => -1,
  );
  if (size < from)
    throw new UnreadableOutput(
      path,
      "this file was removed, emptied or cut short while the job writes to it",
    );
  await copy(path, { from, to: size });
  return size;
}

/** Whether an attempt is told to write to a file; null: its job is not told of, or has gone into the history. */
async function writesTo(farm: Client, path: string, { job, attempt }: Heading): Promise<boolean | null> {
  const found = await farm.get<JobDetails>(`/v1/jobs/${job}`).catch((error: unknown) => {
    if (error instanceof FarmError && (error.status === 404 || error.status === 403)) return null;
    throw error;
  });
  if (found === null) return null;
  return [found.output, found.errorOutput].some(
    (pattern) => pattern !== null && normalize(outputFile(pattern, found, attempt)) === normalize(path),
  );
}

async function copy(path: string, { from, to }: Part): Promise<void> {
  if (to <= from) return;
  for await (const chunk of createReadStream(path, { start: from, end: to - 1 }))
    await write(chunk as Buffer);
}
