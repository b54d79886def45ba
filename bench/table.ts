import type { Row } from "./benchmark.ts";

const columns: readonly {
  readonly title: string;
  readonly width: number;
  readonly text: (row: Row) => string;
}[] = [
  { title: "", width: 34, text: (row) => row.what },
  { title: "jobs/CPU s", width: 11, text: ({ speed }) => whole(speed?.perProcessorSecond) },
  { title: "jobs/s", width: 11, text: ({ speed }) => whole(speed?.perSecond) },
  {
    title: "× plain scan",
    width: 12,
    text: ({ timesPlainScan }) => (timesPlainScan === undefined ? "" : timesPlainScan.toFixed(1)),
  },
  { title: "", width: 38, text: (row) => row.figure ?? "" },
  { title: "peak MiB", width: 8, text: (row) => whole(row.peakMiB) },
  { title: "target", width: 20, text: ({ target }) => target?.text ?? "" },
  {
    title: "met",
    width: 3,
    text: ({ target }) => (target === undefined ? "" : target.isMet ? "yes" : "no"),
  },
];

/** The first column is words, the others are figures. */
function line(texts: readonly string[]): string {
  return texts
    .map((text, i) => (i === 0 ? text.padEnd(columns[i].width) : text.padStart(columns[i].width)))
    .join("  ")
    .trimEnd();
}

export function headLine(): string {
  return line(columns.map(({ title }) => title));
}

export function rowLine(row: Row): string {
  return line(columns.map(({ text }) => text(row)));
}

function whole(value: number | undefined): string {
  return value === undefined ? "" : Math.round(value).toLocaleString("en");
}
