import { Ajv2020 } from "ajv/dist/2020.js";
import type { TSchema } from "typebox";
import { expect, it } from "vitest";

import { invalidText, type SchemaError } from "./invalid.ts";
import { JobsQuery } from "./selection-schemas.ts";
import { ForecastBody, SubmitBody, SubmitListBody } from "./job-schemas.ts";
import { TokenBody } from "./token-schemas.ts";

function complaint(schema: TSchema, value: unknown): string {
  const validate = new Ajv2020({ verbose: true, strict: false }).compile(schema);
  expect(validate(value)).toBe(false);
  return invalidText(validate.errors as unknown as [SchemaError, ...SchemaError[]]);
}

const command = ["x"];

it.each([
  [SubmitBody, { command, coers: 2 }, 'there is no field "coers"'],
  [SubmitBody, { cores: 2 }, 'the field "command" is missing'],
  [SubmitBody, { command, cores: "2" }, "cores: must be a number"],
  [SubmitBody, { command, memoryMiB: 0.5 }, "memoryMiB: must be a whole number"],
  [SubmitBody, { command: "x" }, "command: must be a list"],
  [SubmitBody, { command: [] }, "command: must have at least 1 entries"],
  [
    SubmitBody,
    { command: ["a\0b"] },
    "command/0: must be the program to run: text in UTF-8 that is not empty, without NUL and without \u{FFFD}, which stands for bytes that are no text",
  ],
  [SubmitBody, { command: ["", "x"] }, /^command\/0: must be the program to run: text .* that is not empty/],
  [ForecastBody, { command: [""] }, /^command\/0: must be the program to run/],
  [SubmitListBody, { jobs: [{ command: [""] }] }, /^jobs\/0\/command\/0: must be the program to run/],
  [SubmitBody, { command, retries: 1001 }, "retries: must be at most 1000"],
  [SubmitBody, { command, timeSeconds: 0 }, "timeSeconds: must be at least 0.001"],
  [SubmitBody, { command, directory: "here" }, /^directory: must be a path that begins with \//],
  [
    SubmitBody,
    { command, after: [{ job: 1, condition: "no" }] },
    /condition: must be one of ok, failed, any$/,
  ],
  [
    SubmitBody,
    { command, environment: { "A=B": "" } },
    /^environment: "A=B" must be the name of a variable: 1 to 1024 characters in UTF-8, without =/,
  ],
  [SubmitBody, { command, environment: { "": "" } }, /^environment: "" must be the name of a variable/],
  [SubmitBody, { command, environment: { A: 1 } }, "environment/A: must be a text"],
  [SubmitListBody, { jobs: [{ command }, { command, cores: 0 }] }, "jobs/1/cores: must be at least 0.001"],
  [TokenBody, { user: "a b", role: "user" }, /^user: must be a name: a letter/],
  [JobsQuery, { limit: 10_001 }, "limit: must be at most 10000"],
] as const)("says where a request is wrong and what may stand there", (schema, value, text) => {
  if (typeof text === "string") expect(complaint(schema, value)).toBe(text);
  else expect(complaint(schema, value)).toMatch(text);
});
