import { Command } from "commander";

import { schedulePods } from "../../../live/schedule-pods.ts";
import { farmChecks } from "../../../simulation/index.ts";
import { readFarm } from "../../../workload/index.ts";
import { sayMachinesNotes } from "../../input.ts";
import { address, type Address } from "../../options.ts";
import { beginService, onEndSignals } from "../../signals.ts";
import { say } from "../../terminal.ts";

interface Flags {
  readonly farm: string;
  readonly pool?: string;
  readonly listen?: Address;
}

export function schedulePodsCommand(): Command {
  return new Command("schedule-pods")
    .description("schedule the pods of a Kubernetes cluster that name croft, whoever made them")
    .requiredOption("--farm <file>", "the farm file, with a pool of engine kubernetes that has schedule: all")
    .option("--pool <name>", "the pool (the only one that has schedule: all)")
    .option("--listen <host:port>", "serves /metrics, /healthz and /readyz there, to anybody", address)
    .action(run);
}

async function run({ farm, pool, listen }: Flags): Promise<void> {
  beginService();
  const read = await readFarm(farm, { ...farmChecks, enginesTellMachines: true, machines: sayMachinesNotes });
  const scheduling = await schedulePods(read, pool ?? null, listen ?? null, (text) => say(`croft: ${text}`));
  const ended = new Promise<void>((done) =>
    onEndSignals(done, "croft: a second signal: stopped at once; pods run on", () =>
      say("croft: the farm file is read at the start only: start it again"),
    ),
  );
  say(`croft: schedules pods with schedulerName: ${scheduling.schedulerName}, by pool ${scheduling.pool}`);
  if (scheduling.address !== null) say(`croft: metrics at ${scheduling.address}/metrics`);
  await ended;
  await scheduling.stop();
}
