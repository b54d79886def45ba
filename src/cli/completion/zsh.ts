import { pathOf, type DescribedCommand, type DescribedOption } from "./described.ts";

/** To be sourced after `compinit`, or as `_croft` in a folder of `fpath`. */
export function zshCompletion(commands: readonly DescribedCommand[]): string {
  const paths = commands.filter(({ path }) => path.length > 0).map(pathOf);
  return `#compdef croft
# Completion of croft in zsh: source <(croft completion zsh)
_croft() {
  local at="" ; local -i i
  for ((i = 2; i < CURRENT; i++)); do
    case "$at/\${words[i]}" in
      (${paths.map(quoted).join("|")}) at="$at/\${words[i]}" ;;
      (*) break ;;
    esac
  done
  # The rest as if the command were one word.
  words=(croft "\${(@)words[i,-1]}")
  (( CURRENT -= i - 2 ))
  case "$at" in
${commands.map(caseOf).join("\n")}
  esac
}
if [[ $funcstack[1] == _croft ]]; then _croft "$@"; else compdef _croft croft; fi
`;
}

function caseOf(command: DescribedCommand): string {
  const options = command.options.map((option) => `      ${optionSpec(option)}`);
  const operands =
    command.commands.length > 0
      ? `'*:command:((${command.commands.map(({ name, summary }) => `${name}\\:${inList(summary)}`).join(" ")}))'`
      : command.operands === null
        ? "'*:file:_files'"
        : `'*:name:(${command.operands.join(" ")})'`;
  return [
    `    (${quoted(pathOf(command))}) _arguments \\`,
    ...options.map((each) => `${each} \\`),
    `      ${operands} ;;`,
  ].join("\n");
}

function optionSpec({ name, summary, value }: DescribedOption): string {
  const text = `'*${name}${value === "none" ? "" : "="}[${escaped(summary).replaceAll("[", "\\[").replaceAll("]", "\\]")}]`;
  if (value === "none") return `${text}'`;
  if (value === "file") return `${text}:value:_files'`;
  return value === "folder"
    ? `${text}:folder:_files -/'`
    : `${text}:value:(${value.map(escaped).join(" ")})'`;
}

function inList(text: string): string {
  return `"${escaped(text).replaceAll('"', '\\"')}"`;
}

/** Within single quotes. */
function escaped(text: string): string {
  return text.replaceAll("'", "'\\''").replaceAll(":", "\\:").replaceAll("`", "");
}

function quoted(text: string): string {
  return `"${text}"`;
}
