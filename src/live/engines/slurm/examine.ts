import type { Finding } from "../finding.ts";
import type { EngineSettings, System } from "../engine-kind.ts";
import { adviceOn } from "./advice.ts";
import { SlurmCli } from "./cli.ts";
import { readSettings } from "./settings.ts";

/** More than the two commands take: a clock that is off by less harms nothing. */
const CLOCK_SECONDS = 5;

/** Whether Slurm's commands are there and answer, and what of the cluster is in the way. */
export async function examine(values: EngineSettings, { commands, clock }: System): Promise<Finding[]> {
  const { partition, configPath } = readSettings(values);
  const cli = new SlurmCli(commands, configPath);
  const what = "Slurm";
  if (await cli.isMissing())
    return [
      {
        what,
        found: "its commands are not on this machine, or may not be run",
        change: "apt install slurm-client, and give slurm.conf with config in the pool's engine",
      },
    ];
  const config = await cli.config();
  if (!config.ok)
    return [
      {
        what,
        found: `it does not answer: ${config.reason}`,
        change: "scontrol ping tells where the controller is",
      },
    ];
  const nodes = await cli.nodes();
  if (!nodes.ok)
    return [{ what, found: `it does not tell its nodes: ${nodes.reason}`, change: "scontrol show node" }];
  const ours = nodes.value.filter(({ partitions }) => partition === null || partitions.includes(partition));
  const findings: Finding[] = [
    {
      what,
      found:
        ours.length === 0
          ? partition === null
            ? "it has no nodes"
            : `no node is in the partition ${partition}`
          : `it answers, with ${ours.length} nodes`,
      change: ours.length === 0 ? "sinfo tells the partitions and their nodes" : null,
    },
    ...adviceOn(config.value).map((found) => ({
      what,
      found,
      change: "change slurm.conf, then: scontrol reconfigure",
    })),
  ];
  const told = await cli.clock();
  if (told.ok) {
    const ahead = told.value - clock.unixSeconds();
    const isOff = Math.abs(ahead) > CLOCK_SECONDS;
    findings.push({
      what: "the clock of Slurm's controller",
      found: isOff
        ? `${Math.round(Math.abs(ahead))} s ${ahead > 0 ? "ahead of" : "behind"} this machine's`
        : "as this machine's",
      change: isOff ? "set both by NTP: timedatectl set-ntp true" : null,
    });
  }
  return findings;
}
