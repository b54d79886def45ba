import type { ExportedFile, ExportRequest } from "../exporter.ts";
import { header, lines } from "../text.ts";
import { tried } from "../tried.ts";

/** What slurm.conf needs. */
export function slurmConf(request: ExportRequest): ExportedFile {
  const { policy, families } = request;
  const text = `
${header("#", {
  what: "lines for slurm.conf.",
  where: "in slurm.conf on the controller; then restart slurmctld (new plugins and licences need it).",
  check: "slurmctld starts; scontrol show config | grep -E 'JobSubmit|Slurmctld *='",
  request,
  tried: tried.slurm,
})}

JobSubmitPlugins=lua
# One program plays both parts. It always succeeds: a prolog that fails would requeue the job.
PrologSlurmctld=/etc/slurm/croft/croft-packing
EpilogSlurmctld=/etc/slurm/croft/croft-packing
${
  policy === "exclusive"
    ? `# A reservation without nodes has to have something else. No job asks for this licence.
# Where there is a line Licenses= already, add it there.
Licenses=croft:${families.length}
`
    : ""
}`;
  return { name: "slurm.conf.croft", text: lines(text), isExecutable: false };
}

/** What the program that follows the jobs reads. */
export function packingConf(request: ExportRequest): ExportedFile {
  const { policy, families, ttlSeconds } = request;
  const text = `
${header("#", {
  what: "settings of croft-packing, which reads this file as shell.",
  where: "beside croft-packing: /etc/slurm/croft/croft-packing.conf, writable only by root.",
  check: "bash -n croft-packing.conf",
  request,
  tried: tried.slurm,
})}

policy=${policy}
# Names of reservations are croft_ and these.
families=(${families.map(({ id }) => id).join(" ")})
# Seconds without a new job of the family after which a node is free to all; empty: never.
ttl_seconds=${ttlSeconds ?? ""}
# Belongs to SlurmUser; on the controller, and shared with the backup controller where there is one.
state_dir=/var/lib/croft-packing
# Where slurm.conf is in no usual place:
# export SLURM_CONF=/etc/slurm/slurm.conf
`;
  return { name: "croft-packing.conf", text: lines(text), isExecutable: false };
}

/** Keeps the reservations right whatever happened, and lets the TTL pass. */
export function cron(request: ExportRequest): ExportedFile {
  const text = `
${header("#", {
  what: "every minute: compares with what runs, lets the TTL pass, renews the reservations (they last three days).",
  where: "/etc/cron.d/croft-packing on the controller; the third word is SlurmUser.",
  check: "after a minute: scontrol show reservation shows reservations called croft_...",
  request,
  tried: "the program that it starts, yes (see there); under cron, no.",
})}
* * * * * slurm /etc/slurm/croft/croft-packing sync
`;
  return { name: "croft-packing.cron", text: lines(text), isExecutable: false };
}
