import { Command } from "commander";

import { backfillSummary, heuristics, policies } from "../../core/index.ts";
import { nodePolicies } from "../../simulation/index.ts";
import { print } from "../terminal.ts";

export function policiesCommand(): Command {
  return new Command("policies")
    .description("list the policies that a farm can be run under")
    .option("--json", "as JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const known = [...policies, backfillSummary].map(({ name, summary, takesHeuristic }) => ({
        name,
        summary,
        takesHeuristic,
      }));
      if (json === true) {
        await print(JSON.stringify(known, null, 2));
        return;
      }
      const width = Math.max(...known.map(({ name }) => name.length));
      const lines = known.map(
        ({ name, summary, takesHeuristic }) =>
          `${name.padEnd(width)}  ${summary}${takesHeuristic ? " (takes a heuristic: /NAME)" : ""}`,
      );
      const names = listed(heuristics);
      const notation = nodePolicies.flatMap((family) => family.notation);
      const parts = nodePolicies
        .flatMap((family) => family.parts)
        .map(({ name, summary }) => `${name.padEnd(width)}  ${summary}`);
      const inTurn =
        "Several in turn, each among the equals of the one before: least-configured-memory+best-fit-cores";
      const own =
        "Of your own: croft simulate --plugin FILE, and plugin in a sweep's file; docs/own-policies.md";
      await print(
        [...lines, "", `heuristics: ${names}`, inTurn, "", ...notation, ...parts, "", own].join("\n"),
      );
    });
}

function listed(all: readonly { readonly name: string }[]): string {
  return all.map(({ name }) => name).join(", ");
}
