import type { ExportedFile, ExportRequest } from "../exporter.ts";
import { header, lines } from "../text.ts";
import { tried } from "../tried.ts";

/** The program that follows the families' jobs and keeps the nodes of their reservations. */
export function packingScript(request: ExportRequest): ExportedFile {
  const text = String.raw`
#!/bin/bash
${header("#", {
  what:
    "follows the jobs of the families and sets the nodes of their reservations. slurmctld starts it when a job " +
    "is given its nodes and when it ends; cron every minute (croft-packing sync); an administrator with " +
    "status or remove. It asks slurmctld nothing but in sync: it keeps its own list of running jobs.",
  where: "/etc/slurm/croft/croft-packing on the controller, executable, writable only by root.",
  check: "shellcheck -x croft-packing; as SlurmUser: croft-packing sync && croft-packing status",
  request,
  tried: tried.slurm,
})}

set -u
export LC_ALL=C
# slurmctld gives its programs no path.
PATH=$PATH:/usr/local/bin:/usr/bin:/bin

here=$(cd "$(dirname "$0")" && pwd) || exit 1
# shellcheck source=croft-packing.conf
. "$here/croft-packing.conf" || exit 1

jobs_file=$state_dir/jobs       # job family node
reached_file=$state_dir/reached # family node second: when the family's last job came to the node
nodes_file=$state_dir/nodes     # all nodes
force=

say() {
  printf 'croft-packing: %s\n' "$*" >&2
  # Where slurmctld started it, nobody reads that.
  logger -t croft-packing -- "$*" 2>/dev/null || true
}

# One at a time: jobs start and end together. What is locked out for a minute leaves its work to the next sync.
lock() {
  mkdir -p "$state_dir" || return 1
  exec 9>>"$state_dir/lock" || return 1
  flock -w 60 9 || return 1
  touch "$jobs_file" "$reached_file" "$nodes_file"
}

# Replaces a file with what comes in, whole.
replace() {
  cat >"$1.new" && mv "$1.new" "$1"
}

# The family of a job by the reservation that it was given, or a failure.
family_of() {
  local given=$1 family
  given=$(printf '%s' "$given" | cut -d, -f1)
  for family in "@{families[@]}"; do
    if [ "$given" = "croft_$family" ] || [ "$given" = "croft_any_$family" ]; then
      printf '%s\n' "$family"
      return 0
    fi
  done
  return 1
}

# slurmctld no longer says what reservation a job had that has ended.
is_listed() {
  grep -qs "^$SLURM_JOB_ID " "$jobs_file"
}

job_started() {
  local family node now
  family=$(family_of "@{SLURM_JOB_RESERVATION:-}") || return 0
  now=$(date +%s)
  for node in $(scontrol show hostnames "$SLURM_JOB_NODELIST"); do
    printf '%s %s %s\n' "$SLURM_JOB_ID" "$family" "$node" >>"$jobs_file"
    printf '%s %s %s\n' "$family" "$node" "$now" >>"$reached_file"
  done
  renew_reservations
  set_all_nodes
}

job_ended() {
  awk -v job="$SLURM_JOB_ID" '$1 != job' "$jobs_file" | replace "$jobs_file"
  set_all_nodes
}

# Nodes where jobs of the family run; those that keep others out, where there is a TTL.
nodes_of() {
  awk -v family="$1" -v ttl="$ttl_seconds" -v now="$(date +%s)" '
    FILENAME == ARGV[1] { if ($1 == family && $3 > last[$2]) last[$2] = $3; next }
    $2 == family && (ttl == "" || now - last[$3] < ttl) { print $3 }
  ' "$reached_file" "$jobs_file" | sort -u
}

# What the family's reservation should consist of.
wanted_nodes() {
  if [ "$policy" = none ]; then
    nodes_of "$1" | comm -23 "$nodes_file" -
  else
    nodes_of "$1"
  fi
}

# Once for each change; sync sets force, as somebody may have changed a reservation by hand.
set_all_nodes() {
  local family wanted
  for family in "@{families[@]}"; do
    wanted=$(wanted_nodes "$family" | paste -sd, -)
    [ -z "$force" ] && [ -e "$state_dir/set.$family" ] && [ "$wanted" = "$(cat "$state_dir/set.$family")" ] && continue
    set_nodes "$family" "$wanted" && printf '%s\n' "$wanted" | replace "$state_dir/set.$family"
  done
}

set_nodes() {
  local family=$1 wanted=$2 got=$2
  if [ "$policy" != exclusive ]; then
    update "croft_$family" "Nodes=@{wanted:-ALL}" || return 1
  elif [ -z "$wanted" ]; then
    update "croft_$family" NodeCnt=0 || return 1
  elif ! update "croft_$family" "Nodes=$wanted"; then
    set_nodes_one_by_one "$family" "$wanted"
  fi
  printf '%s\n' "$got" | replace "$state_dir/has.$family"
}

# A node may be in another reservation, of another family or the site's: that one keeps it. Sets got.
set_nodes_one_by_one() {
  local family=$1 wanted=$2 node
  # What it has and keeps, in one piece: it must not lose those meanwhile.
  got=$(comm -12 <(sorted "$(cat "$state_dir/has.$family" 2>/dev/null)") <(sorted "$wanted") | paste -sd, -)
  [ -z "$got" ] || update "croft_$family" "Nodes=$got" || got=
  for node in $(sorted "$wanted"); do
    case ",$got," in *",$node,"*) continue ;; esac
    if update "croft_$family" "Nodes=@{got:+$got,}$node"; then
      got=@{got:+$got,}$node
    elif [ -z "$force" ]; then
      say "$node is in another reservation: it is not reserved to $family"
    fi
  done
  [ -n "$got" ] || update "croft_$family" NodeCnt=0
}

# The nodes of a list, one a line.
sorted() {
  printf '%s\n' "$1" | tr , '\n' | sed '/^$/d' | sort
}

update() {
  scontrol update ReservationName="$1" "$2" >/dev/null 2>&1
}

# Makes the reservations that are missing. Those dated 2100 keep nobody out; a year apart, as they may not overlap.
make_reservations() {
  local family year=2100
  for family in "@{families[@]}"; do
    if [ "$policy" = exclusive ]; then
      make "croft_$family" StartTime=now Flags=FLEX,IGNORE_JOBS,ANY_NODES NodeCnt=0 Licenses=croft:1
      make "croft_any_$family" StartTime="$year-01-01T00:00:00" Flags=FLEX,IGNORE_JOBS Nodes=ALL
    else
      make "croft_$family" StartTime="$year-01-01T00:00:00" Flags=FLEX,IGNORE_JOBS Nodes=ALL
    fi
    year=$((year + 2))
  done
}

# Open to all: the job-submit plugin decides who is given it.
make() {
  scontrol show reservation "$1" >/dev/null 2>&1 && return 0
  scontrol create reservation ReservationName="$1" Users=-nobody Duration=3-00:00:00 "@{@:2}" >/dev/null ||
    say "the reservation $1 could not be made"
}

# A reservation that lasts long is in the way of those that the site plans: three days, renewed every day.
renew_reservations() {
  local family today
  today=$(date +%F)
  [ "$policy" = exclusive ] || return 0
  [ -e "$state_dir/renewed" ] && [ "$(cat "$state_dir/renewed")" = "$today" ] && return 0
  for family in "@{families[@]}"; do
    # In the way of another by now: without nodes it is not, and they are put back one by one.
    update "croft_$family" EndTime=now+3days || {
      update "croft_$family" NodeCnt=0 && update "croft_$family" EndTime=now+3days
      rm -f "$state_dir/set.$family" "$state_dir/has.$family"
    }
  done
  printf '%s\n' "$today" | replace "$state_dir/renewed"
}

# Puts everything right from what slurmctld says.
sync_all() {
  local running id given started nodes family node
  make_reservations
  renew_reservations
  sinfo -h -N -o %N | sort -u | replace "$nodes_file"
  running=$(squeue -h -r -t CONFIGURING,RUNNING,SUSPENDED,STOPPED -o '%A|%v|%S|%N') || return 1
  printf '%s\n' "$running" | while IFS='|' read -r id given started nodes; do
    family=$(family_of "$given") || continue
    started=$(date -d "$started" +%s) || continue
    for node in $(scontrol show hostnames "$nodes"); do
      printf '%s %s %s\n' "$id" "$family" "$node"
      printf '%s %s %s\n' "$family" "$node" "$started" >>"$reached_file"
    done
  done | replace "$jobs_file"
  # The newest arrival for each node where the family still has a job.
  awk '
    FILENAME == ARGV[1] { runs[$2 " " $3] = 1; next }
    { key = $1 " " $2; if (key in runs && $3 > last[key]) last[key] = $3 }
    END { for (key in last) print key, last[key] }
  ' "$jobs_file" "$reached_file" | replace "$reached_file"
  force=yes
  set_all_nodes
}

status() {
  local family
  for family in "@{families[@]}"; do
    printf '%s: %s jobs on %s nodes; %s\n' "$family" \
      "$(awk -v family="$family" '$2 == family { print $1 }' "$jobs_file" | sort -u | wc -l)" \
      "$(awk -v family="$family" '$2 == family { print $3 }' "$jobs_file" | sort -u | wc -l)" \
      "$(scontrol -o show reservation "croft_$family" 2>&1 | grep -oE '(Nodes|StartTime)=[^ ]*|.*not found' | paste -sd' ' -)"
  done
}

remove_reservations() {
  local family
  for family in "@{families[@]}"; do
    scontrol delete ReservationName="croft_$family"
    [ "$policy" = exclusive ] && scontrol delete ReservationName="croft_any_$family"
  done
  rm -f "$state_dir"/set.* "$state_dir"/has.* "$state_dir/renewed"
}

case @{SLURM_SCRIPT_CONTEXT:-$#} in
prolog_slurmctld)
  # Most jobs are of no family: they do not wait for the lock.
  if ! family_of "@{SLURM_JOB_RESERVATION:-}" >/dev/null; then exit 0; fi
  if lock; then job_started; else say "job $SLURM_JOB_ID was not counted"; fi
  exit 0
  ;;
epilog_slurmctld)
  if ! is_listed; then exit 0; fi
  if lock; then job_ended; else say "job $SLURM_JOB_ID was not counted out"; fi
  exit 0
  ;;
1)
  lock || { say "$state_dir cannot be used"; exit 1; }
  case $1 in
  sync) sync_all ;;
  status) status ;;
  remove) remove_reservations ;;
  *) say "sync, status or remove, not $1"; exit 2 ;;
  esac
  ;;
*)
  say "say what to do: sync, status or remove"
  exit 2
  ;;
esac
`.replaceAll("@{", "${");
  return { name: "croft-packing", text: lines(text), isExecutable: true };
}
