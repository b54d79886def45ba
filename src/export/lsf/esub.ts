import type { ExportedFile, ExportRequest } from "../exporter.ts";
import type { ExportedFamily } from "../exported-family.ts";
import { header, lines } from "../text.ts";
import { familyRequirement, otherRequirement, type Requirement } from "./indexes.ts";
import { tried } from "../tried.ts";

/** The submission script: says which family a job is of and adds what it requires of its host. */
export function esub(request: ExportRequest): ExportedFile {
  const isExclusive = request.policy === "exclusive";
  const text = String.raw`
#!/bin/bash -p
${header("#", {
  what:
    "adds the policy's resource requirement to a job that is submitted, and writes the job's family into its " +
    "environment (CROFT_FAMILY), by which elim.croft counts it.",
  where: "LSF_SERVERDIR/esub.croft on every submission host, executable, writable only by root.",
  check: "shellcheck esub.croft; the steps of README.md.",
  request,
  tried: tried.lsf,
})}

# It runs as the user who submits, with their environment: nothing of that may stand for a program (-p, PATH), and no
# word of theirs for a file (-f).
set -uf
PATH=/usr/bin:/bin
# Whatever is written to standard output LSF would take for its own.
exec 1>&2

# What jobs have that name none: DEFAULT_QUEUE and DEFAULT_PROJECT of lsb.params. Fill in.
default_queue=
default_project=

[ -n "@{LSB_SUB_PARM_FILE:-}" ] || exit 0
# Only what LSF wrote counts, not what the user's shell exported.
unset LSB_SUB_QUEUE LSB_SUB_PROJECT_NAME LSB_SUB_RES_REQ
# The format that LSF documents is shell. It runs as the user who submits, and can do no more than they.
# shellcheck source=/dev/null
. "$LSB_SUB_PARM_FILE"
queue=@{LSB_SUB_QUEUE:-@{LSB_DEFAULTQUEUE:-$default_queue}}
project=@{LSB_SUB_PROJECT_NAME:-@{LSB_DEFAULTPROJECT:-$default_project}}

refuse() {
  echo "esub.croft: $1"
  exit "@{LSB_SUB_ABORT_VALUE:-97}"
}

# A waiting job keeps the requirement that it was submitted with. bmod does not tell us the rest of the job.
if [ "@{LSF_INVOKE_CMD:-bsub}" != bsub ]; then
${
  isExclusive
    ? String.raw`  [ -z "@{LSB_SUB_RES_REQ:-}@{LSB_SUB_QUEUE:-}@{LSB_SUB_PROJECT_NAME:-}" ] ||
    refuse "the queue, the project and the requirement (-q, -P, -R) decide where a job may run: submit it again"
`
    : ""
}  exit 0
fi

# Whether all queues that a job names are this one: which of several it will run in is not yet known.
is_only() {
  local each
  [ -n "$1" ] || return 1
  for each in $1; do
    [ "$each" = "$2" ] || return 1
  done
}

# select[] and order[] to add; a job belongs to the first family that it fits.
family=
add_select=${quoted(otherRequirement(request).select)}
add_order=
${request.families.map((family, at) => branch(family, at, familyRequirement(family, request))).join("\n")}
fi

[ -z "@{LSB_SUB_MODIFY_ENVFILE:-}" ] ||
  printf 'CROFT_FAMILY="%s"\n' "$family" >>"$LSB_SUB_MODIFY_ENVFILE"
[ -n "$add_select$add_order" ] || exit 0

# Takes the user's own requirement apart: select[...] or what stands before all sections, order[...], the rest.
select=
order=
rest=
# Whether the brackets outside of quotes close in order: "a) || (b" would get round what is added.
is_balanced() {
  local text=$1 outside='' open=''
  while [[ $text =~ ^([^\"\']*)([\"\'])(.*)$ ]]; do
    outside=$outside@{BASH_REMATCH[1]}
    text=@{BASH_REMATCH[3]}
    case $text in
    *"@{BASH_REMATCH[2]}"*) text=@{text#*"@{BASH_REMATCH[2]}"} ;;
    *) return 1 ;;
    esac
  done
  outside=$outside$text
  outside=@{outside//[!()]/}
  while [ -n "$outside" ]; do
    case $outside in
    "("*) open="$open(" ;;
    *)
      [ -n "$open" ] || return 1
      open=@{open#"("}
      ;;
    esac
    outside=@{outside#?}
  done
  [ -z "$open" ]
}
add_to_select() {
  is_balanced "$1" || return 1
  select=@{select:+$select && }"($1)"
}
take_apart() {
  local text=$1 before name inside first=yes
  while [[ $text =~ ^([^][]*)\[([^][]*)\](.*)$ ]]; do
    before=@{BASH_REMATCH[1]}
    inside=@{BASH_REMATCH[2]}
    text=@{BASH_REMATCH[3]}
    [[ $before =~ ^(.*[[:space:]])?([a-z]+!?)$ ]] || return 1
    before=@{BASH_REMATCH[1]}
    name=@{BASH_REMATCH[2]}
    if [[ $before =~ [^[:space:]] ]]; then
      # Between or around sections: a compound or alternative requirement.
      [ "$first" = yes ] && [[ ! $before =~ [{}] ]] || return 1
      add_to_select "$(trimmed "$before")" || return 1
    fi
    first=no
    case $name in
    select) add_to_select "$inside" || return 1 ;;
    order) order=@{order:+$order:}$inside ;;
    *) rest="$rest @{name}[$inside]" ;;
    esac
  done
  [[ $text =~ [^[:space:]] ]] || return 0
  [ "$first" = yes ] && [[ ! $text =~ [][{}] ]] || return 1
  add_to_select "$(trimmed "$text")"
}
trimmed() {
  local text=$1
  text=@{text#"@{text%%[![:space:]]*}"}
  printf '%s' "@{text%"@{text##*[![:space:]]}"}"
}

if ! take_apart "@{LSB_SUB_RES_REQ:-}"; then
${
  isExclusive
    ? `  refuse "compound and alternative requirements (-R) cannot be combined with the packing of jobs here"`
    : `  echo "esub.croft: the job is not packed: its requirement (-R) is compound or alternative"
  exit 0`
}
fi
[ -z "$add_select" ] || add_to_select "$add_select"
# Only the leftmost index decides LSF's order; r15s:pg is its order where none is given.
[ -z "$add_order" ] || order=$add_order:@{order:-r15s:pg}

requirement="@{select:+select[$select] }@{order:+order[$order]}$rest"
requirement=@{requirement//\\/\\\\}
printf 'LSB_SUB_RES_REQ="%s"\n' "@{requirement//\"/\\\"}" >>"$LSB_SUB_MODIFY_FILE"
`.replaceAll("@{", "${");
  return { name: "esub.croft", text: lines(text), isExecutable: true };
}

function branch(family: ExportedFamily, at: number, { select, order }: Requirement): string {
  return `${at === 0 ? "if" : "elif"} ${condition(family)}; then
  family=${family.id}
  add_select=${quoted(select)}
  add_order=${quoted(order)}`;
}

function condition({ kind, name }: ExportedFamily): string {
  switch (kind) {
    case "queue":
      return `is_only "$queue" ${quoted(name)}`;
    case "project":
      return `[ "$project" = ${quoted(name)} ]`;
    case "user":
      return `[ "$(id -un)" = ${quoted(name)} ]`;
    case "group":
      return `[ "$(id -gn)" = ${quoted(name)} ]`;
  }
}

/** For text without a quote in it, which is all that comes here. */
function quoted(text: string): string {
  return `'${text}'`;
}
