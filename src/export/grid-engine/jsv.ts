import type { ExportedFile, ExportRequest } from "../exporter.ts";
import type { ExportedFamily } from "../exported-family.ts";
import { header, lines } from "../text.ts";
import { FREE, HELD_BY, presenceOf } from "./complexes.ts";
import { tried } from "../tried.ts";

/** What a job of the family requires, and what it would like. */
export function familyRequests(
  family: ExportedFamily,
  { policy }: ExportRequest,
): { hard: string; soft: string } {
  return {
    hard: policy === "exclusive" ? `${HELD_BY}=${FREE}|${family.id}` : "",
    soft: `${presenceOf(family)}=${policy === "none" ? "FALSE" : "TRUE"}`,
  };
}

/** What all other jobs require. */
export function otherRequest({ policy }: ExportRequest): string {
  return policy === "exclusive" ? `${HELD_BY}=${FREE}` : "";
}

/**
 * The job submission verifier. It speaks the protocol of jsv(1) itself: the functions of
 * jsv_include.sh evaluate what users write, and take a bar in a request for a pipe.
 */
export function jsv(request: ExportRequest): ExportedFile {
  const branches = request.families.map((family, at) => {
    const { hard, soft } = familyRequests(family, request);
    return `  ${at === 0 ? "if" : "elif"} ${condition(family)}; then
    family=${family.id}
    hard='${hard}'
    soft='${soft}'`;
  });
  const text = String.raw`
#!/bin/bash
${header("#", {
  what:
    "job submission verifier: adds the policy's requests to a job that is submitted, and writes the job's family " +
    "into its environment (CROFT_FAMILY), by which load-sensor.croft counts it.",
  where: "on the master host; jsv_url in the configuration (qconf -mconf): script:sgeadmin@/path/jsv.croft",
  check: "shellcheck jsv.croft; qsub -w v of a job; the steps of README.md.",
  request,
  tried: tried.gridEngine,
})}

set -u
export LC_ALL=C

declare -A parameters=()

# Whether all queues that a job names are this one.
is_only() {
  local each queues
  IFS=, read -r -a queues <<<"$1"
  [ "@{#queues[@]}" -gt 0 ] || return 1
  for each in "@{queues[@]}"; do
    [ "@{each%%@*}" = "$2" ] || return 1
  done
}

# A job belongs to the first family that it fits.
verify() {
  local list family='' hard='${otherRequest(request)}' soft=''
  for list in "@{parameters[l_hard]:-}" "@{parameters[l_soft]:-}"; do
    case ",$list" in *,pkheld=* | *,pk_*)
      echo "RESULT STATE REJECT attributes called pk... are requested by the cluster, not by users"
      return 0
      ;;
    esac
  done
${branches.join("\n")}
  fi
  echo "ENV ADD CROFT_FAMILY @{family:-none}"
  [ -z "$hard" ] || echo "PARAM l_hard @{parameters[l_hard]:+@{parameters[l_hard]},}$hard"
  [ -z "$soft" ] || echo "PARAM l_soft @{parameters[l_soft]:+@{parameters[l_soft]},}$soft"
  echo "RESULT STATE CORRECT"
}

while read -r command name value; do
  case $command in
  START)
    parameters=()
    echo STARTED
    ;;
  PARAM)
    # Only these are looked at: what is no parameter's name must not become an index.
    case $name in
    q_hard | l_hard | l_soft | P | USER | GROUP) parameters[$name]=$value ;;
    esac
    ;;
  BEGIN) verify ;;
  QUIT) exit 0 ;;
  esac
done
`.replaceAll("@{", "${");
  return { name: "jsv.croft", text: lines(text), isExecutable: true };
}

function condition({ kind, name }: ExportedFamily): string {
  switch (kind) {
    case "queue":
      return `is_only "\${parameters[q_hard]:-}" '${name}'`;
    case "project":
      return `[ "\${parameters[P]:-}" = '${name}' ]`;
    case "user":
      return `[ "\${parameters[USER]:-}" = '${name}' ]`;
    case "group":
      return `[ "\${parameters[GROUP]:-}" = '${name}' ]`;
  }
}
