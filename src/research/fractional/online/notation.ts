import type { ArrivalAlgorithm, PackingAlgorithm } from "./algorithms/algorithm.ts";
import { greedy } from "./algorithms/greedy.ts";
import { mcb } from "./algorithms/mcb.ts";
import { mcbStretch } from "./algorithms/mcb-stretch.ts";
import type { Allocation } from "./allocation/allocation.ts";
import { maxMinYield } from "./allocation/max-min-yield.ts";
import { minMaxStretch } from "./allocation/min-max-stretch.ts";
import { priorities, type Priority } from "./priority.ts";
import { allocations, arrivalAlgorithms, packingAlgorithms } from "./registry.ts";

/** The parts of a policy. */
export interface OnlinePolicy {
  /** In the notation, as it is printed. */
  readonly name: string;
  /** What happens at a submission, unless `packing` does. */
  readonly arrival: ArrivalAlgorithm | null;
  /** `MCB`: everything is packed anew at a submission. */
  readonly packing: PackingAlgorithm | null;
  /** `*`: waiting jobs are tried at submissions and at completions. */
  readonly isAtCompletions: boolean;
  /** `/per` and `/stretch-per`: what packs everything anew every period. */
  readonly periodic: PackingAlgorithm | null;
  /** `/MVT` */
  readonly isMinimumVirtualTimeKept: boolean;
  /** `/MFT` */
  readonly isMinimumFlowTimeKept: boolean;
  /** `/PRIO=…`: which jobs run where not all fit. */
  readonly priority: Priority;
  readonly allocation: Allocation;
}

const NOTATION = /^\s*([a-z]*)\s*(\*?)\s*((?:\/\s*[a-z=-][a-z0-9=-]*\s*)*)$/i;
const MCB = "MCB";
const suffixNames: readonly string[] = [
  ...packingAlgorithms.map(({ name }) => `/${name}`),
  "/MVT",
  "/MFT",
  ...priorities.map(({ word }) => `/PRIO=${word}`),
  ...allocations.map(({ name }) => `/OPT=${name}`),
];

/** Whether a name is meant in this notation, right or wrong. */
export function looksLikeOnlinePolicy(name: string): boolean {
  return /^\s*(\/|greedy|mcb)|\*|\/(stretch-)?per\b|\/m[vf]t\b/i.test(name);
}

/** Every name before the first slash with every period: what a wrong name may have been meant to be. */
export function onlinePolicyNames(): string[] {
  const periods = packingAlgorithms.flatMap(({ name }) => [`/${name}`, `/${name}/MVT`, `/${name}/MFT`]);
  const starred = [...arrivalAlgorithms.map(({ name }) => name), MCB].map((name) => `${name} *`);
  return [...periods, ...starred.flatMap((name) => [name, ...periods.map((period) => `${name}${period}`)])];
}

/**
 * A policy in the notation of Stillwell 2014, as in `parseOnlinePolicy("/per/MVT")`.
 *
 * Returns what is wrong with it where it is none.
 */
export function parseOnlinePolicy(text: string): OnlinePolicy | string {
  const [, name, star, suffixes] = NOTATION.exec(text) ?? [];
  if (name === undefined) return "write it as in GreedyPM */per/MVT";
  const isNamed = (known: string, given: string): boolean => known.toLowerCase() === given.toLowerCase();
  const arrival = arrivalAlgorithms.find((each) => isNamed(each.name, name)) ?? null;
  const packing = isNamed(MCB, name) ? mcb : null;
  if (name !== "" && arrival === null && packing === null) {
    return `before the first slash there can be nothing, ${arrivalAlgorithms.map((each) => each.name).join(", ")} or MCB`;
  }
  let periodic: PackingAlgorithm | null = null;
  let isMinimumVirtualTimeKept = false;
  let isMinimumFlowTimeKept = false;
  let priority: Priority | undefined;
  let allocation: Allocation | undefined;
  for (const suffix of suffixes.split("/").slice(1)) {
    const word = suffix.trim();
    const packs = packingAlgorithms.find((each) => isNamed(each.name, word));
    const ranks = priorities.find((each) => isNamed(`PRIO=${each.word}`, word));
    const shares = allocations.find((each) => isNamed(`OPT=${each.name}`, word));
    if (packs !== undefined && periodic === null) periodic = packs;
    else if (shares !== undefined && allocation === undefined) allocation = shares;
    else if (ranks !== undefined && priority === undefined) priority = ranks;
    else if (isNamed("MVT", word) && !isMinimumVirtualTimeKept) isMinimumVirtualTimeKept = true;
    else if (isNamed("MFT", word) && !isMinimumFlowTimeKept) isMinimumFlowTimeKept = true;
    else return `"/${word}" is none of ${suffixNames.join(", ")}, or comes twice`;
  }
  if (star === "*" && name === "")
    return "a * needs a name before it, and repeats at completions what that does at submissions";
  if (name === "" && periodic === null) return "without a name or /per nothing would ever start";
  // Without * and /per, a job that does not fit at once would wait for ever: so a name alone means *.
  const isAtCompletions = star === "*" || periodic === null;
  const limits = [isMinimumVirtualTimeKept ? "/MVT" : "", isMinimumFlowTimeKept ? "/MFT" : ""];
  const limit = limits.find((each) => each !== "");
  if (periodic === null && packing === null && limit !== undefined)
    return `${limit} limits what MCB or /per moves`;
  if (priority !== undefined && arrival === greedy && periodic === null)
    return "/PRIO= says who is paused or left out, and Greedy alone does neither";
  const usual = periodic === mcbStretch ? minMaxStretch : maxMinYield;
  if (periodic === null && allocation === minMaxStretch)
    return "/OPT=MAX looks ahead to the next period, and needs one";
  const words = [
    periodic === null ? "" : `/${periodic.name}`,
    ...limits,
    priority === undefined || priority === priorities[0] ? "" : `/PRIO=${priority.word}`,
    allocation === undefined || allocation === usual ? "" : `/OPT=${allocation.name}`,
  ];
  return {
    name: `${arrival?.name ?? (packing === null ? "" : MCB)}${isAtCompletions ? " *" : ""}${words.join("")}`,
    arrival,
    packing,
    isAtCompletions,
    periodic,
    isMinimumVirtualTimeKept,
    isMinimumFlowTimeKept,
    priority: priority ?? priorities[0],
    allocation: allocation ?? usual,
  };
}
