import { attemptKey } from "../attempt-id.ts";
import { softLimitNames, softLimits } from "../soft-limits.ts";
import type { StartRequest } from "../engine.ts";

/**
 * What an attempt runs, as the wrapper's launcher reads it: for each item a line with its kind and the
 * number of line ends in its value, then the value. `end 0` is last; without it the file is cut off.
 *
 * @param defaults variables that the job's environment goes before
 * @param note a line for engines that find the attempt later; the launcher skips it
 */
export function launchFile(
  request: StartRequest,
  defaults: Readonly<Record<string, string>>,
  note: string,
): string {
  const {
    command,
    directory,
    environment,
    stdinPath = null,
    stdoutPath,
    stderrPath,
    heading,
    makesFolders,
    umask,
    softLimits: limits = {},
  } = request;
  const all: Record<string, string> = {
    ...defaults,
    ...environment,
    CROFT_ATTEMPT: attemptKey(request.id),
  };
  const names = Object.keys(all).filter((name) => !WORKING_DIRECTORY.has(name));
  const odd = names.filter((name) => !isPlain(name));
  // env takes everything with an equals sign for a variable, up to the first argument without one; a shell
  // between the two would drop the odd variables.
  const shielded = odd.length > 0 && command[0]!.includes("=") ? ["nice", "-n", "0", "--"] : [];
  const outputs = [
    { path: stdoutPath, items: stdoutPath === null ? [] : [item("stdout", stdoutPath)] },
    stdoutPath !== null && stdoutPath === stderrPath
      ? { path: stdoutPath, items: [item("errors-too", "")] }
      : { path: stderrPath, items: stderrPath === null ? [] : [item("stderr", stderrPath)] },
  ];
  // The farm has made its own files: they are there already, and the attempt's alone.
  const kept = request.limits.output?.paths ?? [];
  const isKept = ({ path }: { readonly path: string | null }): boolean =>
    path !== null && kept.includes(path);
  return [
    item("note", note),
    item("umask", umask ?? "022"),
    item("directory", directory),
    ...(stdinPath === null ? [] : [item("stdin", stdinPath)]),
    ...outputs.filter(isKept).flatMap(({ items }) => items),
    ...(heading === undefined ? [] : [item("heading", heading)]),
    ...(makesFolders === true ? [item("folders", "")] : []),
    ...outputs.filter((each) => !isKept(each)).flatMap(({ items }) => items),
    ...[...shielded, ...command].map((argument) => item("argument", argument)),
    ...odd.map((name) => item("odd", `${name}=${all[name]}`)),
    ...names.filter(isPlain).map((name) => item("variable", `${name}=${all[name]}`)),
    // Last, so that the launcher is done with its work when it meets them.
    ...softLimitNames.flatMap((name) => {
      const value = limits[name];
      if (value === undefined) return [];
      const { option, unit } = softLimits[name];
      return [item("limit", `${option} ${value === null ? "unlimited" : Math.floor(value / unit)}`)];
    }),
    "end 0\n",
  ].join("");
}

export function isWholeLaunchFile(text: string): boolean {
  return text.endsWith("\nend 0\n");
}

/** The files that it names for what the attempt prints. They come before its arguments, which may be very long. */
export function outputsOf(text: string): string[] {
  const files: string[] = [];
  for (let at = 0; ;) {
    const begin = text.indexOf("\n", at) + 1;
    const [kind, lineEnds] = text.slice(at, begin - 1).split(" ");
    if (begin === 0 || kind === "argument" || kind === "end") return files;
    let end = begin - 1;
    for (let left = Number(lineEnds) + 1; left > 0; left--) {
      end = text.indexOf("\n", end + 1);
      if (end < 0) return files;
    }
    if (kind === "stdout" || kind === "stderr") files.push(text.slice(begin, end));
    at = end + 1;
  }
}

/** Null where there is none. */
export function noteOf(text: string): string | null {
  const [head, note] = text.split("\n", 2);
  return head === "note 0" && note !== undefined ? note : null;
}

function item(kind: string, value: string): string {
  return `${kind} ${value.split("\n").length - 1}\n${value}\n`;
}

/** The launcher sets them when it goes there. */
const WORKING_DIRECTORY = new Set(["PWD", "OLDPWD"]);

/** Names with a meaning of their own in some shell: to set them could change or end the launcher. */
const SPECIAL =
  /^(?:BASH.*|CDPATH|COMP.*|DIRSTACK|ENV|EPOCH.*|EUID|FUNCNAME|GROUPS|HIST.*|IFS|LINENO|MAIL.*|OPT.*|POSIXLY_CORRECT|PPID|PS[0-9]|RANDOM|REPLY|SECONDS|SHELLOPTS|SRANDOM|UID|_|croft_.*)$/;

/** Whether a shell can take the name for a variable like any other. */
function isPlain(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !SPECIAL.test(name);
}
