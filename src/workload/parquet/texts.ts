import { readDeltas } from "./deltas.ts";

/** Byte strings, each a part of the same bytes: objects for each would take many times their memory. */
export interface Texts {
  readonly bytes: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/** Texts that are told by what they have in common may be longer than all pages. */
const MAX_BYTES = 1 << 28;
const CUT_SHORT = "a page's values are cut short";

/** PLAIN: each after its length. */
export function plainTexts(bytes: Uint8Array, count: number): Texts {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { starts, ends } = places(count);
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + 4 > bytes.length) throw new Error(CUT_SHORT);
    starts[i] = at + 4;
    at += 4 + view.getUint32(at, true);
    if (at > bytes.length) throw new Error(CUT_SHORT);
    ends[i] = at;
  }
  return { bytes, starts, ends };
}

/** All of one length, without gaps. */
export function fixedTexts(bytes: Uint8Array, width: number, count: number): Texts {
  const { starts, ends } = places(count);
  for (let i = 0; i < count; i++) {
    starts[i] = i * width;
    ends[i] = starts[i]! + width;
  }
  return { bytes, starts, ends };
}

/** DELTA_LENGTH_BYTE_ARRAY: all lengths, then all texts. */
export function lengthFirstTexts(bytes: Uint8Array, count: number): Texts {
  const { starts, ends } = places(count);
  let at = readDeltas(bytes, ends);
  for (let i = 0; i < count; i++) {
    const length = ends[i]!;
    if (!(length >= 0 && length <= bytes.length - at)) throw new Error(CUT_SHORT);
    starts[i] = at;
    at += length;
    ends[i] = at;
  }
  return { bytes, starts, ends };
}

/** DELTA_BYTE_ARRAY: how many bytes each has in common with the one before, then the rest of each. */
export function deltaTexts(bytes: Uint8Array, count: number): Texts {
  const common = new Int32Array(count);
  const rest = lengthFirstTexts(bytes.subarray(readDeltas(bytes, common)), count);
  let total = 0;
  for (let i = 0, before = 0; i < count; i++) {
    if (!(common[i]! >= 0 && common[i]! <= before)) throw new Error("a page's texts have too much in common");
    before = common[i]! + rest.ends[i]! - rest.starts[i]!;
    total += before;
    if (total > MAX_BYTES) throw new Error("a page's texts take more than 256 MiB");
  }
  const whole = new Uint8Array(total);
  const { starts, ends } = places(count);
  for (let i = 0, at = 0, before = 0; i < count; i++) {
    starts[i] = at;
    whole.copyWithin(at, before, before + common[i]!);
    before = at;
    at += common[i]!;
    whole.set(rest.bytes.subarray(rest.starts[i], rest.ends[i]), at);
    at += rest.ends[i]! - rest.starts[i]!;
    ends[i] = at;
  }
  return { bytes: whole, starts, ends };
}

function places(count: number): { starts: Int32Array; ends: Int32Array } {
  return { starts: new Int32Array(count), ends: new Int32Array(count) };
}
