import { Command } from "commander";

import { backfillSummary, heuristics, policies } from "../../core/index.ts";
import { allocations, arrivalAlgorithms, priorities } from "../../fractional/index.ts";
import { wholeNodePolicies } from "../../simulation/index.ts";
import { print } from "../terminal.ts";

/** The algorithms' own names follow. */
const onlineNotation = [
  "Nodes shared in parts, as in 'GreedyPM */per/MVT': a name for what happens when jobs come (below, or MCB,",
  "which packs all jobs anew), * for completions too, /per or /stretch-per for packing anew every period, /MVT",
  `or /MFT to leave young jobs where they are, ${priorities.map(({ word }) => `/PRIO=${word}`).join(", ")} for who is`,
  `paused first (VT: virtual time, FT: flow time; ${priorities[0]!.word} unless given), ${allocations.map(({ name }) => `/OPT=${name}`).join(" or ")} for how CPU is shared out.`,
  `Beside them ${[...wholeNodePolicies.keys()].join(" and ")} give every task a whole node.`,
];

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
      const shared = arrivalAlgorithms.map(({ name, summary }) => `${name.padEnd(width)}  ${summary}`);
      const inTurn =
        "Several in turn, each among the equals of the one before: least-configured-memory+best-fit-cores";
      await print(
        [...lines, "", `heuristics: ${names}`, inTurn, "", ...onlineNotation, ...shared].join("\n"),
      );
    });
}

function listed(all: readonly { readonly name: string }[]): string {
  return all.map(({ name }) => name).join(", ");
}
