import { formatDuration, formatPercent } from "../report/index.ts";
import type { ProjectView, SharesView } from "../simulation/index.ts";
import { hoursText } from "./explain/text.ts";
import { printable } from "./live/printable.ts";
import { table, type Column } from "./live/tables.ts";

const project: Column<ProjectView> = {
  title: "project",
  text: (each) => (each.project === "" ? "(no project)" : each.project),
};
const due: Column<ProjectView> = { title: "due", text: (each) => percent(each.due), right: true };
const now: readonly Column<ProjectView>[] = [
  { title: "cores running", text: ({ coresRunning }) => String(coresRunning), right: true },
  { title: "running", text: ({ running }) => String(running), right: true },
  { title: "waiting", text: ({ waiting }) => String(waiting), right: true },
];

export function sharesText(pools: readonly SharesView[]): string {
  return pools.length === 0
    ? "no pool has shares"
    : pools.map((pool) => `${headOf(pool)}\n${table(columnsOf(pool), pool.projects)}`).join("\n\n");
}

function headOf({ pool, halfLifeSeconds, of }: SharesView): string {
  if (halfLifeSeconds === null) return `${printable(pool)}: by the cores in use`;
  const what = of === "dominant" ? "the dominant resource" : of;
  return `${printable(pool)}: by what was used of ${what}, half of which counts after ${plain(formatDuration(halfLifeSeconds))}`;
}

function columnsOf({ of }: SharesView): readonly Column<ProjectView>[] {
  if (of === null) return [project, due, ...now];
  return [
    project,
    due,
    {
      title: "used",
      text: ({ usedPart }) => (usedPart === null ? "" : percent(usedPart)),
      right: true,
    },
    {
      title: of === "memory" ? "GiB-hours" : "core-hours",
      text: ({ usedHours }) => hoursText(usedHours!),
      right: true,
    },
    ...now,
  ];
}

function percent(part: number): string {
  return plain(formatPercent(part));
}

function plain(text: string): string {
  return text.replaceAll("\u00a0", " ");
}
