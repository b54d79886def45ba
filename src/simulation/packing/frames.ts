import type { SlotTable } from "./slots.ts";

/** The largest number of frames kept. When there are more, every other one is dropped and the step doubles. */
const MAX_FRAMES = 96;
/** No pictures are taken of a farm with more slots: each would be less than a pixel. */
export const MAX_PICTURED_SLOTS = 200_000;

/** The farm's slots at some instants of a run, for pictures. */
export interface FarmFrames {
  readonly nodes: number;
  readonly slots: number;
  readonly frames: readonly FarmFrame[];
}

export interface FarmFrame {
  /** Since the run's beginning. */
  readonly timeSeconds: number;
  /** The states of all slots, node by node, as `encodeStates` packs them. */
  readonly states: string;
  /** NaN while no packed job runs. */
  readonly packingIndex: number;
  readonly fillFactor: number;
}

/** Takes pictures of a farm at equal steps of time. */
export class FrameTaker {
  private readonly table: SlotTable;
  private readonly begin: number;
  private readonly indicators: () => { readonly packingIndex: number; readonly fillFactor: number };
  private step: number;
  private readonly frames: FarmFrame[] = [];
  private nextTime: number;

  /** @param spanSeconds how long the run is expected to take */
  constructor(
    table: SlotTable,
    begin: number,
    spanSeconds: number,
    indicators: () => { readonly packingIndex: number; readonly fillFactor: number },
  ) {
    this.table = table;
    this.begin = begin;
    this.indicators = indicators;
    this.step = Math.max(1, spanSeconds) / (MAX_FRAMES / 2);
    this.nextTime = begin + this.step;
  }

  /** Advances time to `now`; the farm has not changed since the last call. */
  advance(now: number): void {
    if (now < this.nextTime) return;
    const states = encodeStates(this.table.states());
    const { packingIndex, fillFactor } = this.indicators();
    while (this.nextTime <= now) {
      this.frames.push({ timeSeconds: this.nextTime - this.begin, states, packingIndex, fillFactor });
      if (this.frames.length === MAX_FRAMES) {
        for (let i = 0; i < MAX_FRAMES / 2; i++) this.frames[i] = this.frames[i * 2 + 1];
        this.frames.length = MAX_FRAMES / 2;
        this.step *= 2;
      }
      this.nextTime = this.begin + (this.frames.length + 1) * this.step;
    }
  }

  taken(): FarmFrames {
    const { nodes, slots } = this.table;
    return { nodes, slots, frames: [...this.frames] };
  }
}

/** States as text: a letter each, `a` for 0, with the number of its repetitions before it where it has any. */
export function encodeStates(states: Uint8Array): string {
  let text = "";
  for (let from = 0; from < states.length;) {
    let to = from + 1;
    while (to < states.length && states[to] === states[from]) to++;
    text += `${to - from === 1 ? "" : to - from}${String.fromCharCode(97 + states[from])}`;
    from = to;
  }
  return text;
}

export function decodeStates(text: string): number[] {
  const states: number[] = [];
  for (const [, times, letter] of text.matchAll(/(\d*)([a-z])/g)) {
    const state = letter.charCodeAt(0) - 97;
    for (let i = times === "" ? 1 : Number(times); i > 0; i--) states.push(state);
  }
  return states;
}
