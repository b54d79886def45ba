import { CYCLES_SETTING } from "../../report/index.ts";
import {
  CYCLE_SECONDS,
  defaultSettings,
  familyName,
  nodePoliciesOf,
  type Estimates,
  type SimulationSettings,
} from "../../simulation/index.ts";
import type { Farm, Workload } from "../../workload/index.ts";
import type { SimulateFlags } from "./flags.ts";
import { isFarm, type Place } from "./place.ts";
import { policyKinds } from "./remarks.ts";
import type { PlannedRun } from "./runs.ts";

/** The settings that all runs share, in words, for the report. */
export function describeSettings(
  flags: SimulateFlags,
  planned: readonly PlannedRun[],
  place: Place,
  { farm: recorded }: Pick<Workload, "farm"> = { farm: null },
): { name: string; value: string }[] {
  const settings = { ...defaultSettings, ...planned[0]?.settings };
  const { examined, reserving, warmupSeconds, cooldownSeconds } = settings;
  const rows: [string, string][] = [
    ["preset", flags.preset ?? "none"],
    [CYCLES_SETTING, cyclesText(settings, planned, place, recorded?.intervalSeconds)],
    ["jobs examined in a cycle", count(examined)],
    [
      "jobs that may reserve in a cycle",
      reserving === null && isFarm(place) ? "each pool's own" : count(reserving ?? Infinity),
    ],
    ["expected run times", estimatesText(settings, planned, place)],
    [
      "fair share over projects",
      settings.fairShare !== null ? fairShareText(settings) : isFarm(place) ? "each pool's own" : "no",
    ],
    ...(isFarm(place) ? farmRows(place, settings) : []),
    ...(settings.failures === null ? [] : [["failing machines", failuresText(settings)] as [string, string]]),
    ...(flags.plugin === undefined ? [] : [["plugin", flags.plugin] as [string, string]]),
    ...(settings.packing === null
      ? []
      : [
          ["families of jobs kept together", settings.packing.families.map(familyName).join("; ")] as [
            string,
            string,
          ],
        ]),
    ...(settings.clock === "order"
      ? ([
          ["clock", "the farm's own: jobs come one after the other, in the log's order"],
          ["jobs that wait at a time", settings.queuedJobs ?? "as many as there are nodes"],
        ].map(([name, value]) => [name, String(value)]) as [string, string][])
      : []),
  ];
  if (settings.maxJobsList.length > 0) rows.push(["Max-Jobs tries", settings.maxJobsList.join(", ")]);
  const families = new Set(planned.map(({ policy }) => nodePoliciesOf(policy)));
  for (const family of families)
    rows.push(...(family?.describe(settings) ?? []).map(([name, value]): [string, string] => [name, value]));
  if (settings.nodeSpeeds !== null) rows.push(["speeds of the nodes", speedsText(settings.nodeSpeeds)]);
  if (warmupSeconds > 0) rows.push(["left out at the start", `${warmupSeconds} s`]);
  if (cooldownSeconds > 0) rows.push(["left out at the end", `${cooldownSeconds} s`]);
  if (flags.scaleCores !== undefined) rows.push(["cores of every machine", `× ${flags.scaleCores}`]);
  if (flags.scaleMemory !== undefined) rows.push(["memory of every machine", `× ${flags.scaleMemory}`]);
  return rows.map(([name, value]) => ({ name, value }));
}

