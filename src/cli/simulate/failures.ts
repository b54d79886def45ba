import type { FailureSettings, Outage } from "../../simulation/index.ts";
import { InputError, nearest, timeOnLog, type Machines, type Workload } from "../../workload/index.ts";
import { beginningOf } from "../../workload/input/bytes.ts";
import { duration } from "../options.ts";

/** The largest list of failures that is read. */
const MAX_BYTES = 1 << 26;

/** Whether `--failures` asks for failures drawn at random, and not for a file's. */
export function drawsFailures(text: string): boolean {
  return /^(mtbf|mttr|shape)=/.test(text);
}

/**
 * Reads `--failures`: `mtbf=30d,mttr=4h`, with `shape=0.7` for a Weibull distribution, or a file.
 *
 * @throws InputError naming what is wrong, and in a file the line
 */
export async function readFailures(
  text: string,
  machines: Machines,
  workload: Workload,
): Promise<FailureSettings> {
  return drawsFailures(text)
    ? drawnFailures(text)
    : { kind: "listed", outages: await readOutages(text, machines, workload) };
}

/** @throws InputError where it is not as in `mtbf=30d,mttr=4h,shape=0.7` */
function drawnFailures(text: string): FailureSettings {
  const usage = "give --failures mtbf=30d,mttr=4h, with shape=0.7 for a Weibull distribution, or a file";
  const given = new Map<string, string>();
  for (const part of text.split(",")) {
    const [, name, value = ""] = /^\s*(mtbf|mttr|shape)=(.+?)\s*$/.exec(part) ?? [];
    if (name === undefined || given.has(name))
      throw new InputError(
        `--failures: "${part}" ${name === undefined ? "is unknown" : "is there twice"}: ${usage}`,
      );
    given.set(name, value);
  }
  const seconds = (name: string): number => {
    const value = given.get(name);
    if (value === undefined) throw new InputError(`--failures: ${name} is missing: ${usage}`);
    try {
      return duration(value);
    } catch {
      throw new InputError(`--failures: ${name}=${value} is not a time: ${usage}`);
    }
  };
  const shape = given.get("shape") ?? "1";
  if (!(Number(shape) > 0))
    throw new InputError(`--failures: shape=${shape} is not a number above 0: ${usage}`);
  return { kind: "drawn", mtbfSeconds: seconds("mtbf"), mttrSeconds: seconds("mttr"), shape: Number(shape) };
}

/** Reads CSV lines `machine,down,up`; times are seconds on the log's clock, or dates. */
async function readOutages(file: string, machines: Machines, workload: Workload): Promise<Outage[]> {
  const { firstBytes } = await beginningOf(file, MAX_BYTES + 1);
  if (firstBytes.length > MAX_BYTES)
    throw new InputError(`a list of failures has at most ${MAX_BYTES} bytes`, { file });
  const numberOf = new Map(machines.ids.map((id, machine) => [id, machine]));
  const outages: (Outage & { readonly line: number })[] = [];
  const lines = new TextDecoder().decode(firstBytes).split(/\r?\n/);
  for (const [at, text] of lines.entries()) {
    if (text.trim() === "" || (at === 0 && /^\s*machine\s*,\s*down\s*,\s*up\s*$/i.test(text))) continue;
    const where = { file, line: at + 1 };
    if (at === 0 && !/\d/.test(text))
      throw new InputError(`the columns are machine,down,up, and not ${text.slice(0, 80)}`, where);
    const [, id, down = "", up = ""] = /^\s*"?(.+?)"?\s*,([^,]*),([^,]*)$/.exec(text) ?? [];
    if (id === undefined)
      throw new InputError(`"${text.slice(0, 80)}" is no machine and its times, as in m1,3600,7200`, where);
    const machine = numberOf.get(id);
    if (machine === undefined) {
      // A large farm's names are too many to compare with.
      const near = nearest(id, machines.ids.slice(0, 10_000)).join(", ");
      throw new InputError(`there is no machine "${id}"; did you mean ${near}?`, where);
    }
    const outage = {
      machine,
      downSeconds: time(down, workload, where),
      upSeconds: time(up, workload, where),
    };
    if (outage.upSeconds <= outage.downSeconds)
      throw new InputError(`machine ${id} is up again no later than it is down`, where);
    outages.push({ ...outage, line: at + 1 });
  }
  refuseOverlaps(outages, machines, file);
  return outages.map(({ line: _line, ...outage }) => outage);
}

function refuseOverlaps(
  outages: readonly (Outage & { readonly line: number })[],
  { ids }: Machines,
  file: string,
): void {
  const last = new Map<number, Outage & { readonly line: number }>();
  for (const outage of outages.toSorted((a, b) => a.downSeconds - b.downSeconds || a.line - b.line)) {
    const before = last.get(outage.machine);
    if (before !== undefined && outage.downSeconds < before.upSeconds) {
      const first = Math.min(before.line, outage.line);
      const second = Math.max(before.line, outage.line);
      throw new InputError(`machine ${ids[outage.machine]} is down already by line ${first}`, {
        file,
        line: second,
      });
    }
    last.set(outage.machine, outage);
  }
}

function time(text: string, workload: Workload, where: { file: string; line: number }): number {
  try {
    return timeOnLog(text.trim(), workload);
  } catch (error) {
    throw new InputError(error instanceof Error ? error.message : String(error), where);
  }
}
