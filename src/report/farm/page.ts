import type { RunResult } from "../../simulation/result.ts";
import { markup } from "../markup.ts";
import { formatPercent } from "../numbers.ts";
import { tabulate } from "../runs.ts";
import { style } from "../style.ts";
import { layoutOf, NODE_GAP } from "./layout.ts";
import { player } from "./player.ts";
import { slotStates, stateLegend } from "./states.ts";

/** What the page's script is given, one a run. */
interface PlayedRun {
  readonly name: string;
  readonly slots: number;
  readonly nodesPerRow: number;
  readonly width: number;
  readonly height: number;
  readonly frames: readonly {
    readonly at: number;
    readonly states: string;
    readonly pi: number | null;
    readonly ff: number;
  }[];
}

/**
 * The farm over time as one HTML file that needs nothing else: a slider, and a
 * matrix for each run. Null where no run has pictures.
 *
 * @param title what was run, for the heading
 */
export function renderFarmPage(runs: readonly RunResult[], title: string, synthetic: boolean): string | null {
  const { loads } = tabulate(runs);
  const rows = loads.flatMap((load) => load.runs);
  const played: PlayedRun[] = rows.flatMap(({ run, policy }) => {
    const farm = run.farmFrames;
    if (farm === undefined || farm.frames.length === 0) return [];
    const { nodesPerRow, width, height } = layoutOf(farm);
    const frames = farm.frames.map(({ timeSeconds, states, packingIndex, fillFactor }) => ({
      at: timeSeconds,
      states,
      pi: Number.isFinite(packingIndex) ? packingIndex : null,
      ff: fillFactor,
    }));
    const name = loads.length > 1 ? `${policy}, ${formatPercent(run.offeredLoad)} load` : policy;
    return [{ name, slots: farm.slots, nodesPerRow, width, height, frames }];
  });
  if (played.length === 0) return null;
  const states = slotStates(rows.find(({ run }) => run.packing !== undefined)!.run);
  const times = frameTimes(played);
  const data = { runs: played, times, fills: states.map(({ fill }) => fill), gap: NODE_GAP };
  const farms = played.map(
    ({ name, width, height }, i) =>
      markup`<figure><h2>${name}</h2><canvas id="farm-${i}" style="max-width:${Math.round((80 * width) / height)}vh" role="img" aria-label="The farm's slots under ${name}"></canvas><figcaption id="figures-${i}"></figcaption></figure>`,
  );
  const origin = synthetic ? " Synthetic workload, not a real log." : "";
  const page = markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"><title>${title}</title><style>${{ text: style + pageStyle }}</style></head>
<body><header><h1>${title}</h1><p>The farm over time: every slot is a cell, the slots of a node lie side by side. Below each farm stands when its picture was taken: the last one until the time shown.${origin}</p></header>
<main>${stateLegend(states)}
<form id="controls"><button id="play" type="button">Play</button><input id="time" type="range" min="0" max="${times.length - 1}" value="0" aria-label="time"><output id="shown"></output></form>
<div class="farms">${farms}</div></main>
<script type="application/json" id="data">${{ text: scriptSafe(data) }}</script><script>${{ text: player }}</script></body></html>
`;
  return page.text;
}

/** The slider's stops: every time at which some run was pictured, from when there is a picture of each. */
function frameTimes(runs: readonly PlayedRun[]): number[] {
  const first = Math.max(...runs.map(({ frames }) => frames[0]!.at));
  const all = new Set(runs.flatMap(({ frames }) => frames.map(({ at }) => at)));
  return [...all].filter((at) => at >= first).sort((a, b) => a - b);
}

/** JSON within a script element: nothing in it may end the element. */
function scriptSafe(data: object): string {
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}

const pageStyle = `
#controls{position:sticky;top:0;display:flex;gap:12px;align-items:center;padding:10px 0;background:var(--ground)}
#time{flex:1;min-width:0}
#play{font:inherit;min-width:5em}
#shown{min-width:7em;text-align:right;font-variant-numeric:tabular-nums}
.farms{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,400px),1fr));gap:8px 28px}
.farms h2{margin:8px 0;padding:0;border:0;font-size:1.05rem}
canvas{display:block;width:100%}
@media print{#controls{display:none}}
`;
