import { setTimeout as pause } from "node:timers/promises";

import type { Client } from "../../live/client/client.ts";
import { FarmError } from "../../live/client/farm-error.ts";

/** Between two looks at what is there. */
export const LOOK_MILLISECONDS = 200;

type Stream = "stdout" | "stderr";

/** Of what is shown. */
export interface Shown {
  readonly attempt: number;
  /** Whether later attempts are shown too. */
  readonly goesOn: boolean;
  /** Until the job is over, and not only what is there. */
  readonly follows: boolean;
}

/**
 * Shows what a job has printed, as the farm keeps or reads it: its output, and its error output as the error output of
 * this command, as if the job ran here.
 */
export async function showBoth(farm: Client, name: string, shown: Shown): Promise<void> {
  const error = (): Promise<void> => showOutput(farm, name, "stderr", shown, process.stderr);
  // One after the other where all of it is there: they would only be mixed.
  if (shown.follows) await Promise.all([showOutput(farm, name, "stdout", shown), error()]);
  else {
    await showOutput(farm, name, "stdout", shown);
    await error();
  }
}

export async function showOutput(
  farm: Client,
  name: string,
  stream: Stream,
  shown: Shown,
  to: NodeJS.WritableStream = process.stdout,
): Promise<void> {
  let { attempt } = shown;
  let from = 0;
  for (;;) {
    const path = `/v1/jobs/${name}/output?stream=${stream}&attempt=${attempt}&from=${from}`;
    const { headers, body } = await farm.insist(() => farm.raw("GET", path));
    await write(body, to);
    from += body.length;
    if (body.length > 0) continue;
    const last = Number(headers["croft-job-attempt"]);
    if (!shown.follows || (attempt >= last && headers["croft-job-over"] === "true")) return;
    if (attempt < last) {
      if (!shown.goesOn) return;
      // It runs again: what it prints then is another text.
      attempt++;
      from = 0;
      continue;
    }
    await pause(LOOK_MILLISECONDS);
  }
}

/** Longer output is not read into memory. */
const MOST_READ_BYTES = 64 * 1024 * 1024;

/**
 * What the last attempt of a job that is over has printed.
 *
 * @throws FarmError where that is more than fits
 */
export async function readOutput(farm: Client, name: string, stream: Stream): Promise<Buffer> {
  const parts: Buffer[] = [];
  let from = 0;
  for (;;) {
    const path = `/v1/jobs/${name}/output?stream=${stream}&from=${from}`;
    const { headers, body } = await farm.insist(() => farm.raw("GET", path));
    parts.push(body);
    from += body.length;
    if (from > MOST_READ_BYTES)
      throw new FarmError(413, `job ${name} has printed more than ${MOST_READ_BYTES} bytes`);
    if (body.length > 0) continue;
    if (headers["croft-job-over"] === "true") return Buffer.concat(parts);
    await pause(LOOK_MILLISECONDS);
  }
}

/** Writes bytes unchanged, since output need not be text. */
export function write(bytes: Uint8Array, to: NodeJS.WritableStream = process.stdout): Promise<void> {
  return new Promise((resolve, reject) => {
    to.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
