import { parseMemory } from "../../input/memory-amounts.ts";
import { parseNumber } from "../../input/numbers.ts";
import { decodeText, isText, startsWith } from "../../input/text.ts";
import { licenceName, MAX_LICENCES } from "../../licences.ts";

const COMMA = 44;
const EQUALS = 61;
/** In Slurm's records an amount per CPU has this bit set. Some versions print it with the amount, as `2147486648Mn`. */
const PER_CPU_FLAG = 2 ** 31;

const LICENSE = "license/";

/** The note of a job whose licences cannot all be read: it is kept without those. */
export const UNREAD_LICENCES = "counted as none: licences that cannot be read";

/** A list of licences with one more, unless its count is 0; null if its name or its count cannot be read. */
export function withLicence(list: string, name: string, count: number): string | null {
  if (count === 0) return list;
  if (!licenceName.test(name) || !Number.isInteger(count) || count < 0 || count > MAX_LICENCES) return null;
  if (list.split(";").some((item) => item.startsWith(`${name}=`))) return null;
  return `${list === "" ? "" : `${list};`}${name}=${count}`;
}

/** What a whole job holds, by Slurm's trackable resources; NaN if unknown. */
export class Tres {
  cpus = Number.NaN;
  memoryMiB = Number.NaN;
  nodes = Number.NaN;
  gpus = Number.NaN;
  /** As `askedLicences` reads them; empty: none are told. */
  licences = "";
  /** Whether it has licences that cannot be read, which `licences` leaves out. */
  hasUnreadLicences = false;

  /** Whether its memory cannot be read, as with a decimal comma: `mem=2,5G`. */
  hasUnreadMemory = false;

  clear(): void {
    this.hasUnreadMemory = false;
    this.licences = "";
    this.hasUnreadLicences = false;
    this.cpus = this.memoryMiB = this.nodes = this.gpus = Number.NaN;
  }

  /** Reads `cpu=8,mem=24000M,node=1,gres/gpu:a100=2,license/matlab=1`. What the text does not tell is NaN. */
  read(bytes: Uint8Array, start: number, end: number): void {
    this.clear();
    let gpusOfTypes = Number.NaN;
    let isAfterMemory = false;
    for (let from = start; from < end;) {
      let equals = from;
      while (equals < end && bytes[equals] !== EQUALS && bytes[equals] !== COMMA) equals++;
      let to = equals;
      while (to < end && bytes[to] !== COMMA) to++;
      // What has no name belongs to the amount before it.
      if (isAfterMemory && equals === to) this.hasUnreadMemory = true;
      isAfterMemory = isText(bytes, from, equals, "mem");
      if (isText(bytes, from, equals, "cpu")) this.cpus = parseNumber(bytes, equals + 1, to);
      else if (isText(bytes, from, equals, "node")) this.nodes = parseNumber(bytes, equals + 1, to);
      else if (isText(bytes, from, equals, "mem")) this.memoryMiB = parseMemory(bytes, equals + 1, to, 1);
      else if (isText(bytes, from, equals, "gres/gpu")) this.gpus = parseNumber(bytes, equals + 1, to);
      else if (startsWith(bytes, from, equals, "gres/gpu:")) {
        const count = parseNumber(bytes, equals + 1, to);
        gpusOfTypes = Number.isNaN(gpusOfTypes) ? count : gpusOfTypes + count;
      } else if (startsWith(bytes, from, equals, LICENSE)) {
        const name = decodeText(bytes, from + LICENSE.length, equals);
        const licences = withLicence(this.licences, name, parseNumber(bytes, equals + 1, to));
        if (licences === null) this.hasUnreadLicences = true;
        else this.licences = licences;
      }
      from = to + 1;
    }
    // If `gres/gpu` is present it counts those of all types.
    if (Number.isNaN(this.gpus)) this.gpus = gpusOfTypes;
    if (this.hasUnreadMemory) this.memoryMiB = Number.NaN;
  }
}

/** GPUs per node in a list of generic resources such as `gpu:2,gpu:a100:1`; NaN if it has none. */
export function gpusOfGres(text: string): number {
  let gpus = Number.NaN;
  for (const item of text.split(",")) {
    const [, count] = /^gpu(?::[^:=]*[a-z][^:=]*)?(?:[:=](\d+))?(?:\(.*)?$/i.exec(item.trim()) ?? [];
    if (/^gpu\b/i.test(item.trim())) gpus = (Number.isNaN(gpus) ? 0 : gpus) + Number(count ?? 1);
  }
  return gpus;
}

/**
 * MiB of the whole job from `ReqMem`: `4000Mc` is per CPU, `62.50Gn` per node, `4G` for the job. NaN if it has none;
 * `0` asks for all that a node has.
 */
export function requestedMemory(
  bytes: Uint8Array,
  start: number,
  end: number,
  cpus: number,
  nodes: number,
): number {
  const last = end > start ? bytes[end - 1]! : 0;
  const isPerCpu = last === 99;
  const isPerNode = last === 110;
  const amount = parseMemory(bytes, start, isPerCpu || isPerNode ? end - 1 : end, 1);
  if (!(amount > 0)) return Number.NaN;
  if (isPerCpu) return amount * cpus;
  if (isPerNode && amount >= PER_CPU_FLAG) return (amount - PER_CPU_FLAG) * cpus;
  return isPerNode ? amount * nodes : amount;
}

/** Whether the field holds no value: empty, `Unknown`, `None`, `N/A`, `INVALID`. */
export function isUnknown(bytes: Uint8Array, start: number, end: number): boolean {
  if (start >= end) return true;
  const first = bytes[start]! | 32;
  if (first === 117) return isText(bytes, start, end, "Unknown");
  if (first === 110) return startsWith(bytes, start, end, "None") || isText(bytes, start, end, "N/A");
  return first === 105 && isText(bytes, start, end, "INVALID");
}
