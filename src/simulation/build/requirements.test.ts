import { expect, test } from "vitest";
import { attributeTypes, meets } from "../../core/index.ts";
import { InputError } from "../../workload/index.ts";
import { readRequirement } from "./requirements.ts";

const machine = { os: "linux", cores: 16, memory: 65536, gpu: true };
const types = attributeTypes([machine]);

test("a requirement that the farm understands", () => {
  expect(meets(readRequirement("gpu && cores > 4", types), machine)).toBe(true);
  expect(meets(readRequirement("whatever > 4", null), machine)).toBe(false);
});

test.each([
  [
    "memroy > 5",
    'jobs.csv:3: requirement "memroy > 5": column 1: no machine of the farm has the attribute "memroy"; did you mean memory, ',
  ],
  ["os == linux", "? Text stands in quotes: 'linux'"],
  ["gpu and os > 5", 'jobs.csv:3: requirement "gpu and os > 5": column 9: os is text, not a number'],
  ["cores == 'x'", `jobs.csv:3: requirement "cores == 'x'": column 1: cores is a number, not text`],
  ["cores >", 'jobs.csv:3: requirement "cores >": column 8: the requirement ends where '],
  [
    `${"(".repeat(10_000)}gpu`,
    `jobs.csv:3: requirement "${"(".repeat(59)}…": column 10001: the requirement has 10003 characters`,
  ],
])("%.20s", (text, message) => {
  try {
    readRequirement(text, types, { file: "jobs.csv", line: 3 });
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).message).toContain(message);
  }
});
