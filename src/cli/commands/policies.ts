import { Command } from "commander";

import { heuristics, policies } from "../../core/index.ts";
import { print } from "../terminal.ts";

export function policiesCommand(): Command {
  return new Command("policies")
    .description("list the policies that a farm can be run under")
    .option("--json", "as JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const known = policies.map(({ name, summary, takesHeuristic }) => ({ name, summary, takesHeuristic }));
      if (json === true) {
        await print(JSON.stringify(known, null, 2));
        return;
      }
      const width = Math.max(...known.map(({ name }) => name.length));
      const lines = known.map(
        ({ name, summary, takesHeuristic }) =>
          `${name.padEnd(width)}  ${summary}${takesHeuristic ? " (takes a heuristic: /NAME)" : ""}`,
      );
      const names = heuristics.map(({ name }) => name).join(", ");
      await print([...lines, "", `heuristics: ${names}`].join("\n"));
    });
}
