/**
 * Starts wrappers, for as long as the service lives. It is a process of its own because a large process
 * takes long to copy itself: a service of half a gigabyte needs 13 ms for each program that it starts, a
 * small shell one.
 *
 *     starter.sh FOLDER CGROUPS
 *
 * FOLDER is the engine's, with the wrapper and the attempts; CGROUPS the folder of cgroups, or empty. It reads
 * lines `KEY PREFIX...`, and starts for each a wrapper in a session of its own, which is not its child. It says
 * `failed KEY` where that cannot be done; the wrapper itself says `go KEY` and `end KEY` on the same output.
 */
export const starterScript = String.raw`#!/bin/sh
# Written by croft: starts the wrappers of attempts.
set -uf
folder=$1 cgroups=$2
while read -r key prefix; do
  # shellcheck disable=SC2086
  CROFT_ATTEMPT=$key setsid --fork /bin/sh "$folder/wrapper.sh" "$folder/attempts/$key" \
    "${"$"}{cgroups:+$cgroups/$key}" "" $prefix </dev/null || echo "failed $key"
done
`;
