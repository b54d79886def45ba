import type { PackingPolicy } from "../../core/index.ts";
import type { Workload } from "../../workload/index.ts";
import type { Ledger } from "../run/ledger.ts";
import { familyName, type PackingChoice } from "../settings/families.ts";
import type { NodePower } from "../settings/settings.ts";
import type { PackingFigures } from "./meter.ts";

/** What a run with packing adds to its figures. */
export interface PackingResult extends Pick<
  PackingFigures,
  "packingIndexMean" | "fillFactorMean" | "idleNodesMean" | "fillFactorSteps"
> {
  readonly packing: PackingRun;
  /** Absent unless the watts of a node are given. */
  readonly energy?: EnergyUse;
}

interface PackingRun {
  readonly policy: PackingPolicy;
  /** Absent where reservations never expire, or there are none. */
  readonly ttlSeconds?: number;
  readonly families: readonly FamilyFigures[];
  readonly ordinary: { readonly jobs: number; readonly waitMeanSeconds: number };
}

interface FamilyFigures {
  readonly family: string;
  /** Of those that started, without warm-up and cool-down. */
  readonly jobs: number;
  readonly waitMeanSeconds: number;
  readonly packingIndexMean: number | null;
}

/** Over the time that the indicators are means of. */
interface EnergyUse {
  readonly idleWatts: number;
  readonly busyWatts: number;
  /** With every node switched on all the time. */
  readonly allOnKilowattHours: number;
  /** What idle nodes would save, could they be switched off and on at once and at no cost: an upper bound. */
  readonly savedKilowattHours: number;
  /** Of `allOnKilowattHours`. */
  readonly savedShare: number;
}

/**
 * @param familyOf by row
 * @param counted seconds of submission: jobs outside are not counted
 */
export function packingResult(
  choice: PackingChoice,
  figures: PackingFigures,
  workload: Workload,
  ledger: Ledger,
  familyOf: Uint8Array,
  nodes: number,
  power: NodePower | null,
  counted: { readonly from: number; readonly until: number },
): PackingResult {
  const jobs = new Float64Array(choice.families.length + 1);
  const waits = new Float64Array(choice.families.length + 1);
  for (let row = 0; row < workload.count; row++) {
    const submit = ledger.submitSeconds[row];
    const wait = Number.isNaN(ledger.startSeconds[row]) ? NaN : ledger.waitOf(row);
    if (Number.isNaN(wait) || submit < counted.from || submit > counted.until) continue;
    jobs[familyOf[row]]++;
    waits[familyOf[row]] += wait;
  }
  const of = (family: number): { jobs: number; waitMeanSeconds: number } => ({
    jobs: jobs[family],
    waitMeanSeconds: jobs[family] === 0 ? 0 : waits[family] / jobs[family],
  });
  const { packingIndexMean, fillFactorMean, idleNodesMean, packingIndexMeans, fillFactorSteps } = figures;
  return {
    packing: {
      policy: choice.policy,
      ...(choice.policy === "exclusive" && choice.ttlSeconds !== Infinity
        ? { ttlSeconds: choice.ttlSeconds }
        : {}),
      families: choice.families.map((family, i) => ({
        family: familyName(family),
        ...of(i + 1),
        packingIndexMean: packingIndexMeans[i],
      })),
      ordinary: of(0),
    },
    packingIndexMean,
    fillFactorMean,
    idleNodesMean,
    fillFactorSteps,
    ...(power === null ? {} : { energy: energyUse(power, figures, nodes) }),
  };
}

const JOULES_PER_KILOWATT_HOUR = 3.6e6;

/** A node that is down draws nothing. */
function energyUse({ idleWatts, busyWatts }: NodePower, figures: PackingFigures, nodes: number): EnergyUse {
  const { seconds, downNodeSeconds, idleNodeSeconds, busyNodeSeconds } = figures;
  const allOn = idleWatts * (nodes * seconds - downNodeSeconds) + (busyWatts - idleWatts) * busyNodeSeconds;
  const saved = idleWatts * idleNodeSeconds;
  return {
    idleWatts,
    busyWatts,
    allOnKilowattHours: allOn / JOULES_PER_KILOWATT_HOUR,
    savedKilowattHours: saved / JOULES_PER_KILOWATT_HOUR,
    savedShare: allOn === 0 ? 0 : saved / allOn,
  };
}
