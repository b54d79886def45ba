#!/usr/bin/env bash
# Tries the shipped unit for all users of a machine, without systemd: checks it with systemd-analyze where that is there,
# makes by hand what it would make, and runs its ExecStart. Users of its own submit, one of them operates, and one who is
# not of the group is kept out. Needs root, and Croft to be built, in a folder that others may read; or a program of
# Croft's in CROFT_PROGRAM.
#   scripts/try-installed.sh             in a folder of its own
#   scripts/try-installed.sh --in-place  in /run/croft, /var/lib/croft and /etc/croft, where there are none yet
set -euo pipefail
cd "$(dirname "$0")/.."
repository=$PWD
unit=examples/systemd/croft.service
[ "$(id -u)" = 0 ] || { echo "try-installed.sh needs root" >&2; exit 2; }

work=$(mktemp -d)
chmod 755 "$work"
if [ "${1:-}" = --in-place ]; then
  run=/run/croft data=/var/lib/croft etc=/etc/croft
  for each in $run $data $etc; do
    [ ! -e "$each" ] || { echo "$each is there already: this would replace it" >&2; exit 2; }
  done
else
  run=$work/run data=$work/data etc=$work/etc
fi

# Names that no machine has: at most 32 characters.
tag=croft$$
ann=${tag}a bob=${tag}b olga=${tag}o eve=${tag}e
service=
cleanup() {
  status=$?
  [ -z "$service" ] || kill "$service" 2>/dev/null || true
  [ -z "$service" ] || wait "$service" 2>/dev/null || true
  [ "$status" = 0 ] || tail -n 20 "$work/log" >&2 2>/dev/null || true
  for user in $ann $bob $olga $eve; do userdel "$user" 2>/dev/null || true; done
  for group in "$tag" "${tag}-operators"; do groupdel "$group" 2>/dev/null || true; done
  rm -rf "$work" "$run" "$data" "$etc"
}
trap cleanup EXIT

# The program that the unit names is the one of this clone.
mkdir "$work/bin"
printf '#!/bin/sh\nexec %q %q "$@"\n' "$(command -v node)" "${CROFT_PROGRAM:-$repository/bin/croft.js}" >"$work/bin/croft"
chmod 755 "$work/bin/croft"
export PATH=$work/bin:$PATH

fail() { echo "FAILED: $*" >&2; exit 1; }
same() { [ "$2" = "$3" ] || fail "$1: $2, not $3"; echo "ok: $1"; }
# as USER COMMAND…
as() {
  local user=$1
  shift
  setpriv --reuid "$user" --regid "$(id -g "$user")" --init-groups --inh-caps=-all \
    env -i PATH="$PATH" HOME=/nonexistent USER="$user" ${CROFT_OF_USERS:+CROFT_SOCKET="$run/users/$user.sock"} "$@"
}
# refused WHAT STATUS COMMAND…: that it ends so
refused() {
  local what=$1 wanted=$2 status=0
  shift 2
  "$@" >"$work/refused" 2>&1 || status=$?
  same "$what" "$status" "$wanted"
}
until_true() {
  local what=$1
  shift
  for _ in $(seq 600); do
    if "$@" >/dev/null 2>&1; then return 0; fi
    sleep 0.1
  done
  fail "$what"
}

# 1. The unit.
sed "s|/usr/bin/croft|$work/bin/croft|" "$unit" >"$work/croft.service"
if command -v systemd-analyze >/dev/null; then
  # What it says of other units of this machine is no matter of ours.
  systemd-analyze verify --man=no "$work/croft.service" >"$work/verified" 2>&1 || true
  # systemd before 254 does not know it; there the service moves itself into such a cgroup.
  if grep -F croft.service "$work/verified" | grep -v "Unknown key 'DelegateSubgroup'"; then fail "systemd-analyze verify"; fi
  echo "ok: systemd-analyze verify"
fi
setting() { sed -n "s/^$1=//p" "$unit"; }

# 2. Users and groups, and what systemd would make.
groupadd "$tag"
groupadd "${tag}-operators"
for user in $ann $bob $olga $eve; do useradd --no-create-home --no-user-group --gid nogroup --shell /bin/sh "$user"; done
for user in $ann $bob $olga; do usermod -aG "$tag" "$user"; done
usermod -aG "${tag}-operators" "$olga"
install -d -m "$(setting RuntimeDirectoryMode)" "$run"
install -d -m "$(setting StateDirectoryMode)" "$data"
install -d -m 755 "$etc"
sed "s/croft-operators/${tag}-operators/" examples/systemd/farm.yaml >"$etc/farm.yaml"

