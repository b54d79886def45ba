import type { AlgorithmFamily, FractionalAlgorithm } from "../algorithm.ts";
import type { FractionalInstance } from "../instance.ts";
import { bestFit } from "./best-fit.ts";
import { MAX_WINDOW } from "./filling.ts";
import { firstFit } from "./first-fit.ts";
import { heterogeneousPackers, homogeneousPackers } from "./meta.ts";
import type { Measure } from "./orders.ts";
import type { Packer, PackerTiers } from "./packer.ts";
import { permutationPack } from "./permutation-pack.ts";
import { bestPacking } from "./search.ts";

/** As in the experiments on the slides (JPDC 2010). */
const DEFAULT_WINDOW = 2;

export const fitFamily: AlgorithmFamily = {
  pattern: "vp-{ff,bf}-{sum,max,lex}",
  summary: "first fit or best fit vector packing; services by decreasing sum, maximum, lexicographic order",
  algorithms: (["sum", "max", "lex"] as const).flatMap((measure) => [
    packing(
      `vp-ff-${measure}`,
      `first fit, services by decreasing ${measure}`,
      only(firstFit(`descending-${measure}`, "given")),
    ),
    packing(
      `vp-bf-${measure}`,
      `best fit, services by decreasing ${measure}`,
      only(bestFit(`descending-${measure}`)),
    ),
  ]),
};

export const permutationFamily: AlgorithmFamily = {
  pattern: `vp-{pp,cp}-{sum,max,dif,ratio}[-w1…${MAX_WINDOW},-wd]`,
  summary: `Permutation Pack or Choose Pack; the window is ${DEFAULT_WINDOW} unless named; wd: as wide as there are dimensions, at most ${MAX_WINDOW}`,
  algorithms: (["permutation", "choose"] as const).flatMap((kind) =>
    (["sum", "max", "dif", "ratio"] as const).flatMap((measure) => [
      permutationNamed(kind, measure, DEFAULT_WINDOW, ""),
      ...Array.from({ length: MAX_WINDOW }, (_, i) => permutationNamed(kind, measure, i + 1, `-w${i + 1}`)),
      permutationNamed(kind, measure, MAX_WINDOW, "-wd"),
    ]),
  ),
};

export const metaPackingFamily: AlgorithmFamily = {
  pattern: "meta-vp, meta-hvp",
  summary: "the best of all vector packing; meta-hvp is for unequal hosts",
  algorithms: [
    packing("meta-vp", "the best vector packing, hosts in the order given", homogeneousPackers),
    packing("meta-hvp", "the best vector packing by every order of hosts", heterogeneousPackers),
  ],
};

function permutationNamed(
  kind: "permutation" | "choose",
  measure: Measure,
  window: number,
  suffix: string,
): FractionalAlgorithm {
  const title = kind === "permutation" ? "Permutation Pack" : "Choose Pack";
  return packing(
    `vp-${kind === "permutation" ? "pp" : "cp"}-${measure}${suffix}`,
    `${title} with ${suffix === "-wd" ? "a window as wide as the dimensions" : `window ${window}`}, services by decreasing ${measure}`,
    only(permutationPack(kind, window, `descending-${measure}`, "given")),
  );
}

function packing(
  name: string,
  summary: string,
  packersFor: (instance: FractionalInstance) => PackerTiers,
): FractionalAlgorithm {
  return {
    name,
    summary,
    solve: (instance, options) => bestPacking(instance, packersFor(instance), options),
  };
}

function only(packer: Packer): () => PackerTiers {
  return () => ({ first: packer, leading: () => [packer], following: () => [], fallback: () => [] });
}
