import { InputError } from "../errors.ts";
import { mebibytesPer, milliOffered } from "../units.ts";
import { MAX_MACHINES, MachineList } from "./machine-list.ts";
import type { Machines } from "./machines.ts";

/** The example in errors. */
export const SHORTHAND_EXAMPLE = "1024x8c12g (1024 machines of 8 cores and 12 GiB)";

const GROUP = /^(\d+)x(\d+(?:\.\d+)?)c(?:(\d+(?:\.\d+)?)g)?$/i;

/** Whether `text` is meant as a shorthand: it begins like one. */
export function looksLikeShorthand(text: string): boolean {
  return /^\s*-?\d[\d.]*x[\d.+-]/i.test(text);
}

/**
 * Machines written as `<machines>x<cores>c<GiB>g`: `1024x8c12g`, `4x2.5c1.5g`.
 *
 * Without `g` memory is not considered: `1x100c`. Groups are joined by `+`:
 * `20x80c512g+48x12c96g`. The ids are `m1`, `m2`, … through all groups.
 * @throws InputError if it is not a shorthand
 */
export function parseShorthand(text: string): Machines {
  const groups = text.split("+").map((group) => parseGroup(group.trim(), text));
  const total = groups.reduce((sum, { machines }) => sum + machines, 0);
  if (total > MAX_MACHINES) throw new InputError(`"${text}": more than ${MAX_MACHINES} machines`);
  if (groups.some(({ memoryMiB }) => (memoryMiB === null) !== (groups[0]!.memoryMiB === null))) {
    throw new InputError(`"${text}": give memory for every group, or for none`);
  }
  const list = new MachineList();
  let number = 0;
  for (const { machines, coresMilli, memoryMiB } of groups) {
    for (let i = 0; i < machines; i++)
      list.add({ id: `m${++number}`, coresMilli, memoryMiB, gpuMilli: null }, {});
  }
  return list.finish(text.trim(), {});
}

function parseGroup(
  group: string,
  text: string,
): { machines: number; coresMilli: number; memoryMiB: number | null } {
  const [, machines, cores, memory] = GROUP.exec(group) ?? [];
  const place = group === text.trim() ? `"${group}"` : `"${text}": "${group}"`;
  if (machines === undefined || cores === undefined) {
    throw new InputError(`${place} is no group of machines such as ${SHORTHAND_EXAMPLE}`);
  }
  if (Number(machines) === 0) {
    throw new InputError(`${place} has no machines: give at least one, as in ${SHORTHAND_EXAMPLE}`);
  }
  return {
    machines: Number(machines),
    coresMilli: milliOffered(Number(cores)),
    memoryMiB: memory === undefined ? null : Math.floor(Number(memory) * mebibytesPer("GiB")),
  };
}
