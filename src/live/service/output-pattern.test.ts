import { assert, property, string } from "fast-check";
import { describe, expect, it } from "vitest";

import { outputFile, patternProblem } from "./output-pattern.ts";

const job = { number: 12, user: "ann", name: "sim/..", array: { first: 10, index: 7 } };
const single = { ...job, name: "..", array: null };

describe("a file that is named by a pattern", () => {
  it("has the job in it", () => {
    expect(outputFile("/l/%u/%x/%A_%a-%j.%t.%%j", job, 2)).toBe("/l/ann/sim_../10_7-12.2.%j");
    expect(outputFile("/l/%x", single, 1)).toBe("/l/_");
  });

  it("is refused where a sign stands for nothing, or for nothing that the job has", () => {
    expect(patternProblem("/l/%j%t%u%x%%%A%a", job)).toBeNull();
    expect(patternProblem("/l/%b", job)).toContain('"%b" in "/l/%b" stands for nothing');
    expect(patternProblem("/l/100%", job)).toContain('"%" in');
    expect(patternProblem("/l/%J", job)).toContain("stands for nothing");
    expect(patternProblem("/l/%toString", job)).toBeNull();
    expect(patternProblem("/l/%a", single)).toContain("is of an array");
  });

  it("is refused where it names a folder", () => {
    expect(patternProblem("/l/logs/", job)).toBe(
      '"/l/logs/" is a folder: name a file in it, "/l/logs/%j.txt" say',
    );
  });

  it("leaves all else as it is, and a name leads to no other folder", () => {
    assert(
      property(string({ unit: "grapheme" }), string(), (text, name) => {
        const literal = text.replaceAll("%", "%%");
        expect(patternProblem(literal, job) === null).toBe(!text.endsWith("/"));
        expect(outputFile(literal, job, 1)).toBe(text);
        const part = outputFile("%x", { ...job, name }, 1);
        expect(part === "." || part === ".." || part.includes("/")).toBe(false);
      }),
    );
  });
});
