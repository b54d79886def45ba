/**
 * The program that runs an attempt, once, wherever it runs: plain `sh`, so that it needs nothing on the machine. It
 * outlives the service, and records what happens to the attempt (`records.ts`) for engines that come later.
 *
 *     wrapper.sh FOLDER CGROUP SYNC [PREFIX...]
 *     wrapper.sh - ATTEMPTS CGROUPS
 *
 * In the second form it runs one attempt after another, as lines of its input say: `KEY KEPT PREFIX...`. To make a session
 * and a shell takes three times as long as to run a small job in one that is there. ATTEMPTS is the folder with those of
 * all, CGROUPS with all cgroups, or empty. KEPT is `kept` where the folder takes what the job prints. It ends with its
 * input, and never before the attempt that it runs.
 *
 * FOLDER is the attempt's own, with its launch file; without the folder nothing runs. CGROUP: a cgroup v2
 * folder that the job is put into, or empty. SYNC: `sync` where records must survive the machine, or empty.
 * PREFIX: what the job's side is run with, to become another user.
 *
 * The order is the point: claim (exclusive), launch, wait, record the end. Records are single writes that end
 * in a mark, so a part of one is seen to be a part. They are not renamed: `mv` is a process, and a shell
 * that cannot make one because a job has used them all up ends at once, with the record.
 *
 * Nothing that a user chose is an argument of it or in its environment: all that is in the launch file, which
 * only the launcher reads, as the job's user, line by line, never as shell text.
 */
