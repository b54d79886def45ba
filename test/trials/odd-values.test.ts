import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";

import { JobBody } from "../../src/live/api/job-schemas.ts";
import { JobListBody } from "../../src/live/api/selection-schemas.ts";
import { TokenBody } from "../../src/live/api/token-schemas.ts";
import { Draws } from "../../src/live/service/draws.ts";
import { checkKeywords, OddValues, type Schema } from "../../scripts/live/odd-values.ts";

const ajv = new Ajv2020({ strict: false });

describe("odd values", () => {
  it.each([
    ["a job", JobBody],
    ["a list of jobs", JobListBody],
    ["a token", TokenBody],
  ] as const)("are what the schema of %s allows", (_, schema) => {
    const validate = ajv.compile(schema);
    const values = new OddValues(new Draws(1));
    for (let times = 0; times < 300; times++) {
      values.begin();
      const value = values.value(schema as unknown as Schema, "");
      expect(validate(value), ajv.errorsText(validate.errors)).toBe(true);
    }
  });

  it("repeat entries, leave fields out and give all of them", () => {
    const values = new OddValues(new Draws(2));
    const repeated = new Set<boolean>();
    const given = new Set<number>();
    for (let times = 0; times < 1000; times++) {
      values.begin();
      const { after = [], ...job } = values.value(JobBody as unknown as Schema, "") as {
        after?: { job: number }[];
      };
      repeated.add(new Set(after.map((each) => each.job)).size < after.length);
      given.add(Object.keys(job).length);
    }
    expect(repeated).toEqual(new Set([true, false]));
    expect(Math.min(...given)).toBe(1);
    expect(Math.max(...given)).toBe(Object.keys(JobBody.properties).length - 1);
  });

  it("are not made of what is not understood", () => {
    const schema = { type: "object", properties: { a: { type: "string", contentEncoding: "base64" } } };
    expect(() => checkKeywords(schema as Schema)).toThrow("contentEncoding");
  });
});
