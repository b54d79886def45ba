import { Command } from "commander";

import { isFarm, loadPlace, machinesOf } from "../../../cli/simulate/place.ts";
import { presetOf } from "../../../cli/simulate/runs.ts";
import { machineFacts, workloadFacts } from "../../../cli/facts.ts";
import { loadWorkload, addWorkloadOptions, type WorkloadFlags } from "../../../cli/input.ts";
import { duration, positive, positiveInteger } from "../../../cli/options.ts";
import { print, StatusLine } from "../../../cli/terminal.ts";
import { formatCount, formatDuration, formatShare, terminalText } from "../../../report/index.ts";
import { resolvePolicy } from "../../../simulation/index.ts";
import { farmOfMachines, InputError } from "../../../workload/index.ts";
import { forecastWorld, studyForecast, type ForecastResult } from "../../study/index.ts";
import { columns, heading } from "./output.ts";

interface ForecastFlags extends WorkloadFlags {
  readonly machines?: string;
  readonly farm?: string;
  readonly policy: string;
  readonly load?: number;
  readonly interval?: number;
  readonly moments: number;
  readonly members: number;
  readonly seed: number;
  readonly json?: true;
  readonly quiet?: true;
}

export function forecastCommand(): Command {
  const command = new Command("forecast")
    .description("how good forecasts of jobs' starts are, beside what batch systems print")
    .argument("<workload>", "the log")
    .option("--machines <spec>", "a file or a shorthand")
    .option("--farm <file>", "a farm of several pools instead")
    .option("--policy <policy>", "the policy that the farm runs", "easy")
    .option("--load <load>", "offered load, as a fraction of the farm; the log's own unless given", positive)
    .option("--interval <time>", "between scheduling cycles", duration)
    .option(
      "--moments <number>",
      "jobs whose start is forecast, as they are submitted",
      positiveInteger,
      1000,
    )
    .option("--members <number>", "possible futures of a forecast", positiveInteger, 40)
    .option("--seed <number>", "of the choice of jobs, and of the futures", positiveInteger, 1)
    .option("--json", "print one JSON object")
    .option("--quiet", "no progress");
  return addWorkloadOptions(command).action(run);
}

async function run(name: string, flags: ForecastFlags): Promise<void> {
  resolvePolicy(flags.policy);
  const { machines, farm } = flags;
  const place = await loadPlace(
    { ...(machines === undefined ? {} : { machines }), ...(farm === undefined ? {} : { farm }) },
    presetOf({}),
  );
  if (place === null)
    throw new InputError("say what to run on: machines that are inferred are as large as what ran");
  const workload = await loadWorkload(name, flags);
  const progress = new StatusLine(flags.quiet === true);
  const world = forecastWorld(workload, isFarm(place) ? place : farmOfMachines(place), {
    policy: flags.policy,
    ...(flags.load === undefined ? {} : { load: flags.load }),
    ...(flags.interval === undefined ? {} : { intervalSeconds: flags.interval }),
  });
  const result = studyForecast(world, {
    moments: flags.moments,
    members: flags.members,
    seed: flags.seed,
    onProgress: (done, all) => progress.show(`${done} of ${all} forecasts`),
  });
  progress.clear();
  if (flags.json === true) {
    const machines = machinesOf(place);
    const facts = { workload: workloadFacts(workload, machines), machines: machineFacts(machines) };
    await print(JSON.stringify({ ...facts, policy: flags.policy, seed: flags.seed, ...result }));
  } else {
    const title = `${heading(workload, formatCount(workload.count))}: forecasts of starts under ${flags.policy} on ${place.name}`;
    await print(terminalText([title, "", ...describe(result)].join("\n")));
  }
}

function describe({ rows, jobs, independentJobs, deciles }: ForecastResult): string[] {
  if (jobs === 0) return ["No job waited a minute or more: there is nothing to forecast."];
  return [
    `${formatCount(jobs)} jobs that waited a minute or more, each forecast as it was submitted`,
    `The jobs of a batch miss alike: they tell as much as ${formatCount(Math.round(independentJobs))} of which each is of another.`,
    "",
    columns([
      [
        "method",
        "in 50%",
        "in 80%",
        "in 95%",
        "pinball",
        "CRPS",
        "error",
        "in 1 min",
        "in 10 min",
        "width",
        "moved",
      ],
      ...rows.map((row) => [
        row.method,
        formatShare(row.coverage50),
        formatShare(row.coverage80),
        formatShare(row.coverage95),
        formatDuration(row.pinballLossSeconds),
        formatDuration(row.crpsSeconds),
        formatDuration(row.medianAbsoluteErrorSeconds),
        formatShare(row.within1Minute),
        formatShare(row.within10Minutes),
        formatDuration(row.width80Seconds),
        formatDuration(row.revisionMedianSeconds),
      ]),
    ]),
    "",
    "Croft's forecasts by tenth of the wait",
    columns([
      ["wait, median", "in 50%", "in 80%", "in 95%"],
      ...deciles.map((part) => [
        formatDuration(part.waitMedianSeconds),
        formatShare(part.coverage50),
        formatShare(part.coverage80),
        formatShare(part.coverage95),
      ]),
    ]),
  ];
}
