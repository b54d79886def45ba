#!/usr/bin/env bash
# Installs Croft for all users of a clean Debian, as docs/install.md says, under the real systemd: makes the Debian in a
# folder (debootstrap), boots it (systemd-nspawn), and has two users submit and one operate while the service is started
# again, killed and stopped. Then plants faults and looks whether croft doctor finds each. Needs root, debootstrap,
# systemd-container and Croft to be built; Debian's packages are fetched, some 60 MB. Takes two minutes.
#   scripts/try-debian.sh [bookworm]
set -euo pipefail
cd "$(dirname "$0")/.."
release=${1:-bookworm}
[ "$(id -u)" = 0 ] || { echo "try-debian.sh needs root" >&2; exit 2; }
for program in debootstrap systemd-nspawn nsenter; do
  command -v "$program" >/dev/null || { echo "try-debian.sh needs $program" >&2; exit 2; }
done

work=$(mktemp -d)
root=$work/debian
container=
cleanup() {
  status=$?
  [ "$status" = 0 ] || inside root journalctl -u croft --no-pager -n 20 >&2 2>/dev/null || true
  if [ -n "$container" ]; then
    kill "$container" 2>/dev/null || true
    wait "$container" 2>/dev/null || true
  fi
  rm -rf "$work"
}
trap cleanup EXIT

fail() { echo "FAILED: $*" >&2; exit 1; }
same() { [ "$2" = "$3" ] || fail "$1: $2, not $3"; echo "ok: $1"; }
init() { pgrep --parent "$container" | head -n 1; }
# inside USER COMMAND…
inside() {
  local user=$1
  shift
  nsenter --target "$(init)" --all -- setpriv --reuid "$user" --regid "$user" --init-groups \
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/ "$@"
}
refused() {
  local what=$1 wanted=$2 status=0
  shift 2
  inside "$@" >/dev/null 2>&1 || status=$?
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
is_up() { inside ann croft whoami; }
main() { inside root systemctl show --property MainPID --value croft; }
is_other() { [ "$(main)" != "$1" ] && is_up; }

# 1. A clean Debian with Node.js and Croft.
debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,passwd,procps,util-linux "$release" "$root" >"$work/made" 2>&1 ||
  { tail "$work/made" >&2; exit 1; }
cp -L "$(node -p process.execPath)" "$root/usr/bin/node"
npm pack --silent --ignore-scripts --pack-destination "$work" >/dev/null
npm install --silent --global --prefix "$root/usr" "$work"/croft-*.tgz
systemd-nspawn --quiet --register=no --keep-unit --directory "$root" --boot --console=passive </dev/null >"$work/boot" 2>&1 &
container=$!
until_true "Debian does not start" sh -c "pgrep --parent $container"
until_true "systemd does not start" inside root systemctl is-active multi-user.target
echo "ok: $(inside root systemctl --version | head -n 1)"

# 2. The steps of docs/install.md.
for group in croft croft-operators; do inside root groupadd --system "$group"; done
for user in ann olga eve; do inside root useradd --create-home "$user"; done
inside root usermod -aG croft ann
inside root usermod -aG croft,croft-operators olga
examples=/usr/lib/node_modules/croft/examples/systemd
inside root install -D -m 644 $examples/farm.yaml /etc/croft/farm.yaml
inside root install -m 644 $examples/croft.service /etc/systemd/system/croft.service
inside root systemctl daemon-reload
inside root systemctl enable --now croft 2>/dev/null
until_true "the farm does not answer" is_up

# 3. Two users submit, one operates, a third is no user.
same "who ann is" "$(inside ann croft whoami)" "ann, user"
same "who olga is" "$(inside olga croft whoami)" "olga, operator"
for user in ann olga; do
  number=$(inside "$user" croft submit -- id -un)
  inside "$user" croft wait "$number"
  same "the job of $user runs as" "$(inside "$user" croft logs "$number")" "$user"
done
refused "eve finds no farm" 110 eve croft jobs
refused "ann pauses nothing" 112 ann croft pause
inside olga croft pause
inside olga croft unpause
echo "ok: olga pauses the farm"

# 4. Jobs outlive the service, however it ends.
long=$(inside ann croft submit -- sleep 600)
is_running() { inside ann croft job "$long" | grep -q running; }
until_true "the job does not start" is_running
sleeper=$(nsenter --target "$(init)" --all -- pgrep --exact sleep)
before=$(main)
inside root systemctl restart croft
until_true "it is not started again" is_other "$before"
before=$(main)
inside root systemctl kill --kill-whom=main --signal=KILL croft
until_true "it does not come back after kill -9" is_other "$before"
inside root systemctl stop croft
same "the job while the farm is stopped" "$(nsenter --target "$(init)" --all -- pgrep --exact sleep)" "$sleeper"
inside root systemctl start croft
until_true "it is not started again" is_up
until_true "the job does not run any more" is_running
inside olga croft cancel "$long"
inside ann croft wait "$long" >/dev/null 2>&1 || true
same "the job that the operator ends" "$(inside ann croft job "$long" | grep -c cancelled)" 1

# 5. croft doctor: nothing of the farm; then each of ten faults.
doctor() { inside root croft doctor --farm /etc/croft/farm.yaml --data /var/lib/croft --socket /run/croft/croft.sock || true; }
# Clocks and cgroups are the machine's on which this runs.
doctor >"$work/doctor"
if grep '^WRONG' "$work/doctor" | grep -v -E 'clocks:|cgroups:'; then fail "croft doctor of a farm that is well"; fi
echo "ok: croft doctor"
inside root systemctl stop croft
unit=$root/etc/systemd/system/croft.service
sed -i -e 's/--users croft/--users crofters/' -e '/^KillMode=/d' -e '/^Delegate=/d' -e '/^StateDirectoryMode=/d' \
  -e 's/^RuntimeDirectoryMode=.*/RuntimeDirectoryMode=0700/' -e 's|^ExecStart=/usr/bin/|ExecStart=/usr/local/bin/|' "$unit"
sed -i -e 's/croft-operators/croft-operator/' -e 's|{ name: local }|{ name: local, hooks: { prolog: /gone } }|' "$root/etc/croft/farm.yaml"
chmod 666 "$root/etc/croft/farm.yaml"
chmod 755 "$root/var/lib/croft"
doctor >"$work/doctor"
for fault in 'crofters: there is no such Unix group' 'KillMode=process: without' 'Delegate=yes: without' \
  'StateDirectoryMode=0700: without' 'users do not get to their sockets' '/usr/local/bin/croft cannot be run' \
  'no Unix group croft-operator,' 'prolog /gone' 'others may change /etc/croft/farm.yaml' 'others may read it'; do
  grep '^WRONG' "$work/doctor" | grep -q -F "$fault" || { cat "$work/doctor"; fail "croft doctor does not find: $fault"; }
  echo "ok: croft doctor finds: $fault"
done
echo "installed for all on Debian $release: it works"
