import type { ExportedFile, ExportRequest } from "../exporter.ts";
import { HOLDER_FUNCTIONS } from "../holder-shell.ts";
import { header, lines } from "../text.ts";
import { HELD_BY, loadIndexes, OTHERS, PACKED } from "./indexes.ts";
import { INTERVAL_SECONDS } from "./settings.ts";
import { tried } from "../tried.ts";

/** The external load information manager: counts a host's jobs from its processes. */
export function elim(request: ExportRequest): ExportedFile {
  const { families, ttlSeconds } = request;
  const each = families.length === 1 ? "" : "$family_counts";
  const held = ttlSeconds === null ? "" : ` ${HELD_BY} $held_by`;
  const text = String.raw`
#!/bin/bash
${header("#", {
  what:
    "reports how many jobs of the families and how many others run on this host. It looks at processes only and " +
    "asks LSF nothing. A job is of the family that esub.croft wrote into its environment (CROFT_FAMILY), so that " +
    "the two cannot disagree.",
  where:
    "LSF_SERVERDIR/elim.croft on every host, executable, writable only by root. It has to see other " +
    "users' environments (/proc/PID/environ): LIM has to start it as root.",
  check: "shellcheck elim.croft; as root on a host: elim.croft --once",
  request,
  tried: tried.lsf,
})}

set -u
export LC_ALL=C

families=(${families.map(({ id }) => id).join(" ")})
ttl_seconds=${ttlSeconds ?? ""}
interval_seconds=${INTERVAL_SECONDS}

declare -A count=() reached=()
held_by=0

# "pid seconds-since-start" of each job's first process: a child of sbatchd or res (which starts the
# tasks of parallel jobs), but not these two themselves.
job_processes() {
  ps -e -o pid= -o ppid= -o etimes= -o comm= | awk '
    { parent[$1] = $2; age[$1] = $3; daemon[$1] = ($4 == "sbatchd" || $4 == "res") }
    END { for (pid in parent) if (!daemon[pid] && daemon[parent[pid]]) print pid, age[pid] }'
}

# A variable of a process's first environment, which its owner cannot change.
variable() {
  tr '\0' '\n' <"/proc/$1/environ" 2>/dev/null | sed -n "s/^$2=//p" | head -n 1
}

${HOLDER_FUNCTIONS}

look() {
  local pid age job family now seen=' '
  now=$(date +%s)
  for family in "@{families[@]}"; do count[$family]=0; done
  others=0
  while read -r pid age; do
    if [ ! -r "/proc/$pid/environ" ]; then
      # Gone meanwhile, or none of ours to read: said once, as the log is not for every 15 seconds.
      [ -e "/proc/$pid" ] && [ -z "@{complained:-}" ] && complained=yes &&
        echo "elim.croft: /proc/$pid/environ cannot be read: it has to run as root" >&2
      continue
    fi
    job=$(variable "$pid" LSB_JOBID)
    # lsrun and the like: no batch jobs.
    [ -n "$job" ] || continue
    job=$job.$(variable "$pid" LSB_JOBINDEX)
    # A parallel job has several tasks here.
    case $seen in *" $job "*) continue ;; esac
    seen="$seen$job "
    family=$(variable "$pid" CROFT_FAMILY)
    if is_known "$family"; then
      count[$family]=$((count[$family] + 1))
      [ $((now - age)) -gt "@{reached[$family]:-0}" ] && reached[$family]=$((now - age))
    else
      others=$((others + 1))
    fi
  done < <(job_processes | sort -n)
}

report() {
  local family packed=0 family_counts=''
  look
  for family in "@{families[@]}"; do
    packed=$((packed + count[$family]))
    family_counts="$family_counts ${PACKED}_$family @{count[$family]}"
  done
  choose_holder
  # One line in one piece: LIM reads it as it comes.
  echo "${loadIndexes(request).length} ${PACKED} $packed ${OTHERS} $others${each}${held}"
}

if [ "@{1:-}" = --once ]; then
  report
  exit 0
fi
while :; do
  report
  sleep "$interval_seconds"
done
`.replaceAll("@{", "${");
  return { name: "elim.croft", text: lines(text), isExecutable: true };
}
