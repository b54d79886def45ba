import { markup } from "../../../report/markup.ts";
import type { PageModel } from "../../../report/model.ts";
import type { Section } from "../../../report/sections/parts.ts";

export const methodSection: Section<PageModel> = {
  id: "method",
  title: "How to make this again",
  render({ input }) {
    const settings = (input.settings ?? []).map(
      ({ name, value }) => markup`<dt>${name}</dt><dd>${value}</dd>`,
    );
    return markup`<dl>${settings}</dl><pre><code>${input.command}</code></pre><p>Croft ${input.version}. The same command on the same files gives the same page.</p>`;
  },
};
