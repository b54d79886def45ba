import { combinations, runKinds, type Combination, type RunKind } from "../src/simulation/index.ts";

const kinds = Object.keys(runKinds) as RunKind[];

const headings: Readonly<Record<Combination["what"], string>> = {
  policy: "Policies",
  option: "Options of `croft simulate`",
  column: "Columns of the workload",
  command: "Commands",
};

const explanations: Readonly<Record<RunKind, string>> = {
  machines: "`--machines`: one pool",
  pool: "`--farm` with one pool",
  farm: "`--farm` with several pools",
  packing: "with `--packing`, on any of the first three",
  order: "with `--clock order`, on one pool of equal nodes with slots and nothing else, for jobs of one slot",
  single: "with `--preset pyss`, on one pool",
  whole: "a policy that gives every task a whole one of equal nodes, or a log in parts of nodes",
  shared: "a policy that shares equal nodes in parts",
};

/** `docs/combinations.md`, from the table of combinations. */
export function combinationsPage(): string {
  const reasons: string[] = [];
  const numberOf = (reason: string): number => {
    if (!reasons.includes(reason)) reasons.push(reason);
    return reasons.indexOf(reason) + 1;
  };
  const cellOf = ({ limits }: Combination, kind: RunKind): string => {
    const limit = limits[kind];
    if (limit === undefined) return "works";
    return "refused" in limit ? `refused (${numberOf(limit.refused)})` : `told (${numberOf(limit.told)})`;
  };
  const tables = (Object.keys(headings) as Combination["what"][]).flatMap((what) => {
    const rows = combinations
      .filter((row) => row.what === what)
      .map((row) => [
        what === "policy" ? row.name : `\`${row.name}\``,
        ...kinds.map((kind) => cellOf(row, kind)),
      ]);
    return [
      `## ${headings[what]}`,
      "",
      ...table([["", ...kinds.map((kind) => runKinds[kind])], ...rows]),
      "",
    ];
  });
  return [
    "<!-- Made by scripts/make-combinations.ts from src/simulation/settings/combinations.ts; do not edit. -->",
    "",
    "# What goes together with what",
    "",
    "A run is on machines, on a farm of one pool, or on a farm of several; packing, the order-driven clock and single events may be added to each. A run whose nodes are shared in parts or taken whole is of that kind alone.",
    "",
    ...table([["kind of run", ""], ...kinds.map((kind) => [runKinds[kind], explanations[kind]])]),
    "",
    "**works**: it has its effect. **refused**: no run is made, and the reason is told. **told**: the run is made, and a line on standard error says that it has no effect, and why. The numbers are those of the [reasons](#reasons). Where a run is of several kinds, it works if it works in each.",
    "",
    "Some options depend on more than the kind of run: `--estimates`, `--max-jobs`, `--reservations`, `--examine`, `--seed`, `--period`, `--mvt`, `--mft`, `--scale-memory` and `--pool-detail` are told as well where no policy, routing, strategy, machine or output of the run has a use for them.",
    "",
    "Options that are not here, on how the log is read and what is printed, work everywhere.",
    "",
    ...tables,
    "## Reasons",
    "",
    ...reasons.map((reason, i) => `${i + 1}. ${reason[0].toUpperCase()}${reason.slice(1)}.`),
    "",
  ].join("\n");
}

/** As the formatter leaves it: columns of one width. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0].map((_, i) => Math.max(3, ...rows.map((row) => row[i].length)));
  const line = (cells: readonly string[], fill = " "): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i], fill)).join(" | ")} |`;
  const [head, ...body] = rows;
  return [
    line(head),
    line(
      head.map(() => ""),
      "-",
    ),
    ...body.map((row) => line(row)),
  ];
}
