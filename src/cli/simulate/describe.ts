import { looksLikeOnlinePolicy } from "../../fractional/index.ts";
import { CYCLE_SECONDS, defaultSettings, familyName, nameOfPolicy } from "../../simulation/index.ts";
import type { SimulateFlags } from "./flags.ts";
import type { PlannedRun } from "./runs.ts";

/** The settings that all runs share, in words, for the report. */
export function describeSettings(
  flags: SimulateFlags,
  planned: readonly PlannedRun[],
): { name: string; value: string }[] {
  const settings = { ...defaultSettings, ...planned[0]?.settings };
  const { intervalSeconds, eventOrder, examined, reserving, warmupSeconds, cooldownSeconds } = settings;
  const rows: [string, string][] = [
    ["preset", flags.preset ?? "none"],
    [
      "scheduling cycles",
      eventOrder === "single"
        ? "after single events"
        : intervalSeconds === null
          ? `every ${CYCLE_SECONDS} s; backfilling: after every event`
          : intervalSeconds === 0
            ? "after every event"
            : `every ${intervalSeconds} s`,
    ],
    ["jobs examined in a cycle", count(examined)],
    ["jobs that may reserve in a cycle", count(reserving ?? Infinity)],
    [
      "expected run times",
      typeof settings.estimates === "number" ? `true × ${settings.estimates}` : settings.estimates,
    ],
    ["fair share over projects", settings.fairShare === null ? "no" : "yes"],
    ...(settings.packing === null
      ? []
      : [
          ["families of jobs kept together", settings.packing.families.map(familyName).join("; ")] as [
            string,
            string,
          ],
        ]),
    ...(settings.clock === "order"
      ? [["clock", "the farm's own: jobs come one after the other, in the log's order"] as [string, string]]
      : []),
  ];
  if (settings.maxJobsList.length > 0) rows.push(["Max-Jobs tries", settings.maxJobsList.join(", ")]);
  if (
    planned.some(
      (run) => run.settings.policy != null && looksLikeOnlinePolicy(nameOfPolicy(run.settings.policy)),
    )
  )
    rows.push(
      ["a pause and resume, or a move, costs", `${settings.penaltySeconds} s without progress`],
      ["/per and /stretch-per pack anew", `every ${settings.periodSeconds} s`],
      ["/MVT does not move jobs with less than", `${settings.minimumVirtualSeconds} s of virtual time`],
    );
  if (warmupSeconds > 0) rows.push(["left out at the start", `${warmupSeconds} s`]);
  if (cooldownSeconds > 0) rows.push(["left out at the end", `${cooldownSeconds} s`]);
  if (flags.scaleCores !== undefined) rows.push(["cores of every machine", `× ${flags.scaleCores}`]);
  if (flags.scaleMemory !== undefined) rows.push(["memory of every machine", `× ${flags.scaleMemory}`]);
  return rows.map(([name, value]) => ({ name, value }));
}

function count(jobs: number): string {
  return jobs === Infinity ? "all" : jobs === 0 ? "none" : `the first ${jobs}`;
}
