import type { ExportedFile, ExportRequest } from "../exporter.ts";
import { HOLDER_FUNCTIONS } from "../holder-shell.ts";
import { header, lines } from "../text.ts";
import { FREE, HELD_BY } from "./complexes.ts";
import { tried } from "../tried.ts";

/** Counts a host's jobs from what its execd keeps of them. */
export function loadSensor(request: ExportRequest): ExportedFile {
  const { families, ttlSeconds, policy } = request;
  const text = String.raw`
#!/bin/bash
${header("#", {
  what:
    "load sensor: reports how many jobs of the families and how many others run on this host. It reads the spool " +
    "folder of the host's execd and asks qmaster nothing. A job is of the family that jsv.croft wrote into its " +
    "environment (CROFT_FAMILY), so that the two cannot disagree.",
  where:
    "on every host, executable, writable only by root; load_sensor in the configuration (qconf -mconf). " +
    "Give execd_spool below.",
  check: "shellcheck load-sensor.croft; echo | load-sensor.croft on a host.",
  request,
  tried: tried.gridEngine,
})}

set -u
export LC_ALL=C

families=(${families.map(({ id }) => id).join(" ")})
ttl_seconds=${ttlSeconds ?? ""}
host=$(hostname)
# execd_spool_dir of qconf -sconf, and this host's folder in it: ls says what execd calls the host.
execd_spool=@{CROFT_EXECD_SPOOL:-@{SGE_ROOT:-/var/spool/gridengine}/@{SGE_CELL:-default}/spool/$host}

declare -A count=() reached=()
held_by=0

${HOLDER_FUNCTIONS}

look() {
  local file job family started seen=' '
  for family in "@{families[@]}"; do count[$family]=0; done
  others=0
  # active_jobs/JOB.TASK/environment, and one folder deeper for the tasks of parallel jobs.
  for file in "$execd_spool"/active_jobs/*/environment "$execd_spool"/active_jobs/*/*/environment; do
    [ -r "$file" ] || continue
    job=@{file#"$execd_spool"/active_jobs/}
    job=@{job%%/*}
    case $seen in *" $job "*) continue ;; esac
    seen="$seen$job "
    family=$(sed -n 's/^CROFT_FAMILY=//p' "$file" | head -n 1)
    if is_known "$family"; then
      count[$family]=$((count[$family] + 1))
      # Written when the job comes.
      started=$(stat -c %Y "$file") || continue
      [ "$started" -gt "@{reached[$family]:-0}" ] && reached[$family]=$started
    else
      others=$((others + 1))
    fi
  done
}

report() {
  local family packed=0
  look
  choose_holder
  echo begin
  for family in "@{families[@]}"; do
    packed=$((packed + count[$family]))
    if [ "@{count[$family]}" -gt 0 ]; then echo "$host:pk_$family:TRUE"; else echo "$host:pk_$family:FALSE"; fi
  done
  echo "$host:pkyes:$packed"
  echo "$host:pknone:$others"
${
  policy === "exclusive"
    ? String.raw`  if [ "$held_by" -gt 0 ]; then echo "$host:${HELD_BY}:@{families[$((held_by - 1))]}"; else echo "$host:${HELD_BY}:${FREE}"; fi
`
    : ""
}  echo end
}

# execd asks with an empty line, once every load_report_time, and ends with quit.
while read -r line; do
  [ "$line" = quit ] && exit 0
  report
done
`.replaceAll("@{", "${");
  return { name: "load-sensor.croft", text: lines(text), isExecutable: true };
}
