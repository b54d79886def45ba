import { markup } from "../../../report/markup.ts";
import type { StudyModel } from "../input.ts";
import { numberCell, tableOf, type Section } from "../../../report/sections/parts.ts";

export const tablesSection: Section<StudyModel> = {
  id: "tables",
  title: "Figures",
  render({ input }) {
    const tables = (input.tables ?? []).map(({ caption, head, rows, isText }) => {
      const body = rows.map(
        ([name, ...cells]) =>
          markup`<tr><th scope="row">${name ?? ""}</th>${cells.map((text) => (isText ? markup`<td>${text}</td>` : numberCell(text)))}</tr>`,
      );
      return tableOf(
        caption,
        head.map((title, i) => ({ title, numeric: i > 0 && isText !== true })),
        [markup`<tbody>${body}</tbody>`],
      );
    });
    return markup`${tables}`;
  },
};
