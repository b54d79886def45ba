import { describe, expect, it } from "vitest";

import { packingPolicies, type ExportRequest } from "../exporter.ts";
import { parseExportedFamilies } from "../exported-family.ts";
import { htcondor } from "./htcondor.ts";

/** The settings of a file, without comments and with continued lines joined. */
function settings(policy: ExportRequest["policy"], file: string): string[] {
  const families = parseExportedFamilies(["user=ann", "project=chip"]);
  const { text } = htcondor
    .files({ policy, families, ttlSeconds: null })
    .find(({ name }) => name.includes(file))!;
  return text
    .replaceAll(/ *\\\n */g, " ")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
}

/** Whether the brackets of a ClassAd expression close in order, outside of strings. */
function isBalanced(text: string): boolean {
  const open: string[] = [];
  for (const sign of text.replaceAll(/"[^"]*"/g, "").replaceAll(/[^(){}]/g, "")) {
    if (sign === "(" || sign === "{") open.push(sign);
    else if (open.pop() !== (sign === ")" ? "(" : "{")) return false;
  }
  return open.length === 0;
}

// There is no HTCondor here to read these files: this is about their text.
describe("the settings for HTCondor", () => {
  it("put a job into the first family that it fits", () => {
    expect(settings("exclusive", "schedd")).toContain(
      '  EVALSET CroftFamily ifThenElse(Owner is "ann", "user_ann", ifThenElse(AcctGroup is "chip", "project_chip", "none"))',
    );
  });

  it("let only a family's jobs start where that family runs", () => {
    expect(settings("exclusive", "startd")).toContain(
      'CROFT_MAY_START = (TARGET.CroftFamily is "user_ann" || !member("user_ann", $(CROFT_FAMILIES_HERE))) && ' +
        '(TARGET.CroftFamily is "project_chip" || !member("project_chip", $(CROFT_FAMILIES_HERE)))',
    );
    for (const policy of ["relaxed", "none"] as const)
      expect(settings(policy, "startd").join("\n")).not.toMatch(/START =/);
  });

  it("prefer machines with the family, or without", () => {
    expect(settings("relaxed", "negotiator").at(-1)).toMatch(/= \(1000000000/);
    expect(settings("none", "negotiator").at(-1)).toMatch(/= \(-1000000000/);
  });

  it.each(packingPolicies)("close what they open: %s", (policy) => {
    for (const file of ["schedd", "startd", "negotiator"])
      for (const line of settings(policy, file)) expect(isBalanced(line), line).toBe(true);
  });
});
