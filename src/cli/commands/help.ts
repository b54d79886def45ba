import { Command } from "commander";

/** @param program with all its commands */
export function helpCommand(program: Command): Command {
  return new Command("help")
    .description("tell how a command is used: croft help study online")
    .argument("[command...]")
    .action((words: readonly string[]) => {
      let found = program;
      for (const word of words) {
        const next = found.commands.find((command) => command.name() === word);
        if (next === undefined) {
          const known = found.commands.map((command) => command.name()).join(", ");
          const where = found === program ? "croft" : `croft ${nameOf(found, program)}`;
          program.error(
            known === ""
              ? `error: ${where} has no commands of its own, so no '${word}'`
              : `error: ${where} has no command '${word}'; it has ${known}`,
          );
        }
        found = next;
      }
      found.help();
    });
}

function nameOf(command: Command, program: Command): string {
  const names: string[] = [];
  for (let at: Command | null = command; at !== null && at !== program; at = at.parent)
    names.unshift(at.name());
  return names.join(" ");
}
