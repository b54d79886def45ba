import { resolve } from "node:path";

import { FarmError } from "../../live/client/farm-error.ts";
import { InputError } from "../../workload/errors.ts";
import { sourceName } from "../../workload/input/bytes.ts";
import { isObject, type JsonObject } from "../../workload/input/json.ts";
import { readLines } from "../../workload/input/lines.ts";
import { outputPath } from "./output-path.ts";

/** As many as a farm takes at once. */
const MOST_JOBS = 10_000;

/** A file of jobs: each line a JSON object with the fields of a job, as REST has them. */
export interface JobFile {
  readonly jobs: readonly JsonObject[];
  /** The error with the file and the line of the job that it is about. */
  readonly located: (error: unknown) => unknown;
}

/**
 * Reads a file of jobs; empty lines are left out.
 *
 * @param file `-`: standard input
 * @param defaults fields of jobs that do not have them
 * @throws InputError with the line that is no job
 */
export async function readJobFile(file: string, defaults: JsonObject): Promise<JobFile> {
  const jobs: JsonObject[] = [];
  const lines: number[] = [];
  const decoder = new TextDecoder("utf-8", { fatal: true });
  await readLines(file, (bytes, start, end, line) => {
    const at = { file: sourceName(file), line };
    let job: unknown;
    try {
      const text = decoder.decode(bytes.subarray(start, end));
      if (text.trim() === "") return;
      job = JSON.parse(text);
    } catch (error) {
      throw new InputError(`this is no JSON: ${(error as Error).message}`, at);
    }
    if (!isObject(job))
      throw new InputError('a line is a JSON object: {"command": ["./run.sh", "17"], "cores": 2}', at);
    if (jobs.length === MOST_JOBS)
      throw new InputError(`a farm takes ${MOST_JOBS} jobs at once: submit the others after these`, at);
    jobs.push(absolute({ ...defaults, ...job }));
    lines.push(line);
  });
  if (jobs.length === 0) throw new InputError("there is no job in it", { file: sourceName(file) });
  return {
    jobs,
    located: (error) => {
      if (!(error instanceof FarmError || error instanceof InputError)) return error;
      const [, place, rest] = /^jobs\/(\d+)(.*)$/su.exec(error.message) ?? [];
      const line = lines[Number(place)];
      if (rest === undefined || line === undefined) return error;
      const text = rest.replace(/^[/:] ?/u, "");
      // What the farm refuses is no mistake in how the command is called, of one job as of many.
      return error instanceof FarmError
        ? new FarmError(error.status, `${sourceName(file)}:${line}: ${text}`)
        : new InputError(text, { file: sourceName(file), line });
    },
  };
}

/** Files and folders are where the client is. */
function absolute(job: JsonObject): JsonObject {
  const whole = { directory: resolve, input: resolve, output: outputPath, errorOutput: outputPath };
  const paths = Object.entries(whole).flatMap(([field, absolutePath]) => {
    const path = job[field];
    // Nothing would be this folder: the farm refuses it.
    return typeof path === "string" && path !== "" ? [[field, absolutePath(path)] as const] : [];
  });
  return { ...job, ...Object.fromEntries(paths) };
}
