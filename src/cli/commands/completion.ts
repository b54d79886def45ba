import { Argument, Command } from "commander";

import { registry } from "../../simulation/index.ts";
import { bashCompletion } from "../completion/bash.ts";
import { describeCommands, type DescribedCommand } from "../completion/described.ts";
import { fishCompletion } from "../completion/fish.ts";
import { zshCompletion } from "../completion/zsh.ts";
import { print } from "../terminal.ts";

/** Every shell, and how its script is written. */
const shells: Readonly<Record<string, (commands: readonly DescribedCommand[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/**
 * @param makeWhole makes the program with all its commands
 * @param more values of further options, by the option
 */
export function completionCommand(
  makeWhole: () => Promise<Command>,
  more: Readonly<Record<string, readonly string[]>>,
): Command {
  return new Command("completion")
    .description("print a script that lets a shell complete croft's commands and options")
    .addArgument(new Argument("<shell>").choices(Object.keys(shells)))
    .addHelpText(
      "after",
      "\nbash: source <(croft completion bash)\nzsh: source <(croft completion zsh)\nfish: croft completion fish | source",
    )
    .action(async (shell: string) => {
      const known = {
        "--policy": registry.policies.map(({ name }) => name),
        "--strategy": registry.strategies.map(({ name }) => name),
        ...more,
      };
      await print(shells[shell]!(describeCommands(await makeWhole(), known)));
    });
}