export const wrapperScript = String.raw`#!/bin/sh
# Written by croft: runs one attempt of a job, once, and records what came of it.
set -uf
umask 077

# The 22nd field of stat: with the pid and the boot it names this process for ever.
started_ticks() {
  shift 19
  ticks=$1
}
read -r stat </proc/$$/stat
# shellcheck disable=SC2086
started_ticks ${"$"}{stat##*) }
read -r boot </proc/sys/kernel/random/boot_id
read -r host </proc/sys/kernel/hostname
# Signals are for the job, and nobody may be listening any more; a trap that does something is not inherited.
trap : HUP INT QUIT TERM USR1 USR2 PIPE

# Reads the launch file and becomes the job. Its variables are named so that no variable of the job's meets them.
# shellcheck disable=SC2016
launcher='
refuse() {
  printf "%s\n" "$1" >&9
  exit 125
}
# To open a named pipe waits for its other end, for ever where nobody has it, and no limit of the job counts yet.
no_pipe() {
  [ ! -p "$croft_value" ] || refuse "$1, since it is a named pipe: $croft_value"
}
# Adds to a file that is there already, below a heading: only one can make it. What is no file takes all as it comes.
reach() {
  no_pipe "$1"
  [ -z "$croft_folders" ] || { command mkdir -p -- "${"$"}{croft_value%/*}/"; } 2>/dev/null || refuse "$1, since its folder cannot be made: $croft_value"
  croft_is_new=yes
  if [ -f "$croft_value" ] || [ ! -e "$croft_value" ]; then
    set -C
    { command : >"$croft_value"; } 2>/dev/null || croft_is_new=
    set +C
  fi
  { command exec 6>>"$croft_value"; } 2>/dev/null || refuse "$1: $croft_value"
  [ -n "$croft_is_new" ] || [ -z "$croft_heading" ] || printf "\n%s\n" "$croft_heading" >&6
}
croft_odd=
croft_folders=
croft_heading=
croft_line_end="
"
# The command line, as shell text. A short word without a quote is in quotes; any other is in a variable, of which a
# shell finds one among many slowly. What grows is added to in two steps: a shell copies all that is there each time.
croft_quote=$1
croft_count=0
croft_odds=
croft_all=
croft_some=
while :; do
  IFS=" " read -r croft_kind croft_more <&8 || refuse "its launch file is cut off"
  [ "$croft_kind" != end ] || break
  IFS= read -r croft_value <&8 || refuse "its launch file is cut off"
  croft_lines=
  while [ "$croft_more" -gt 0 ]; do
    IFS= read -r croft_line <&8 || refuse "its launch file is cut off"
    croft_lines=$croft_lines$croft_line_end$croft_line
    croft_more=$((croft_more - 1))
    [ $((croft_more % 200)) -ne 0 ] || croft_value=$croft_value$croft_lines croft_lines=
  done
  case $croft_kind in
    directory) { command cd -- "$croft_value"; } 2>/dev/null || refuse "its working directory cannot be entered: $croft_value"
      export PWD
      unset OLDPWD ;;
    umask) umask "$croft_value" ;;
    limit) { command ulimit -S -"${"$"}{croft_value% *}" "${"$"}{croft_value#* }"; } 2>/dev/null ||
      printf "%s\n" "croft: ulimit -S -$croft_value cannot be set here: it stays at $(ulimit -S -"${"$"}{croft_value% *}")" >&2 ;;
    heading) croft_heading=$croft_value ;;
    stdin) no_pipe "its input cannot be read"
      [ ! -d "$croft_value" ] && { command exec 6<"$croft_value"; } 2>/dev/null || refuse "its input cannot be read: $croft_value"
      exec <&6 6<&- ;;
    folders) croft_folders=yes ;;
    stdout) reach "its output cannot be written to"
      exec >&6 6>&- ;;
    stderr) reach "its error output cannot be written to"
      exec 2>&6 6>&- ;;
    errors-too) exec 2>&1 ;;
    argument) croft_count=$((croft_count + 1))
      case ${"$"}{#croft_value}-$croft_value in
        [0-9][0-9][0-9][0-9]* | *"$croft_quote"*)
          eval "croft_word_$croft_count=\$croft_value"
          croft_some="$croft_some \"\$croft_word_$croft_count\"" ;;
        *) croft_some="$croft_some $croft_quote$croft_value$croft_quote" ;;
      esac
      [ $((croft_count % 200)) -ne 0 ] || croft_all=$croft_all$croft_some croft_some= ;;
    odd) croft_odd=yes
      croft_count=$((croft_count + 1))
      eval "croft_word_$croft_count=\$croft_value"
      croft_odds="$croft_odds \"\$croft_word_$croft_count\"" ;;
    variable) export "$croft_value" ;;
  esac
done
eval "set --$croft_odds$croft_all$croft_some"
[ -z "$croft_odd" ] || set -- /usr/bin/env -- "$@"
# Nobody may be listening any more.
trap "" PIPE
echo "go ${"$"}{CROFT_ATTEMPT-}" >&7
trap - PIPE
exec "$@" 7>&- 8<&- 9>&-
'

# Returns the job's status. 3: somebody else has the claim. 4: it cannot be made. 5: the folder is gone.
attempt() {
  folder=$1 cgroup=$2 sync=$3 out=/dev/null err=/dev/null
  [ "$4" != kept ] || out=$folder/stdout err=$folder/stderr
  shift 4
  read -r uptime _ </proc/uptime

  # Made before the claim: where the disk has no room for them nothing has run.
  { true >>"$folder/exit" && true >>"$out" && true >>"$err"; } 2>/dev/null || return 4
  set -C
  { printf 'croft-start-1 %s\n' "$$ $ticks $boot $uptime ${"$"}{SLURM_JOB_ID:--} ${"$"}{SLURMD_NODENAME:-$host}" >"$folder/start"; } 2>/dev/null
  claimed=$?
  set +C
  if [ $claimed -ne 0 ]; then
    [ -e "$folder/start" ] || return 4
    { echo again >>"$folder/again"; } 2>/dev/null
    return 3
  fi
  [ -z "$sync" ] || "$sync" "$folder/start"
  # What earlier attempts took is no part of this one.
  { times >>"$folder/exit"; } 2>/dev/null

  (
    if [ -n "$cgroup" ] && ! echo 0 >"$cgroup/cgroup.procs"; then
      echo "its cgroup cannot be entered" >&9
      exit 125
    fi 2>/dev/null
    # Where memory runs out, a job goes before the farm does.
    { echo 500 >/proc/self/oom_score_adj; } 2>/dev/null
    [ $# -eq 0 ] || exec "$@" /bin/sh -c "$launcher" croft "'"
    set -- "'"
    eval "$launcher"
  ) 7>&1 8<"$folder/launch" 9>>"$folder/exit" </dev/null >"$out" 2>"$err"
  code=$?

  # A full disk may have room again later. If the folder is gone, the record is not needed.
  until {
    read -r uptime _ </proc/uptime
    { printf 'croft-exit-1 %s %s\n' "$code" "$uptime" && times && echo end; } >>"$folder/exit"
  } 2>/dev/null; do
    [ -d "$folder" ] || return 5
    sleep 1
  done
  [ -z "$sync" ] || "$sync" "$folder/exit"
  return "$code"
}

if [ "$1" != - ]; then
  folder=$1 cgroup=$2 sync=$3
  shift 3
  attempt "$folder" "$cgroup" "$sync" kept "$@"
  code=$?
  echo "end ${"$"}{CROFT_ATTEMPT-}" 2>/dev/null
  exit "$code"
fi
attempts=$2 cgroups=$3
while read -r CROFT_ATTEMPT kept prefix; do
  export CROFT_ATTEMPT
  # shellcheck disable=SC2086
  attempt "$attempts/$CROFT_ATTEMPT" "${"$"}{cgroups:+$cgroups/$CROFT_ATTEMPT}" "" "$kept" $prefix
  echo "end $CROFT_ATTEMPT" 2>/dev/null
done
`;
