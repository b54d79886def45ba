import type { ByteSource } from "../input/bytes.ts";
import { readLines } from "../input/lines.ts";
import { CondorSlots } from "./htcondor-slots.ts";
import type { MachinesFormat, MachinesOptions } from "./format.ts";
import type { Machines } from "./machines.ts";

const ASSIGNMENT = /^([A-Za-z_][\w.]*) = (.*)$/;
/** Far more than any ad has. */
const MAX_ATTRIBUTES = 10_000;

export const htcondorLong: MachinesFormat = {
  name: "htcondor-long",
  summary: "HTCondor: condor_status -long",
  takes: ["leaveOutDown"],
  matches: (_fileName, firstBytes) => {
    const text = new TextDecoder().decode(firstBytes).trimStart();
    return (
      /^[A-Za-z_]\w* = \S/.test(text) && /^(MyType = "Machine"|(Total|TotalSlot)?Cpus = \d)/im.test(text)
    );
  },
  read,
};

async function read(source: ByteSource, options: MachinesOptions = {}): Promise<Machines> {
  const slots = new CondorSlots(source, options);
  const decoder = new TextDecoder();
  let ad: [string, string | number | boolean][] = [];
  const end = (): void => {
    if (ad.length > 0) slots.add(ad);
    ad = [];
  };
  await readLines(source, (bytes, start, stop, line) => {
    const text = decoder.decode(bytes.subarray(start, stop)).trim();
    if (text === "") {
      end();
      return;
    }
    const [, name, value] = ASSIGNMENT.exec(text) ?? [];
    if (name === undefined || value === undefined) return slots.refuse("no attribute: Name = value", line);
    if (ad.length >= MAX_ATTRIBUTES) slots.refuse(`an ad of more than ${MAX_ATTRIBUTES} attributes`, line);
    const constant = constantOf(value);
    if (constant !== null) ad.push([name, constant]);
  });
  end();
  return slots.finish();
}

/** Null if the value is an expression. */
function constantOf(value: string): string | number | boolean | null {
  const quoted = /^"((?:[^"\\]|\\.)*)"$/s.exec(value)?.[1];
  if (quoted !== undefined) return quoted.replace(/\\(.)/gs, "$1");
  if (/^(true|false)$/i.test(value)) return value.toLowerCase() === "true";
  return /^[+-]?\d+(\.\d*)?([eE][+-]?\d+)?$/.test(value) ? Number(value) : null;
}
