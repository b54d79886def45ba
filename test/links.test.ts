import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

import { expect, it } from "vitest";

const tracked = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
  encoding: "utf8",
})
  .split("\0")
  .filter((file) => file !== "" && existsSync(file));
const pages = tracked.filter((file) => file.endsWith(".md"));
const { files } = JSON.parse(readFileSync("package.json", "utf8")) as { files: string[] };
// npm ships these whatever `files` says.
const always = /^(package\.json|README\.md|LICENSE)$/;
const isShipped = (file: string): boolean =>
  always.test(file) ||
  (files.some((each) => file === each || file.startsWith(`${each}/`)) &&
    !/^examples\/[^/]*\.test\.ts$/.test(file));

/** A page without its code. */
const proseOf = (page: string): string =>
  readFileSync(page, "utf8")
    .replace(/^ *```.*?^ *```/gms, "")
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ""));

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, heading] of readFileSync(page, "utf8")
    .replace(/^ *```.*?^ *```/gms, "")
    .matchAll(/^#+ +(.*)$/gm)) {
    const text = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .trim();
    const anchor = text.replace(/[^\p{L}\p{N}\p{M} _-]/gu, "").replace(/ /g, "-");
    const times = seen.get(anchor) ?? 0;
    seen.set(anchor, times + 1);
    anchors.add(times === 0 ? anchor : `${anchor}-${times}`);
  }
  return anchors;
}

/** The relative links of a page whose file or heading there is not. */
function brokenIn(page: string, mustShip: boolean): string[] {
  return [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link]) => {
    if (/^[a-z]+:/i.test(link)) return [];
    const [path, anchor] = link.split("#");
    const file = path === "" ? page : normalize(join(dirname(page), path)).replace(/\/$/, "");
    if (!existsSync(file)) return [`${page}: ${link}: no such file`];
    if (mustShip && !isShipped(file)) return [`${page}: ${link}: not in the package`];
    if (anchor === undefined || !file.endsWith(".md") || anchorsOf(file).has(anchor)) return [];
    return [`${page}: ${link}: no such heading`];
  });
}

it("every relative link of a page leads to a file and a heading", () => {
  expect(pages.length).toBeGreaterThan(30);
  expect(pages.flatMap((page) => brokenIn(page, false))).toEqual([]);
});

it("the links of the pages in the package lead to what is in it", () => {
  const shipped = pages.filter(isShipped);
  expect(shipped.flatMap((page) => brokenIn(page, true))).toEqual([]);
});

it("every path of the repository that a page names is there", () => {
  const named = pages.flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/`[^`\n]+`/g)]
      .flatMap(
        ([code]) => code.match(/(?<=[` ])(src|test|bench|scripts|tools|docs|schemas|bin)\/[\w./-]*/g) ?? [],
      )
      .map((path) => [page, path] as const),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(([page, path]) => !existsSync(path) && !existsSync(join(dirname(page), path)))).toEqual(
    [],
  );
});

it("a page in the package names no test but by its folder, since tests are not in it", () => {
  const naming = pages
    .filter((page) => page.startsWith("docs/") && isShipped(page))
    .filter((page) => /`[\w-]+\.test\.ts`/.test(readFileSync(page, "utf8")));
  expect(naming).toEqual([]);
});