start() {
  local line
  line=$(setting ExecStart | sed "s|/usr/bin/croft|$work/bin/croft|; s|/etc/croft|$etc|; s|/var/lib/croft|$data|; s|/run/croft|$run|; s|--users croft|--users $tag|")
  rm -f "$work/ready"
  # shellcheck disable=SC2086 # systemd splits it at blanks too
  (umask 022 && exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin $line) \
    >"$work/ready" 2>>"$work/log" &
  service=$!
  until_true "the service does not start" grep -q "croft serves" "$work/ready"
}
start
[ "$run" = /run/croft ] || CROFT_OF_USERS=1
owner() { "$work/bin/croft" "$@" --socket "$run/croft.sock"; }

# 3. Rights.
same "the farm's socket" "$(stat -c '%a %U' "$run/croft.sock")" "600 root"
same "a user's socket" "$(stat -c '%a %U' "$run/users/$ann.sock")" "600 $ann"
same "the data folder" "$(stat -c '%a %U' "$data")" "700 root"
same "what is in it and others may use" "$(find "$data" -mindepth 1 -perm /077 ! -path '*/jobs/*')" ""
[ ! -e "$run/users/$eve.sock" ] || fail "$eve, who is not of the group, has a socket"

# 4. Two users submit, as themselves.
same "who $ann is" "$(as "$ann" croft whoami)" "$ann, user"
same "who $olga is" "$(as "$olga" croft whoami)" "$olga, operator"
for user in $ann $bob; do
  number=$(as "$user" croft submit --cwd / -- id -un)
  as "$user" croft wait "$number"
  same "the job of $user runs as" "$(as "$user" croft logs "$number")" "$user"
done
long=$(as "$ann" croft submit --cwd / -- sleep 600)
until_true "the job starts" sh -c "'$work/bin/croft' job --socket '$run/croft.sock' $long | grep -q running"

# 5. Who may do what.
refused "a user ends no other's job" 111 as "$bob" croft cancel "$long"
refused "a user pauses nothing" 112 as "$ann" croft pause
refused "a user makes no token" 112 as "$ann" croft token create "$bob"
refused "a user takes no group" 112 as "$ann" croft submit --group "${tag}-operators" --cwd / -- true
refused "a user takes no priority" 112 as "$ann" croft submit --priority 90 --cwd / -- true
as "$olga" croft pause --reason "a trial" >/dev/null
as "$olga" croft unpause >/dev/null
echo "ok: the operator pauses the farm"
refused "an operator makes no token" 112 as "$olga" croft token create "$bob"
refused "one who is not of the group finds no farm" 110 as "$eve" croft jobs
refused "nobody comes in by another's socket" 110 as "$bob" croft jobs --socket "$run/users/$ann.sock"
refused "no user comes in by the farm's socket" 110 as "$ann" croft jobs --socket "$run/croft.sock"
refused "no user looks into the data" 2 as "$ann" ls "$data"
refused "croft doctor of a user sees too little" 117 \
  as "$ann" croft doctor --farm "$etc/farm.yaml" --data "$data" --socket "$run/croft.sock"
grep -A 1 -F "is another user's" "$work/refused" | grep -q "as the service's user" ||
  fail "croft doctor tells a user to run it as the service's user"

# 6. Killed and started again: the job runs on.
kill -9 "$service"
wait "$service" 2>/dev/null || true
start
same "$ann's job after kill -9" "$(as "$ann" croft job "$long" | grep -c running)" 1

# 7. Who leaves the group has no socket any more, after a reload or 30 s.
gpasswd -d "$bob" "$tag" >/dev/null
kill -HUP "$service"
until_true "$bob still has a socket" test ! -e "$run/users/$bob.sock"
echo "ok: who leaves the group loses the socket"

# 8. The operator ends others' jobs.
as "$olga" croft cancel "$long" >/dev/null
owner wait "$long" >/dev/null 2>&1 || true
same "$ann's job" "$(owner job "$long" | grep -c cancelled)" 1

# 9. What croft doctor says of the farm itself; the machine may have faults of its own.
"$work/bin/croft" doctor --farm "$etc/farm.yaml" --data "$data" --socket "$run/croft.sock" >"$work/doctor" || true
if grep -E '^WRONG +(farm file|users|data folder|database|socket|service|engine|hooks)' "$work/doctor"; then fail "croft doctor"; fi
echo "ok: croft doctor"

# 10. Stopped in order: jobs run on, and no socket is left.
kill -TERM "$service"
status=0
wait "$service" || status=$?
service=
same "the service ends with" "$status" 0
same "sockets that are left" "$(find "$run" -type s)" ""
echo "installed for all: it works"
