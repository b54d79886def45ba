import { pathOf, type DescribedCommand, type DescribedOption } from "./described.ts";

/** To be sourced, or as `croft.fish` in fish's folder of completions. */
export function fishCompletion(commands: readonly DescribedCommand[]): string {
  const paths = commands.filter(({ path }) => path.length > 0).map(pathOf);
  return `# Completion of croft in fish: croft completion fish | source
function __croft_at
    set -l at ""
    for word in (commandline -opc)[2..]
        contains -- "$at/$word" ${paths.join(" ")}
        or break
        set at "$at/$word"
    end
    test "$at" = "$argv[1]"
end
complete -c croft -f
${commands.flatMap(linesOf).join("\n")}
`;
}

function linesOf(command: DescribedCommand): string[] {
  const when = `complete -c croft -n ${quoted(`__croft_at "${pathOf(command)}"`)}`;
  const operands =
    command.operands !== null
      ? [`${when} -a ${quoted(command.operands.join(" "))}`]
      : command.commands.length === 0
        ? [`${when} -F`]
        : [];
  return [
    ...command.commands.map(({ name, summary }) => `${when} -a ${name} -d ${quoted(summary)}`),
    ...command.options.map((option) => `${when} ${optionWords(option)}`),
    ...operands,
  ];
}

function optionWords({ name, summary, value }: DescribedOption): string {
  const text = `-l ${name.slice(2)} -d ${quoted(summary)}`;
  if (value === "none") return text;
  if (value === "file") return `${text} -r -F`;
  return value === "folder"
    ? `${text} -x -a "(__fish_complete_directories)"`
    : `${text} -x -a ${quoted(value.join(" "))}`;
}

/** Within single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
