import { LONGEST_COMMAND_BYTES, MOST_DEPENDENCIES, MOST_REQUEST_BYTES } from "../limits.ts";
import { tagsText, type JobRequest } from "../store/job-request.ts";
import { Refusal } from "../refusal.ts";

/** Of a job's row beside its texts, and of what the decision engine keeps of it. */
const ROW_BYTES = 500;
const DEPENDENCY_BYTES = 50;
const MIB = 1024 * 1024;

/**
 * About what the jobs of a request take to hold and to write.
 *
 * @throws Refusal where that is too much
 */
export function sizeOf(
  jobs: readonly JobRequest[],
  environment: Readonly<Record<string, string>> = {},
): number {
  let bytes = 0;
  for (const [name, value] of Object.entries(environment)) bytes += name.length + value.length;
  let dependencies = 0;
  // Those of an array share theirs.
  let command: JobRequest["command"] = [];
  let commandBytes = 0;
  const known = new Map<string, number>();
  const written = (text: string): number => {
    let size = known.get(text);
    if (size === undefined) known.set(text, (size = writtenBytes(text)));
    return size;
  };
  for (const job of jobs) {
    if (job.command !== command) {
      command = job.command;
      checkLength(command);
      commandBytes = command.reduce((sum, word) => sum + writtenBytes(word) + 1, 0);
    }
    const { directory, name, requires, licences, project, group, output, errorOutput, input, after } = job;
    const files = [output ?? "", errorOutput ?? "", input ?? ""];
    const others = [directory, name, requires, licences, project, group, ...files];
    bytes += ROW_BYTES + commandBytes + after.length * DEPENDENCY_BYTES;
    for (const text of others) bytes += written(text);
    // Tags twice, since lists of jobs have an index of them.
    bytes += written(job.comment) + 2 * written(tagsText(job.tags));
    dependencies += after.length;
  }
  if (dependencies > MOST_DEPENDENCIES)
    throw new Refusal(
      422,
      `these jobs name ${dependencies} jobs to wait for, together, and a request may name ${MOST_DEPENDENCIES}: let one job wait for the others, and the rest for that one`,
    );
  checkSize(bytes, jobs.length);
  return bytes;
}

/** @throws Refusal where so many jobs take too much */
export function checkSize(bytes: number, jobs: number): void {
  if (bytes > MOST_REQUEST_BYTES)
    throw new Refusal(
      422,
      `these ${jobs} jobs take ${Math.ceil(bytes / MIB)} MiB with their commands, and a request may take ${MOST_REQUEST_BYTES / MIB}: submit fewer at a time, or put what is long into a file that they read`,
    );
}

/** As a row has it: a control character takes six bytes there. */
function writtenBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** @throws Refusal where it can start nowhere */
function checkLength(command: JobRequest["command"]): void {
  const bytes = command.reduce((sum, word) => sum + Buffer.byteLength(word) + 1, 0);
  if (bytes > LONGEST_COMMAND_BYTES)
    throw new Refusal(
      422,
      `its command takes ${bytes} bytes, and no system starts one of more than ${LONGEST_COMMAND_BYTES}: put what is long into a file that it reads`,
    );
}
