import { mcb } from "./algorithms/mcb.ts";
import { mcbStretch } from "./algorithms/mcb-stretch.ts";
import { greedy } from "./algorithms/greedy.ts";
import { greedyP } from "./algorithms/greedy-p.ts";
import { greedyPM } from "./algorithms/greedy-pm.ts";
import type { ArrivalAlgorithm, PackingAlgorithm } from "./algorithms/algorithm.ts";
import type { Allocation } from "./allocation/allocation.ts";
import { averageYield } from "./allocation/average-yield.ts";
import { maxMinYield } from "./allocation/max-min-yield.ts";
import { minMaxStretch } from "./allocation/min-max-stretch.ts";

/** What can stand before the first slash, besides `MCB`. To add one: a file in `algorithms/`, and a line here. */
export const arrivalAlgorithms: readonly ArrivalAlgorithm[] = [greedy, greedyP, greedyPM];

/** What can run every period. */
export const packingAlgorithms: readonly PackingAlgorithm[] = [mcb, mcbStretch];

/** How CPU can be shared out. */
export const allocations: readonly Allocation[] = [maxMinYield, averageYield, minMaxStretch];
