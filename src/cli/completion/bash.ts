import { pathOf, type DescribedCommand, type DescribedValue } from "./described.ts";

/** For bash 3.2 and newer; to be sourced. */
export function bashCompletion(commands: readonly DescribedCommand[]): string {
  const paths = commands.filter(({ path }) => path.length > 0).map(pathOf);
  return `# Completion of croft in bash: source <(croft completion bash)
_croft() {
  local IFS=$'\\n' at="" i value=""
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD - 1]}"
  # bash takes --option=value for three words.
  if [[ $cur == "=" ]]; then cur=""
  elif [[ $prev == "=" && $COMP_CWORD -gt 2 ]]; then prev="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at/\${COMP_WORDS[i]}" in
      ${paths.map(quoted).join(" | ")}) at="$at/\${COMP_WORDS[i]}" ;;
      *) break ;;
    esac
  done
  case "$at $prev" in
${commands.flatMap(valueCases).join("\n")}
  esac
  case "$at" in
${commands.map(wordCase).join("\n")}
  esac
}
complete -o filenames -F _croft croft
`;
}

/** What follows an option that takes a value. */
function valueCases(command: DescribedCommand): string[] {
  const byReply = new Map<string, string[]>();
  for (const { name, value } of command.options) {
    if (value === "none") continue;
    const reply = replyOf(value);
    byReply.set(reply, [...(byReply.get(reply) ?? []), quoted(`${pathOf(command)} ${name}`)]);
  }
  return Array.from(byReply, ([reply, names]) => `    ${names.join(" | ")}) ${reply}; return ;;`);
}

function replyOf(value: Exclude<DescribedValue, "none">): string {
  if (value === "file") return filesReply;
  return value === "folder" ? `COMPREPLY=($(compgen -d -- "$cur"))` : wordsReply(value);
}

const filesReply = `COMPREPLY=($(compgen -f -- "$cur"))`;

function wordsReply(words: readonly string[]): string {
  return `COMPREPLY=($(compgen -W $'${words.map((word) => word.replaceAll("'", "\\'")).join("\\n")}' -- "$cur"))`;
}

/** What else stands under a command: its commands, options, and operands or files. */
function wordCase(command: DescribedCommand): string {
  const options = wordsReply(command.options.map(({ name }) => name));
  const names = command.commands.map(({ name }) => name);
  const others =
    names.length > 0
      ? wordsReply(names)
      : command.operands === null
        ? filesReply
        : wordsReply(command.operands);
  return `    ${quoted(pathOf(command))}) if [[ $cur == -* ]]; then ${options}; else ${others}; fi ;;`;
}

function quoted(text: string): string {
  return `"${text}"`;
}
