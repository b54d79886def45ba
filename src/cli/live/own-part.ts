import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";

import { readHeading, type Heading } from "../../live/service/output-sections.ts";
import { FarmError } from "../../live/client/farm-error.ts";
import type { JobDetails } from "./job-text.ts";

/** Bytes of a file. */
export interface Part {
  readonly from: number;
  /** The first that is not of it. */
  readonly to: number;
}

export interface OwnPart extends Part {
  /** Whether somebody else has changed the file since the attempt ended, and no other attempt has written to it. */
  readonly isChanged: boolean;
}

/** What a job has written to its file cannot be shown as things stand: told as what a farm refuses. */
export class UnreadableOutput extends FarmError {
  constructor(file: string, text: string) {
    super(409, `${file}: ${text}`);
  }
}

const MARK = Buffer.from("\n==== croft: job ");
/** Longer than any heading. */
const HEADING_BYTES = 120;
/** An attempt is seen to start some time after it has made its file. */
const START_SECONDS = 2;
/** The clock that stamps files is coarser than the one that times attempts: by a tick of the kernel, at most 10 ms. */
const TICK_SECONDS = 0.02;
/** The clock of the machine that it ran on may differ from that of the farm by so much. */
const SKEW_SECONDS = 2;

/**
 * What an attempt has written to the file that its job names: the part below its heading or, where the attempt made the
 * file, what is before the first one.
 *
 * @param writesHere whether an attempt of another job is told to write to this file; null: that cannot be found out
 * @throws UnreadableOutput where the file is gone, or has nothing of the attempt any more, as far as that can be seen
 */
export async function ownPart(
  path: string,
  { number, attempts }: Pick<JobDetails, "number" | "attempts">,
  attempt: number,
  writesHere: (heading: Heading) => Promise<boolean | null>,
): Promise<OwnPart> {
  const found = await stat(path).catch((error: unknown) => {
    throw new UnreadableOutput(
      path,
      `job ${number} writes to this file, which cannot be read: ${(error as Error).message}`,
    );
  });
  if (!found.isFile())
    throw new UnreadableOutput(path, `job ${number} writes to this, which is no file and keeps nothing`);
  const headings = await headingsOf(path);
  const { startedAt = null, endedAt = null } = attempts.find((each) => each.attempt === attempt) ?? {};
  const started = unixSeconds(startedAt);
  const ended = unixSeconds(endedAt);
  // The farm writes one heading for an attempt. A second one was printed by a job, as a copy of this file.
  const at = headings.findIndex((each) => each.job === number && each.attempt === attempt);
  const to = (await next(headings.slice(at + 1))) ?? found.size;
  const written = found.mtimeMs / 1000;
  const isChanged = ended !== null && to === found.size && written > ended + SKEW_SECONDS;
  if (at >= 0) return { from: headings[at]!.to, to, isChanged };
  // Not every file system tells when a file was made.
  const made = found.birthtimeMs > 0 ? found.birthtimeMs / 1000 : null;
  const isBefore = started !== null && made !== null && made < started - START_SECONDS;
  const isAfter = ended !== null && made !== null && made > ended + TICK_SECONDS;
  if (started === null || isBefore || isAfter)
    throw new UnreadableOutput(
      path,
      `there is nothing of attempt ${attempt} of job ${number} in this file: it was removed, or written by others since`,
    );
  // What only adds to a file leaves one that is empty as it made it.
  if (found.size === 0 && made !== null && written > made + TICK_SECONDS)
    throw new UnreadableOutput(
      path,
      `this file was emptied since attempt ${attempt} of job ${number} made it: what that wrote is gone`,
    );
  return { from: 0, to, isChanged };

  /** Where what the next one writes begins. Headings that the attempt has printed itself are passed over. */
  async function next(later: readonly (Part & Heading)[]): Promise<number | null> {
    for (const each of later) {
      if (each.job === number && each.attempt === attempt) continue;
      // One job at a time writes to a file, so that there is none from before its end.
      const isAfter = ended !== null && each.unixSeconds >= ended - SKEW_SECONDS;
      if (isAfter && (await writesHere(each)) !== false) return each.from;
    }
    return null;
  }
}

function unixSeconds(time: string | null): number | null {
  return time === null ? null : Date.parse(time) / 1000;
}

/** The headings in a file, with the line end before each, which is of the heading. */
async function headingsOf(path: string): Promise<(Part & Heading)[]> {
  const headings: (Part & Heading)[] = [];
  let rest = Buffer.alloc(0);
  let offset = 0;
  for await (const chunk of createReadStream(path)) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    const from = rest.length - HEADING_BYTES;
    for (let at = rest.indexOf(MARK); at >= 0 && at < from; at = rest.indexOf(MARK, at + 1)) take(at);
    const kept = Math.max(0, from);
    rest = rest.subarray(kept);
    offset += kept;
  }
  for (let at = rest.indexOf(MARK); at >= 0; at = rest.indexOf(MARK, at + 1)) take(at);
  return headings;

  function take(at: number): void {
    const end = rest.indexOf("\n", at + 1);
    const heading = end < 0 ? null : readHeading(rest.toString("latin1", at + 1, end));
    if (heading !== null) headings.push({ from: offset + at, to: offset + end + 1, ...heading });
  }
}
