import { existsSync, statSync } from "node:fs";

import { InputError } from "../errors.ts";
import { generators } from "../generators/registry.ts";
import { readFirstBytes, sourceName, STANDARD_INPUT, wholeOf, type ByteSource } from "../input/bytes.ts";
import { firstLine } from "../input/first-line.ts";
import { alea } from "./alea.ts";
import { htcondorJson } from "./htcondor-json.ts";
import { htcondorLong } from "./htcondor-long.ts";
import { csv } from "./csv.ts";
import type { MachinesFormat, MachinesOptions } from "./format.ts";
import { kubernetes } from "./kubernetes.ts";
import { lsf } from "./lsf.ts";
import type { Machines } from "./machines.ts";
import { openb } from "./openb.ts";
import { pbsnodesJson } from "./pbsnodes-json.ts";
import { pbsnodes } from "./pbsnodes.ts";
import { qhost } from "./qhost.ts";
import { scontrol } from "./scontrol.ts";
import { looksLikeShorthand, parseShorthand, SHORTHAND_EXAMPLE } from "./shorthand.ts";
import { sinfo } from "./sinfo.ts";
import { slurmJson } from "./slurm-json.ts";

/**
 * Every format of machine lists. The first that recognises a file reads it, so those with unmistakable content come
 * first.
 */
export const machinesFormats: readonly MachinesFormat[] = [
  openb,
  scontrol,
  sinfo,
  slurmJson,
  pbsnodes,
  pbsnodesJson,
  lsf,
  qhost,
  htcondorJson,
  htcondorLong,
  kubernetes,
  csv,
  alea,
];

/** A farm with a name instead of a file. */
interface NamedFarm {
  readonly name: string;
  readonly summary: string;
  machines(): Machines;
}

/** Every farm that has a name. */
const namedFarms: readonly NamedFarm[] = generators;

/** Enough for the first lines of any format. */
const FIRST_BYTES = 1 << 16;

/**
 * The machines for `spec`: a file, `-` for standard input, else a named farm, else a shorthand such as `1024x8c12g`.
 * @throws InputError if it is none of them, or cannot be used
 */
export async function readMachines(spec: string, options: MachinesOptions = {}): Promise<Machines> {
  if (spec === "-") return readMachinesFile(await wholeOf(STANDARD_INPUT), options);
  if (existsSync(spec)) return readMachinesFile(spec, options);
  const farm = namedFarms.find(({ name }) => name === spec);
  if (farm === undefined && !looksLikeShorthand(spec)) {
    const farms =
      namedFarms.length === 0 ? "" : `, nor a farm (${namedFarms.map(({ name }) => name).join(", ")})`;
    throw new InputError(`"${spec}" is neither a file nor a shorthand such as ${SHORTHAND_EXAMPLE}${farms}`);
  }
  refuseIdle(options, [], `"${spec}"`, {});
  return farm === undefined ? parseShorthand(spec) : farm.machines();
}

/** @throws InputError if the file is not a list of machines */
export async function readMachinesFile(given: ByteSource, options: MachinesOptions = {}): Promise<Machines> {
  const source = isPipe(given) ? { ...(await wholeOf(given)), name: "pipe" } : given;
  const file = sourceName(source);
  const firstBytes = await readFirstBytes(source, FIRST_BYTES);
  if (firstBytes.length === 0) throw new InputError("the file is empty", { file });
  const format = machinesFormats.find((format) => format.matches(file, firstBytes));
  if (format === undefined) throw new InputError(unknown(firstBytes), { file });
  refuseIdle(options, format.takes, `a list of this format (${format.name})`, { file });
  return format.read(source, options);
}

/** A shell's `<(scontrol show node)` can be read only once, so it is read as a whole. */
function isPipe(source: ByteSource): source is string {
  return typeof source === "string" && statSync(source, { throwIfNoEntry: false })?.isFIFO() === true;
}

/** @throws InputError for an option that would have no effect */
function refuseIdle(
  { memoryUnit, leaveOutDown }: MachinesOptions,
  takes: MachinesFormat["takes"],
  what: string,
  where: { readonly file?: string },
): void {
  if (memoryUnit !== undefined && !takes.includes("memoryUnit")) {
    throw new InputError(`${what} has memory in a unit of its own: leave out --machine-memory-unit`, where);
  }
  if (leaveOutDown === true && !takes.includes("leaveOutDown")) {
    throw new InputError(`${what} does not tell which machines are down: leave out --leave-out-down`, where);
  }
}

/** Common tables that lack the nodes' cores, by their titles, and what to use instead. */
const TOO_LITTLE: readonly (readonly [RegExp, string])[] = [
  [/^NAME +STATUS +ROLES +AGE/, "kubectl get nodes -o json"],
  [/^Name +OpSys +Arch +State/, "condor_status -json"],
  [/^vnode +state /, "pbsnodes -a"],
  [/^HOST_NAME +status +r15s/, "lshosts -w"],
];

function unknown(firstBytes: Uint8Array): string {
  const first = firstLine(firstBytes);
  const [, instead] = TOO_LITTLE.find(([titles]) => titles.test(first)) ?? [];
  if (instead !== undefined)
    return `this table does not tell what the nodes have: give the output of ${instead}`;
  const known = machinesFormats.map(({ name, summary }) => `${name} (${summary})`).join(", ");
  return `this is not a list of machines known here: ${known}`;
}
