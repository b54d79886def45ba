import { attemptKey } from "./attempt-id.ts";
import type { StartRequest } from "./engine.ts";

/** What Linux takes as one argument or one variable (MAX_ARG_STRLEN), with its final zero. */
const LONGEST_TEXT_BYTES = 128 * 1024 - 1;
/** Of all arguments and variables together: below the least that Linux grants (a quarter of a stack of 8 MiB). */
const LONGEST_TOTAL_BYTES = 1024 * 1024;
/** Variables of this prefix are the farm's own. */
export const OWN_PREFIX = "CROFT_";
/** Those of them that the service, or a user who tries out a farm, may set for a job. */
const PASSED = ["CROFT_JOB_", "CROFT_SIMULATED_"];

/**
 * Why a request can run nowhere; null if it can. Engines answer such a request with `start-failed` and the fault
 * `job`.
 *
 * @throws {RangeError} where the attempt's name is none
 */
export function requestProblem(request: StartRequest): string | null {
  attemptKey(request.id);
  const { placement, command, directory, environment, stdinPath = null, stdoutPath, stderrPath } = request;
  if (placement.length === 0) return "it is placed on no machine";
  if (new Set(placement.map(({ machine }) => machine)).size < placement.length)
    return "it is placed on a machine twice";
  const program = command[0];
  if (program === undefined || program === "") return "it has no command";
  if (program.startsWith("-")) return "its command begins with a dash";
  for (const path of [directory, stdinPath, stdoutPath, stderrPath])
    if (path !== null && !path.startsWith("/")) return `${shown(path)} is no absolute path`;
  for (const name of Object.keys(environment)) {
    if (name === "" || name.includes("=")) return `${shown(name)} cannot be the name of a variable`;
    if (name.startsWith(OWN_PREFIX) && !PASSED.some((prefix) => name.startsWith(prefix)))
      return `variables that begin with ${OWN_PREFIX} are set by the farm itself: ${shown(name)}`;
  }
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  let total = 0;
  for (const text of [
    ...command,
    ...variables,
    directory,
    stdinPath ?? "",
    stdoutPath ?? "",
    stderrPath ?? "",
  ]) {
    if (text.includes("\0")) return `${shown(text)} has a zero byte in it`;
    const bytes = Buffer.byteLength(text);
    if (bytes > LONGEST_TEXT_BYTES) return `${shown(text)} is longer than ${LONGEST_TEXT_BYTES} bytes`;
    total += bytes + 1;
  }
  if (total > LONGEST_TOTAL_BYTES)
    return `its command and environment take ${total} bytes, more than ${LONGEST_TOTAL_BYTES}`;
  return null;
}

/** A user's text for a message: one line, shortened. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
