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
interrupted=
cancel() {
  interrupted=yes
  # The farm may not have answered yet.
  until [ -s "$number" ]; do
    kill -0 "$waiting" 2>/dev/null || return 0
    sleep 0.1
  done
  croft cancel "$(cat "$number")"
}
trap cancel INT TERM
wait "$waiting"
status=$?
# Its own status may have been waiting since; 127 is said of a command whose status was told before.
while [ -n "$interrupted" ]; do
  interrupted=
  wait "$waiting"
  again=$?
  [ "$again" -eq 127 ] || status=$again
done

# There is no job where it was refused.
if [ -s "$number" ]; then
  croft logs "$(cat "$number")"
  croft logs --stderr "$(cat "$number")" >&2
fi
exit "$status"
