import type { ByteSource } from "../input/bytes.ts";
import { MAX_LINE_BYTES, readLines } from "../input/lines.ts";
import type { MachinesFormat, MachinesOptions } from "./format.ts";
import type { Machines } from "./machines.ts";
import { PbsHosts } from "./pbs-hosts.ts";

export const pbsnodes: MachinesFormat = {
  name: "pbsnodes",
  summary: "OpenPBS, PBS Pro, Torque: pbsnodes -a",
  takes: ["leaveOutDown"],
  // A name on a line of its own, with the node's attributes indented below it.
  matches: (_fileName, firstBytes) =>
    /^\uFEFF?\s*[^\s={[]\S*[ \t]*\r?\n[ \t]+[A-Za-z][\w.]* = /.test(new TextDecoder().decode(firstBytes)),
  read,
};

async function read(source: ByteSource, options: MachinesOptions = {}): Promise<Machines> {
  const hosts = new PbsHosts(source, options);
  const decoder = new TextDecoder();
  let node: { name: string; line: number; fields: Map<string, string>; last: string } | null = null;
  const end = (): void => {
    if (node !== null) hosts.add(node.name, node.fields, node.line);
    node = null;
  };
  await readLines(source, (bytes, start, stop, line) => {
    const text = decoder.decode(bytes.subarray(start, stop));
    const trimmed = text.trim();
    if (trimmed === "") return;
    if (!/^\s/.test(text)) {
      end();
      node = { name: trimmed, line, fields: new Map(), last: "" };
      return;
    }
    if (node === null) return hosts.list.refuse("no node's name stands above this", line);
    const [, key, value] = /^([A-Za-z][\w.-]*) = ?(.*)$/.exec(trimmed) ?? [];
    if (key !== undefined && value !== undefined) {
      node.fields.set(key, value);
      node.last = key;
      return;
    }
    // A long value continues on the next line.
    const whole = `${node.fields.get(node.last) ?? ""}${trimmed}`;
    if (whole.length > MAX_LINE_BYTES) hosts.list.refuse("the value is longer than 1 MiB", line);
    node.fields.set(node.last, whole);
  });
  end();
  return hosts.finish();
}
