#!/usr/bin/env bash
# Tries what others would install: packs Croft, installs the package into an empty folder with an empty cache, and runs
# the commands of the README and the examples there. Needs the npm registry.
#   scripts/try-package.sh
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
npm pack --pack-destination "$work"

mkdir "$work/empty"
cd "$work/empty"
npm install --cache "$work/cache" --no-audit --no-fund "$work"/croft-*.tgz
croft=node_modules/.bin/croft
package=node_modules/croft

set -x
"$croft" version
"$croft" simulate $package/examples/data/synthetic-farm.parquet \
  --machines $package/examples/data/thirty-machines.csv --policy first-fit,easy --load 0.6 --out croft-report
test -s croft-report/report.html
"$croft" simulate --config croft-report/settings.yaml --out again
"$croft" study online --traces 1 --jobs 20 --load 0.5 --machines 4x4c --policy FCFS --quiet
"$croft" fractional generate --hosts 4 --services 10 --out instance.txt
"$croft" fractional solve instance.txt --algorithm lp-bound
for shell in bash zsh fish; do "$croft" completion "$shell" >"croft.$shell"; done
test -s $package/dist/man/croft.1
test -s $package/dist/bundle/third-party-licenses.txt
for example in compare-policies own-workload own-heuristic report study; do
  node "$package/examples/$example.js"
done
set +x
echo "the package works"
