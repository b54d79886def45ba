import type { ByteSource } from "../input/bytes.ts";
import { CondorSlots } from "./htcondor-slots.ts";
import type { MachinesFormat, MachinesOptions } from "./format.ts";
import { beginningOfJson, objectOf, readJson, refuseJson } from "./json.ts";
import type { Machines } from "./machines.ts";

export const htcondorJson: MachinesFormat = {
  name: "htcondor-json",
  summary: "HTCondor: condor_status -json",
  takes: ["leaveOutDown"],
  matches: (_fileName, firstBytes) => {
    const text = beginningOfJson(firstBytes);
    return text.startsWith("[") && /"(MyType"\s*:\s*"Machine"|(Total|TotalSlot)?Cpus"\s*:)/i.test(text);
  },
  read,
};

async function read(source: ByteSource, options: MachinesOptions = {}): Promise<Machines> {
  const slots = new CondorSlots(source, options);
  const json = await readJson(source);
  if (!Array.isArray(json)) refuseJson(source, "list of ads");
  for (const ad of json) slots.add(constantsOf(objectOf(ad)));
  return slots.finish();
}

function* constantsOf(ad: Readonly<Record<string, unknown>>): Generator<[string, string | number | boolean]> {
  for (const [name, value] of Object.entries(ad)) {
    if (typeof value === "number" || typeof value === "boolean") yield [name, value];
    // ClassAds in JSON have expressions as `/Expr(…)/`.
    else if (typeof value === "string" && !value.startsWith("/Expr(")) yield [name, value];
  }
}
