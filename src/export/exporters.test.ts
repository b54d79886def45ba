import { join } from "node:path";

import { describe, expect, it } from "vitest";

import {
  exporters,
  exportPolicy,
  packingPolicies,
  parseExportedFamilies,
  type Exporter,
  type ExportRequest,
} from "./index.ts";
import { luac, run, shellcheck, temporaryFolders } from "./tools.fixture.ts";

const folderOf = temporaryFolders();

const everyKind = parseExportedFamilies(["queue=ams", "project=chip-2", "group=hep", "user=ann"]);

function familiesFor({ kinds }: Exporter) {
  return everyKind.filter(({ kind }) => kinds.includes(kind));
}

/** Every policy that a system takes, with and without a TTL. */
const cases = exporters.flatMap((exporter) =>
  packingPolicies.flatMap((policy) => {
    const ttls = policy === "exclusive" && exporter.takesTtl ? [null, 3600] : [null];
    return ttls.map((ttlSeconds): [string, Exporter, ExportRequest] => [
      `${exporter.name}, ${policy}${ttlSeconds === null ? "" : " with a TTL"}`,
      exporter,
      { policy, families: familiesFor(exporter), ttlSeconds },
    ]);
  }),
);

describe.each(cases)("the export for %s", (_, exporter, request) => {
  const files = exportPolicy(exporter, request);

  it("says in every file what it is, where it goes, how to check it and what it does", () => {
    expect(files[0].name).toBe("README.md");
    for (const { name, text } of files.slice(1)) {
      for (const field of ["What:", "Where:", "Check:", "Policy:", "Tried:"])
        expect(text.slice(0, 2500), `${name} ${field}`).toContain(field);
      expect(text, name).toContain(request.policy);
    }
    for (const { name, text } of files) {
      expect(text, name).toMatch(/[^\n]\n$/);
      expect(text, name).not.toMatch(/undefined|\[object|NaN|@\{/);
    }
  });

  it("has steps that name every file", () => {
    for (const { name } of files.slice(1)) expect(files[0].text).toContain(name);
  });

  it.skipIf(shellcheck === null)(
    `passes shellcheck${shellcheck === null ? " (skipped: shellcheck is not installed)" : ""}`,
    () => {
      const scripts = files.filter(({ text }) => text.startsWith("#!")).map(({ name }) => name);
      if (scripts.length > 0) run(shellcheck!, ["-x", ...scripts], { cwd: folderOf(files) });
    },
  );

  it.skipIf(luac === null)(`passes luac${luac === null ? " (skipped: luac is not installed)" : ""}`, () => {
    const folder = folderOf(files);
    for (const { name } of files) if (name.endsWith(".lua")) run(luac!, ["-p", join(folder, name)]);
  });

  it("is the same every time", () => {
    expect(exportPolicy(exporter, request)).toEqual(files);
  });
});

describe("a TTL", () => {
  it.each(exporters.map((exporter) => [exporter.name, exporter] as const))(
    "%s: of 0 is relaxed, and goes with exclusive alone",
    (_, exporter) => {
      const families = familiesFor(exporter);
      expect(exportPolicy(exporter, { policy: "exclusive", families, ttlSeconds: 0 })).toEqual(
        exportPolicy(exporter, { policy: "relaxed", families, ttlSeconds: null }),
      );
      expect(() => exportPolicy(exporter, { policy: "relaxed", families, ttlSeconds: 60 })).toThrow(
        /exclusive/,
      );
      if (!exporter.takesTtl)
        expect(() => exportPolicy(exporter, { policy: "exclusive", families, ttlSeconds: 60 })).toThrow(
          /no means/,
        );
    },
  );
});
