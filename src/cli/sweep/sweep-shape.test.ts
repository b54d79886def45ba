import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

import { textSource } from "../../workload/input/text.fixture.ts";
import { readYaml } from "../../workload/index.ts";
import { sweepSchema, sweepShape } from "./sweep-shape.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const isValid = new Ajv({ strict: true, allowUnionTypes: true }).compile(sweepSchema);

it("is published: node scripts/make-sweep-schema.ts writes it", () => {
  expect(JSON.parse(readFileSync(join(root, "schemas/sweep.schema.json"), "utf8"))).toEqual(sweepSchema);
});

describe("a sweep's file", () => {
  const log = "{file: a.swf, machines: 1x1c}";
  it.each([
    [`logs: [${log}]\npolicies: [easy]`, null],
    [
      "logs: [{generate: lublin, load: 0.7, jobs: 10}]\npolicies: [easy]\nloads: [log, 0.8]\nestimates: [exact, 2]",
      null,
    ],
    [`logs: [${log}]`, "s.yaml:1:1: policies is missing"],
    [`logs: []\npolicies: [easy]`, "s.yaml:1:7: logs: the list is empty"],
    [
      `logs: [${log}]\npolicies: [easy]\nload: [1]`,
      "s.yaml:3:7: load: there is no such setting; did you mean loads",
    ],
    [
      `logs: [${log}]\npolicies: [easy]\nloads: [0]`,
      "s.yaml:3:9: loads[0]: a number above 0 and at most 1000 should stand here, not 0",
    ],
    [
      `logs: [${log}]\npolicies: [easy]\nseeds: [1.5]`,
      "s.yaml:3:9: seeds[0]: a whole number from 0 to 2147483647",
    ],
    [
      `logs: [{file: a, machine: 1x1c}]\npolicies: [easy]`,
      "s.yaml:1:27: logs[0].machine: there is no such setting; did you mean machines",
    ],
    [
      `logs: [{file: a, jobShape: cores}]\npolicies: [easy]`,
      "s.yaml:1:28: logs[0].jobShape: one of tasks, machine should stand here",
    ],
  ])("%s", async (text, problem) => {
    const read = async (): Promise<unknown> => sweepShape.read(await readYaml(textSource("s.yaml", text)));
    if (problem === null) await expect(read()).resolves.toBeDefined();
    else await expect(read()).rejects.toThrow(problem);
    expect(isValid(parse(text))).toBe(problem === null);
  });
});
