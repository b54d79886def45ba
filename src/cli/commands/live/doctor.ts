import { resolve } from "node:path";

import { Command } from "commander";

import { defaultData, defaultSocket } from "../../../live/client/places.ts";
import { examine, type CheckedFinding } from "../../../live/doctor/examine.ts";
import { thisHost } from "../../../live/doctor/host.ts";
import { defaultFarm } from "../../../live/service/farm-plan.ts";
import { farmChecks } from "../../../simulation/index.ts";
import { readFarm } from "../../../workload/index.ts";
import { liveStatuses } from "../../live/exit-status.ts";
import { printable } from "../../live/printable.ts";
import { print } from "../../terminal.ts";
import { version } from "../../package.ts";

interface DoctorFlags {
  readonly farm?: string;
  readonly data?: string;
  readonly socket?: string;
  readonly pool?: string;
  readonly json?: true;
}

export function doctorCommand(): Command {
  return new Command("doctor")
    .description(
      "look whether a farm can run well on this machine, and tell what to change; it changes nothing",
    )
    .option("--farm <file>", "the farm's file, as `croft serve` takes it (this machine)")
    .option("--data <folder>", "where the farm keeps what it knows ($XDG_STATE_HOME/croft)")
    .option("--socket <path>", "where it listens (CROFT_SOCKET; your own farm's)")
    .option("--pool <name>", "look at the engine and the hooks of this pool alone")
    .option("--json", "as a JSON array")
    .addHelpText(
      "after",
      `
Exit status: 0 where all is fine, ${liveStatuses.other[0]} where something is to be changed, ${liveStatuses.usage[0]} where the command was called wrongly.

Run it as the service's user. At length: docs/live/operate.md`,
    )
    .action(run);
}

async function run({ farm: farmFile, data, socket, pool, json }: DoctorFlags): Promise<void> {
  const findings = await examine({
    farm: await farmOf(farmFile),
    farmFile: farmFile === undefined ? null : resolve(farmFile),
    pool: pool ?? null,
    data: resolve(data ?? defaultData(process.env)),
    socket: resolve(socket ?? (process.env["CROFT_SOCKET"] || defaultSocket(process.env))),
    version,
    host: thisHost,
  });
  if (findings.some(({ change }) => change !== null)) process.exitCode = liveStatuses.other[0];
  if (json === true)
    await print(
      JSON.stringify(
        findings.map((finding) => ({ ...finding, fine: finding.change === null })),
        null,
        2,
      ),
    );
  else await print(textOf(findings));
}

async function farmOf(file: string | undefined): Promise<ReturnType<typeof defaultFarm> | Error> {
  if (file === undefined) return defaultFarm();
  try {
    return await readFarm(file, { ...farmChecks, enginesTellMachines: true });
  } catch (error) {
    return error as Error;
  }
}

function textOf(findings: readonly CheckedFinding[]): string {
  const lines = findings.flatMap(({ check, what, found, change }) => [
    `${change === null ? "fine  " : "WRONG "} ${check}: ${printable(what)}: ${printable(found)}`,
    ...(change === null ? [] : [`       → ${printable(change)}`]),
  ]);
  const wrong = findings.filter(({ change }) => change !== null).length;
  return [...lines, "", wrong === 0 ? "Nothing is to be changed." : `${wrong} to be changed.`].join("\n");
}
