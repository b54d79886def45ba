import { colour } from "../charts/marks.ts";
import type { Quantity } from "../charts/axis.ts";
import { timeline } from "../charts/timeline.ts";
import { course } from "../finding.ts";
import { markup, none } from "../markup.ts";
import type { Markup } from "../markup.ts";
import type { ReportModel } from "../model.ts";
import { formatNumber, formatPercent, formatShare } from "../numbers.ts";
import { AS_IT_WAS } from "../reference.ts";
import { isOwnPace } from "../verdict.ts";
import type { RunResult, Series } from "../../simulation/result.ts";
import { largest, panels } from "./parts.ts";
import type { Section } from "./parts.ts";

export const timeSection: Section = { id: "time", title: "The farm over time", render };

interface View {
  readonly id: string;
  /** @param what its lines, in words */
  readonly title: (what: string) => string;
  readonly caption: (what: string) => string;
  readonly quantity: Quantity;
  /** The top of every panel; none: the largest value of all. */
  readonly top?: number;
  readonly lines: readonly ViewLine[];
}

interface ViewLine {
  readonly name: string;
  readonly field: Exclude<keyof Series, "timeSeconds" | "packingIndex" | "idleNodes">;
  /** Null where the run did not consider it. */
  readonly mean: (run: RunResult) => number | null;
  readonly index: number;
  readonly dash: string;
}

const views: readonly View[] = [
  {
    id: "use",
    title: (what) => `${capital(what)} in use`,
    caption: (what) => `Share of the pool's ${what} that jobs hold.`,
    quantity: "share",
    top: 1,
    lines: [
      { name: "cores", field: "coreUtilization", mean: (run) => run.coreUtilizationMean, index: 0, dash: "" },
      {
        name: "memory",
        field: "memoryUtilization",
        mean: (run) => run.memoryUtilizationMean,
        index: 1,
        dash: "4 2",
      },
    ],
  },
  {
    id: "stranded",
    title: (what) => `Stranded ${what}`,
    caption: () =>
      "Free, but of no use: the workload's median task no longer fits there, since the machine has run out of the other resource. Lower is better.",
    quantity: "share",
    lines: [
      { name: "cores", field: "strandedCores", mean: (run) => run.strandedCoresMean, index: 0, dash: "" },
      {
        name: "memory",
        field: "strandedMemory",
        mean: (run) => run.strandedMemoryMean,
        index: 1,
        dash: "4 2",
      },
    ],
  },
  {
    id: "queue",
    title: () => "Queue length",
    caption: () => "Jobs waiting; a point is the most of the samples that it stands for. Lower is better.",
    quantity: "number",
    lines: [
      { name: "jobs waiting", field: "queueLength", mean: (run) => run.queueLengthMean, index: 0, dash: "" },
    ],
  },
];

function render(model: ReportModel): Markup {
  return markup`${views.map((view) => viewOf(model, view))}`;
}

/** The samples of a policy, or of the record. */
interface Panel {
  readonly policy: string;
  readonly index: string;
  readonly series: Partial<Series> & Pick<Series, "timeSeconds">;
}

function formatOf({ quantity }: View): (value: number) => string {
  return quantity === "share" ? formatShare : formatNumber;
}

/** One panel for each policy, all with the same scale: a dozen lines in one chart would be unreadable. */
function viewOf(model: ReportModel, view: View): Markup {
  const { runs } = model.load;
  const lines = view.lines.filter((line) => runs.some((row) => line.mean(row.run) !== null));
  if (lines.length === 0) return none;
  const what = lines.map(({ name }) => name).join(" and ");
  const title = view.title(what);
  const { recorded } = model.input;
  const hasRecord = recorded !== undefined && isOwnPace(model.load) && view.id !== "stranded";
  const rows: readonly Panel[] = [
    ...(hasRecord ? [{ policy: AS_IT_WAS, index: "recorded", series: recorded.series }] : []),
    ...runs.map(({ policy, index, run }) => ({ policy, index: String(index), series: run.series })),
  ];
  const untilSeconds = largest(rows.map((row) => largest(row.series.timeSeconds)));
  const most = largest(rows.flatMap((row) => lines.map((line) => largest(row.series[line.field] ?? []))));
  const top = view.top ?? most;
  const charts = rows.map((row) =>
    timeline(
      {
        size: "panel",
        heading: row.policy,
        timeSeconds: row.series.timeSeconds,
        untilSeconds,
        top,
        quantity: view.quantity,
        lines: lines.flatMap((line) => {
          const values = row.series[line.field];
          const summary = view.id === "queue" ? ("maximum" as const) : ("mean" as const);
          return values === undefined
            ? []
            : [{ name: line.name, values, index: line.index, dash: line.dash, summary }];
        }),
      },
      {
        id: `time-${view.id}-${row.index}`,
        title: `${title} over time under ${row.policy}`,
        description: lines
          .map((line) => course(line.name, row.series[line.field] ?? [], formatOf(view)))
          .join(" "),
      },
    ),
  );
  const notes = [
    ...(most > top ? [" More than there is, as in a record of other machines, is drawn at the top."] : []),
    ...(view.id === "queue" && runs.some(({ run }) => (run.pauses ?? 0) > 0)
      ? [" Paused jobs count as waiting."]
      : []),
  ];
  const legend = markup`<p class="legend">${lines.map(
    (line) =>
      markup`<span><svg class="swatch" viewBox="0 0 26 12" aria-hidden="true"><path d="M0 6H26" stroke="${colour(line.index)}" stroke-dasharray="${line.dash}" stroke-width="2"/></svg>${line.name}</span>`,
  )}</p>`;
  return markup`<h3>${title}</h3>${panels(
    charts,
    `${view.caption(what)}${notes.join("")} At ${formatPercent(model.load.offeredLoad)} load, time since the first submission; all panels have the same scale.`,
    legend,
  )}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
