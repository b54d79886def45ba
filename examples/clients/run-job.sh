#!/bin/sh
# Runs a command as a job of a farm, shows what it printed, and ends as it did:
#
#     run-job.sh ./run.sh 17
#
# Ctrl-C cancels the job. `croft` finds the farm by CROFT_SERVER and CROFT_TOKEN, or by its socket (CROFT_SOCKET).
set -u

number=$(mktemp) || exit
trap 'rm -f "$number"' EXIT

# In the background, as a shell runs a trap only once the command before has ended; `wait` is interrupted by it.
croft submit --wait -- "$@" >"$number" &
waiting=$!
trap 'croft cancel "$(cat "$number")"' INT TERM
while
  wait "$waiting"
  status=$?
  kill -0 "$waiting" 2>/dev/null
do :; done

# There is no job where it was refused.
if [ -s "$number" ]; then
  croft logs "$(cat "$number")"
  croft logs --stderr "$(cat "$number")" >&2
fi
exit "$status"
