import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { expect, test, vi } from "vitest";

import * as library from "croft";

const page = readFileSync("docs/library.md", "utf8");
const program = [...page.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block]) => block).join("\n");

test("the page of the library has an example of every name, and imports no other", () => {
  const imported = [...program.matchAll(/import \{([^}]*)\} from "croft";/g)].flatMap(([, names]) =>
    names.split(",").map((name) => name.trim()),
  );
  expect(imported.filter((name) => name !== "").sort()).toEqual(Object.keys(library).sort());
});

test("its code runs as one program", async () => {
  const folder = mkdtempSync(join(tmpdir(), "croft-library-"));
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  try {
    const file = join(folder, "page.ts");
    writeFileSync(file, program.replaceAll('"out/', `"${folder}/`));
    await import(pathToFileURL(file).href);
    expect(log.mock.calls.length).toBeGreaterThan(8);
    expect(readFileSync(join(folder, "report.html"), "utf8")).toContain("Three policies");
    expect(readFileSync(join(folder, "schedule.csv"), "utf8").split("\n").length).toBeGreaterThan(100);
  } finally {
    log.mockRestore();
    rmSync(folder, { recursive: true });
  }
});
