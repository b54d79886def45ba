import { join } from "node:path";

import {
  csvText,
  figurePdf,
  reportFigures,
  resultData,
  resultLatex,
  standaloneSvg,
  type ReportInput,
} from "../../report/index.ts";
import { makeFolder, writeFileAtomically } from "../../workload/index.ts";

/**
 * Writes the report's figures for a paper: each chart as SVG, PDF and CSV, and the results as CSV and LaTeX. Returns how
 * many charts there are.
 */
export async function writeFigures(folder: string, input: ReportInput): Promise<number> {
  makeFolder(folder);
  const write = (name: string, content: string | Uint8Array): Promise<void> =>
    writeFileAtomically(join(folder, name), [content]);
  await write("results.csv", csvText(resultData(input)));
  await write("results.tex", resultLatex(input));
  const figures = reportFigures(input);
  for (const figure of figures) {
    await write(`${figure.id}.svg`, standaloneSvg(figure));
    await write(`${figure.id}.pdf`, await figurePdf(figure));
    await write(`${figure.id}.csv`, csvText(figure.data));
  }
  return figures.length;
}
