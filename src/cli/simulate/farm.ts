import { formatCount, renderFarmTable } from "../../report/index.ts";
import {
  farmChecks,
  machinesOfFarm,
  requirementCheck,
  simulateAll,
  type FarmRunResult,
} from "../../simulation/index.ts";
import { strategies } from "../../core/index.ts";
import { readFarm } from "../../workload/index.ts";
import { workloadFacts } from "../facts.ts";
import { loadWorkload, sayMachinesNotes } from "../input.ts";
import { print, say } from "../terminal.ts";
import type { SimulateFlags } from "./flags.ts";
import { ProgressLine } from "./progress.ts";

/** `croft simulate --farm`: every strategy at every load. */
export async function simulateOnFarm(path: string, file: string, flags: SimulateFlags): Promise<void> {
  const { beta, load, warmup, cooldown, seed, threads } = flags;
  const named = flags.strategy ?? [];
  for (const name of named) if (name !== "all") farmChecks.strategy!(name);
  if (flags.routing !== undefined) farmChecks.routing!(flags.routing);

  const farm = await readFarm(file, { ...farmChecks, machines: sayMachinesNotes });
  const workload = await loadWorkload(path, flags, { checkRequirement: requirementCheck(farm) });
  const wanted = named.includes("all") ? strategies.map(({ name }) => name) : named;
  const paces = load?.map((each) => ({ load: each })) ?? (beta ?? [1]).map((each) => ({ beta: each }));
  const settings = paces.flatMap((pace) =>
    (wanted.length === 0 ? [null] : wanted).map((strategy) => ({
      ...pace,
      strategy,
      routing: flags.routing ?? null,
      poolDetail: flags.poolDetail === true,
      ...(seed === undefined ? {} : { seed }),
      ...(warmup === undefined ? {} : { warmupSeconds: warmup }),
      ...(cooldown === undefined ? {} : { cooldownSeconds: cooldown }),
    })),
  );

  const progress = new ProgressLine(flags.quiet === true);
  let runs: FarmRunResult[];
  try {
    runs = await simulateAll(workload, farm, settings, {
      ...(threads === undefined ? {} : { threads }),
      onProgress: (now) => progress.show(now),
    });
  } finally {
    progress.clear();
  }
  for (const { reason, jobs } of runs[0]?.rejections ?? [])
    say(`${workload.name}: rejected: ${reason}: ${formatCount(jobs)}`);
  if (flags.json !== true) {
    await print(renderFarmTable(runs));
    return;
  }
  const { name, sites, pools, virtualPools } = farm;
  const machines = machinesOfFarm(farm);
  const facts = {
    name,
    sites: sites.length,
    virtualPools: virtualPools.length,
    pools: pools.length,
    machines: machines.count,
    cores: machines.coresMilli.reduce((sum, cores) => sum + cores, 0) / 1000,
  };
  await print(
    JSON.stringify({ workload: workloadFacts(workload, machines), farm: facts, runs: runs.map(figures) }),
  );
}

/** The figures of a run; its course over time only where each pool's was asked for. */
function figures(run: FarmRunResult): Partial<FarmRunResult> {
  const { series: _series, days: _days, farmSeries, ...rest } = run;
  return rest.pools === undefined ? rest : { ...rest, farmSeries };
}