function cyclesText(
  { eventOrder, intervalSeconds }: SimulationSettings,
  planned: readonly PlannedRun[],
  place: Place,
  ran: number | undefined,
): string {
  if (eventOrder === "single") return "after single events";
  if (intervalSeconds === 0) return AFTER_EVENTS;
  if (intervalSeconds !== null) return `every ${intervalSeconds} s`;
  const asRan = ran === undefined ? null : `${ran === 0 ? AFTER_EVENTS : `every ${ran} s`}, as they ran`;
  if (isFarm(place)) return `each pool's own${asRan === null ? "" : `; without one ${asRan}`}`;
  if (asRan !== null) return asRan;
  const names = [...new Set(planned.map(({ policy }) => policy))];
  const inCycles = (reacts: boolean): string[] =>
    names.filter((name) => policyKinds(place, name).some((kind) => kind?.reactsToEvents === reacts));
  const [reacting, others] = [inCycles(true), inCycles(false)];
  if (reacting.length === 0) return others.length === 0 ? "each policy's own" : EVERY_CYCLE;
  return others.length === 0 ? AFTER_EVENTS : `${EVERY_CYCLE}; ${reacting.join(", ")}: ${AFTER_EVENTS}`;
}

const AFTER_EVENTS = "after every event";
const EVERY_CYCLE = `every ${CYCLE_SECONDS} s`;

function fairShareText({ usage }: SimulationSettings): string {
  if (usage === null) return "by the cores in use";
  const what = usage.of === "dominant" ? "the dominant resource" : usage.of;
  return `by what was used of ${what}, halved every ${usage.halfLifeSeconds} s`;
}

/** `64 of 1, 64 of 0.5`. */
function speedsText(speeds: readonly number[]): string {
  return [...Map.groupBy(speeds, (speed) => speed)]
    .map(([speed, nodes]) => `${nodes.length} of ${speed}`)
    .join(", ");
}

function farmRows(farm: Farm, { policy, routing, strategy, seed }: SimulationSettings): [string, string][] {
  const { preemption, rescheduling } = farm;
  const { checkpointSeconds } = rescheduling;
  return [
    ["pools", `${farm.pools.length}; sites: ${farm.sites.length}`],
    ...(policy === null ? [["policies", "each pool's own"] as [string, string]] : []),
    ["routing", routing ?? [...new Set(farm.virtualPools.map((each) => each.routing))].join(", ")],
    ...(strategy === null ? [["strategy", rescheduling.strategy] as [string, string]] : []),
    ["whom to suspend", preemption.victim ?? "none"],
    ["checkpoints", checkpointSeconds === null ? "none" : `every ${checkpointSeconds} s`],
    ["seed", String(seed)],
  ];
}

function failuresText({ failures, seed }: SimulationSettings): string {
  if (failures === null) return "none";
  if (failures.kind === "listed") return `${failures.outages.length} times as listed`;
  const { mtbfSeconds, mttrSeconds, shape } = failures;
  const how = shape === 1 ? "exponential" : `Weibull, shape ${shape}`;
  return `drawn (${how}, seed ${seed}): ${mtbfSeconds} s between failures, ${mttrSeconds} s to repair`;
}

function count(jobs: number): string {
  return jobs === Infinity ? "all" : jobs === 0 ? "none" : `the first ${jobs}`;
}

const estimatesWords: Readonly<Record<Exclude<Estimates, number>, string>> = {
  log: "the log's estimates",
  exact: "the true run times",
  predicted: "predicted from the user's last two jobs",
};

/** Some policies plan on predictions, whatever the setting says. */
function estimatesText(
  { estimates }: SimulationSettings,
  planned: readonly PlannedRun[],
  place: Place,
): string {
  const text =
    typeof estimates === "number" ? `the true run times × ${estimates}` : estimatesWords[estimates];
  const plans = [...new Set(planned.map(({ policy }) => policy))].map((policy) => ({
    policy,
    kinds: policyKinds(place, policy).filter((kind) => kind?.needsEstimates === true),
  }));
  const [predicting, others] = [true, false].map((isPredicting) =>
    plans.filter(({ kinds }) => kinds.some((kind) => (kind?.plansOnPredictions === true) === isPredicting)),
  );
  if (predicting!.length === 0 || estimates === "predicted") return text;
  if (others!.length === 0) return estimatesWords.predicted;
  return `${text}; ${predicting!.map(({ policy }) => policy || "the pools' own policies").join(", ")}: ${estimatesWords.predicted}`;
}
