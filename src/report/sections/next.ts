import type { NextSteps } from "../input.ts";
import { markup, none } from "../markup.ts";
import type { Markup } from "../markup.ts";
import type { ReportModel } from "../model.ts";
import { nextSentence } from "../next-sentence.ts";
import type { Section } from "./parts.ts";

/** How to set up the best policy in a batch system. */
export const nextSection: Section = {
  id: "next",
  title: "What to do next",
  finding: ({ input, verdict }) => nextSentence(input.next!, verdict),
  render,
};

function render(model: ReportModel): Markup {
  const { next } = model.input;
  if (next === undefined) return none;
  if (next.there !== null)
    return markup`<p>No settings are shown, since nothing is to be changed. <code>croft export</code> writes those of a policy.</p>`;
  const systems = next.systems.map((system) =>
    next.systems.length === 1
      ? markup`<h3>${system.title}</h3>${settingsOf(system)}`
      : markup`<details><summary>${system.title}: ${countText(system.missing.length)}</summary>${settingsOf(system)}</details>`,
  );
  return markup`${systems}`;
}

function settingsOf({
  first,
  instead,
  settings,
  decisions,
  missing,
  tried,
}: NextSteps["systems"][number]): Markup {
  const files = settings.map(
    ({ where, lines }) => markup`<p>Goes ${where}:</p><pre><code>${lines.join("\n")}</code></pre>`,
  );
  const before =
    first === undefined
      ? none
      : markup`<p>${first} The settings are what <code>croft export</code> writes.</p>`;
  const other =
    instead === undefined
      ? none
      : markup`<p>It would do ${instead} in its place: run that, too. Settings for it are what <code>croft export</code> writes.</p>`;
  const apart =
    decisions.length === 0
      ? none
      : markup`<p>Decisions of yours, in no block, since each takes something from somebody:</p><ul>${decisions.map(({ does, lines }) => markup`<li>${does} <code>${lines.join("; ")}</code></li>`)}</ul>`;
  const lacks =
    missing.length === 0
      ? markup`<p>The policy is fully supported.</p>`
      : markup`<p>Not supported:</p><ul>${missing.map((sentence) => markup`<li>${sentence}</li>`)}</ul>`;
  // What was tried are lines.
  return markup`${before}${other}${files}${apart}${lacks}${files.length + decisions.length === 0 ? none : markup`<p>Tried ${tried}</p>`}`;
}

function countText(missing: number): string {
  if (missing === 0) return "fully supported";
  return missing === 1 ? "one part is not supported" : `${missing} parts are not supported`;
}
