import type { ArrivalAlgorithm, PackingAlgorithm } from "./algorithms/algorithm.ts";
import { mcb } from "./algorithms/mcb.ts";
import { mcbStretch } from "./algorithms/mcb-stretch.ts";
import type { Allocation } from "./allocation/allocation.ts";
import { maxMinYield } from "./allocation/max-min-yield.ts";
import { minMaxStretch } from "./allocation/min-max-stretch.ts";
import { allocations, arrivalAlgorithms, packingAlgorithms } from "./registry.ts";

/** A policy in parts. */
export interface OnlinePolicy {
  /** In the notation, as it is printed. */
  readonly name: string;
  /** What happens at a submission, unless `packing` does. */
  readonly arrival: ArrivalAlgorithm | null;
  /** `MCB`: everything is packed anew at a submission. */
  readonly packing: PackingAlgorithm | null;
  /** `*`: completions count too; jobs that wait are tried at both. */
  readonly isAtCompletions: boolean;
  /** `/per` and `/stretch-per`: what packs everything anew every period. */
  readonly periodic: PackingAlgorithm | null;
  /** `/MVT` */
  readonly isMinimumVirtualTimeKept: boolean;
  readonly allocation: Allocation;
}

const NOTATION = /^\s*([a-z]*)\s*(\*?)\s*((?:\/\s*[a-z=-]+\s*)*)$/i;
const MCB = "MCB";

/** Whether a name is meant in this notation, right or wrong. */
export function looksLikeOnlinePolicy(name: string): boolean {
  return /^\s*(\/|greedy|mcb)|\*|\/(stretch-)?per\b|\/mvt\b/i.test(name);
}

/** Every name before the first slash with every period: what a wrong name may have been meant to be. */
export function onlinePolicyNames(): string[] {
  const periods = packingAlgorithms.flatMap(({ name }) => [`/${name}`, `/${name}/MVT`]);
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
    return `before the first slash stands nothing, ${arrivalAlgorithms.map((each) => each.name).join(", ")} or MCB`;
  }
  let periodic: PackingAlgorithm | null = null;
  let isMinimumVirtualTimeKept = false;
  let allocation: Allocation | undefined;
  for (const suffix of suffixes.split("/").slice(1)) {
    const word = suffix.trim();
    const packs = packingAlgorithms.find((each) => isNamed(each.name, word));
    const shares = allocations.find((each) => isNamed(`OPT=${each.name}`, word));
    if (packs !== undefined && periodic === null) periodic = packs;
    else if (shares !== undefined && allocation === undefined) allocation = shares;
    else if (isNamed("MVT", word) && !isMinimumVirtualTimeKept) isMinimumVirtualTimeKept = true;
    else
      return `"/${word}" is none of /per, /stretch-per, /MVT, ${allocations.map((each) => `/OPT=${each.name}`).join(", ")}, or comes twice`;
  }
  if (star === "*" && name === "")
    return "a * repeats at completions what a name before it does at submissions";
  if (name === "" && periodic === null) return "without a name or /per nothing would ever start";
  // With neither, what does not fit at once would wait for ever: a name alone means both.
  const isAtCompletions = star === "*" || periodic === null;
  if (periodic === null && packing === null && isMinimumVirtualTimeKept)
    return "/MVT limits what MCB or /per moves";
  const usual = periodic === mcbStretch ? minMaxStretch : maxMinYield;
  if (periodic === null && allocation === minMaxStretch)
    return "/OPT=MAX looks ahead to the next period, and needs one";
  const words = [
    periodic === null ? "" : `/${periodic.name}`,
    isMinimumVirtualTimeKept ? "/MVT" : "",
    allocation === undefined || allocation === usual ? "" : `/OPT=${allocation.name}`,
  ];
  return {
    name: `${arrival?.name ?? (packing === null ? "" : MCB)}${isAtCompletions ? " *" : ""}${words.join("")}`,
    arrival,
    packing,
    isAtCompletions,
    periodic,
    isMinimumVirtualTimeKept,
    allocation: allocation ?? usual,
  };
}
