import { decodeStates, type FarmFrame, type FarmFrames } from "../../simulation/packing/frames.ts";
import { markup } from "../markup.ts";
import type { Markup } from "../markup.ts";
import { formatDuration, formatShare } from "../numbers.ts";
import { escapeText } from "../markup.ts";
import { darkColours, lightColours } from "../style.ts";
import { layoutOf, NODE_GAP } from "./layout.ts";
import type { SlotState } from "./states.ts";

/** Of a slot's height; the rest parts it from the row below. */
const FILLED = 0.86;

/** Slots of the same state side by side, one path a state: thousands of rectangles would be slow. */
function slotPaths(farm: FarmFrames, frame: FarmFrame, states: readonly SlotState[]): Markup[] {
  const { nodesPerRow } = layoutOf(farm);
  const paths = states.map(() => "");
  const slotStates = decodeStates(frame.states);
  for (let node = 0; node < farm.nodes; node++) {
    const left = (node % nodesPerRow) * (farm.slots + NODE_GAP);
    const top = Math.floor(node / nodesPerRow);
    const first = node * farm.slots;
    for (let from = 0; from < farm.slots;) {
      let to = from + 1;
      while (to < farm.slots && slotStates[first + to] === slotStates[first + from]) to++;
      paths[slotStates[first + from]!] +=
        `M${short(left + from)} ${top}h${to - from}v${FILLED}h-${to - from}z`;
      from = to;
    }
  }
  return paths.flatMap((path, state) =>
    path === "" || states[state]!.fill === "none"
      ? []
      : [markup`<path d="${path}" fill="${states[state]!.fill}"/>`],
  );
}

/** The farm at one instant as a picture within a page. */
export function farmPicture(
  farm: FarmFrames,
  frame: FarmFrame,
  states: readonly SlotState[],
  id: string,
  title: string,
): Markup {
  const { width, height } = layoutOf(farm);
  return markup`<svg class="farm" viewBox="-1 -1 ${short(width + 2)} ${height + 2}" role="img" aria-labelledby="${id}-t ${id}-d"><title id="${id}-t">${title}</title><desc id="${id}-d">${frameText(frame)}</desc><rect class="farm-ground" x="-1" y="-1" width="${short(width + 2)}" height="${height + 2}"/>${slotPaths(farm, frame, states)}</svg>`;
}

/** The same as a file of its own, with its heading and what the colours mean. */
export function farmSvg(
  farm: FarmFrames,
  frame: FarmFrame,
  states: readonly SlotState[],
  title: string,
): string {
  const { width, height } = layoutOf(farm);
  const scale = 9;
  const legend = states.filter(({ fill }) => fill !== "none");
  const across = Math.max(420, Math.round(width * scale)) + 32;
  const down = Math.round(height * scale) + 96;
  let x = 16;
  const marks = legend.map(({ name, fill }) => {
    const at = x;
    x += 30 + name.length * 8;
    return markup`<rect x="${at}" y="${down - 25}" width="12" height="12" fill="${fill}" stroke="var(--muted)"/><text x="${at + 18}" y="${down - 14}">${name}</text>`;
  });
  const body = markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${across} ${down}" width="${across}" height="${down}" role="img"><title>${title}</title><style>${{ text: escapeText(colours()) }}</style><rect class="page" width="${across}" height="${down}"/><text class="heading" x="16" y="24">${title}</text><text class="figures" x="16" y="44">${frameText(frame)}</text><g transform="translate(16 56) scale(${scale})"><rect class="farm-ground" x="-0.4" y="-0.4" width="${short(width + 0.8)}" height="${short(height + 0.66)}"/>${slotPaths(farm, frame, states)}</g>${marks}</svg>
`;
  return body.text;
}

export function frameText({ timeSeconds, packingIndex, fillFactor }: FarmFrame): string {
  // JSON has no NaN: a page made from a file has null.
  const index = Number.isFinite(packingIndex)
    ? `packing index ${formatIndex(packingIndex)}`
    : "no packed job runs";
  return `after ${formatDuration(timeSeconds)}: ${index}, fill factor ${formatShare(fillFactor)}`;
}

export function formatIndex(index: number): string {
  return index.toFixed(2);
}

function colours(): string {
  return `:root{${lightColours}}@media (prefers-color-scheme:dark){:root{${darkColours}}}@media print{:root{${lightColours}}}text{font:13px system-ui,sans-serif;fill:var(--text)}.heading{font-weight:600;font-size:15px}.figures{fill:var(--muted)}.page{fill:var(--ground)}.farm-ground{fill:var(--farm-ground)}`;
}

function short(value: number): number {
  return Math.round(value * 100) / 100;
}
