import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { delayNames } from "../src/core/index.ts";

const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
const types = read("src/core/pool/policy.ts");

/** The fields of an interface, at its own level. */
function fieldsOf(name: string): string[] {
  const body = new RegExp(`^export interface ${name} \\{\\n(.*?)^\\}`, "ms").exec(types)![1];
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map(([, field]) => field);
}

test.each(["Policy", "PromiseView", "PolicyContext", "PolicyKind"])(
  "the pages about plugins name every field of the type %s",
  (name) => {
    // A field that only Croft's own kinds have is not for plugins.
    const internal = new Set(["withList"]);
    const pages = read("docs/own-policies.md") + read("docs/choosing-a-policy.md");
    const fields = fieldsOf(name);
    expect(fields.length).toBeGreaterThan(2);
    expect(
      fields.filter((field) => !internal.has(field) && !new RegExp(`\\b${field}\\b`).test(pages)),
    ).toEqual([]);
  },
);

test("the types are found by the older resolution of TypeScript too, which knows no exports", () => {
  const { types: older, exports } = JSON.parse(read("package.json")) as {
    types: string;
    exports: Record<string, { types: string }>;
  };
  expect(older).toBe(exports["."].types);
});

test("both pages list every reason for which a promise is broken", () => {
  for (const page of ["docs/own-policies.md", "docs/choosing-a-policy.md"])
    for (const reason of delayNames.slice(1)) expect(read(page)).toContain(`\`${reason}\``);
});
