import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { textSource } from "../input/text.fixture.ts";
import { expectConsistent } from "./consistent.fixture.ts";
import { readWorkload, workloadFormats } from "./registry.ts";

const page = readFileSync(fileURLToPath(new URL("../../../docs/workloads.md", import.meta.url)), "utf8");
/** The examples on the page: blocks whose language is a format's name. */
const examples = [...page.matchAll(/^```([\w-]+)\n(.*?)^```$/gms)].filter(([, language]) =>
  workloadFormats.some(({ name }) => name === language),
);

describe("the documentation's example", () => {
  it.each(examples.map(([, format, text]) => [format, text] as const))(
    "of %s is read",
    async (format, text) => {
      const { bytes } = textSource("example", text);
      expect(workloadFormats.find((each) => each.matches("example", bytes))?.name).toBe(format);
      const workload = await readWorkload({ name: "example", bytes });
      expectConsistent(workload);
      expect(workload.count).toBeGreaterThanOrEqual(2);
      expect(workload.notes.filter(({ what }) => /^dropped: (?!it never|it had)/.test(what))).toEqual([]);
    },
  );
});
