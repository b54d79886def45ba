import type { ExportedFile, ExportRequest } from "../exporter.ts";
import type { ExportedFamily } from "../exported-family.ts";
import { header, lines } from "../text.ts";
import { tried } from "../tried.ts";

/** Whether jobs of the family run on the host. */
export function presenceOf(family: ExportedFamily): string {
  return `pk_${family.id}`;
}

/** The family that the host is reserved to, or `free`. */
export const HELD_BY = "pkheld";
export const FREE = "free";

export function complexes(request: ExportRequest): ExportedFile {
  const rows = [
    ["pkyes", "INT", "<=", "0"],
    ["pknone", "INT", "<=", "0"],
    ...request.families.map((family) => [presenceOf(family), "BOOL", "==", "FALSE"]),
    ...(request.policy === "exclusive" ? [[HELD_BY, "RESTRING", "==", "NONE"]] : []),
  ].map(
    ([name, type, operator, value]) =>
      `${name!.padEnd(40)} ${name!.padEnd(40)} ${type!.padEnd(8)} ${operator}    YES         NO         ${value!.padEnd(7)} 0`,
  );
  const text = `
${header("#", {
  what: "the complex attributes that the load sensor reports and the JSV asks for.",
  where: "add the rows to the cluster's: qconf -sc >all; edit; qconf -Mc all.",
  check: "qconf -sc | grep pk",
  request,
  tried: tried.gridEngine,
})}

#${"name".padEnd(39)} ${"shortcut".padEnd(40)} type     relop requestable consumable default urgency
${rows.join("\n")}
`;
  return { name: "complexes.croft", text: lines(text), isExecutable: false };
}
