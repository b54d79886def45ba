import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";

import { readHeading } from "../../live/service/output-sections.ts";
import { InputError } from "../../workload/errors.ts";
import type { JobDetails } from "./job-text.ts";

/** Bytes of a file. */
export interface Part {
  readonly from: number;
  /** The first that is not of it. */
  readonly to: number;
}

const MARK = Buffer.from("\n==== croft: job ");
/** Longer than any heading. */
const HEADING_BYTES = 120;
/** Clocks that stamp files are coarser than those that time attempts. */
const TOLERANCE_MILLISECONDS = 2000;

/**
 * What an attempt has written to the file that its job names: the part below its heading or, where the attempt made the
 * file, what is before the first one.
 *
 * @throws InputError where the file is gone, or has nothing of the attempt any more
 */
export async function ownPart(
  path: string,
  { number, attempts }: Pick<JobDetails, "number" | "attempts">,
  attempt: number,
): Promise<Part> {
  const found = await stat(path).catch((error: unknown) => {
    throw new InputError(
      `job ${number} writes to this file, which cannot be read: ${(error as Error).message}`,
      {
        file: path,
      },
    );
  });
  if (!found.isFile())
    throw new InputError(`job ${number} writes to this, which is no file and keeps nothing`, { file: path });
  const headings = await headingsOf(path);
  const at = headings.findLastIndex((each) => each.job === number && each.attempt === attempt);
  if (at >= 0) return { from: headings[at]!.to, to: headings[at + 1]?.from ?? found.size };
  const { startedAt = null, endedAt = null } = attempts.find((each) => each.attempt === attempt) ?? {};
  // Not every file system tells when a file was made.
  const isMade = found.birthtimeMs > 0;
  const isBefore = startedAt !== null && found.birthtimeMs < Date.parse(startedAt) - TOLERANCE_MILLISECONDS;
  const isAfter = endedAt !== null && found.birthtimeMs > Date.parse(endedAt) + TOLERANCE_MILLISECONDS;
  if (startedAt === null || (isMade && (isBefore || isAfter)))
    throw new InputError(
      `there is nothing of attempt ${attempt} of job ${number} in this file: it was removed, or written by others since`,
      { file: path },
    );
  return { from: 0, to: headings[0]?.from ?? found.size };
}

/** The headings in a file, with the line end before each, which is of the heading. */
async function headingsOf(
  path: string,
): Promise<(Part & { readonly job: number; readonly attempt: number })[]> {
  const headings: (Part & { job: number; attempt: number })[] = [];
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
