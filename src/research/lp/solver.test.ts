import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { InputError } from "../../workload/index.ts";
import { HIGHS, loadSolver } from "./solver.ts";

test("where HiGHS is missing, the error says what to install", async () => {
  const name = "highs-that-is-not-installed";
  const missing = loadSolver(() => import(name) as Promise<{ default: unknown }>);
  await expect(missing).rejects.toThrow(InputError);
  await expect(missing).rejects.toThrow(`not installed: npm install ${HIGHS}`);
});

test("any other failure of HiGHS is passed on as it is", async () => {
  const broken = new Error("out of memory");
  await expect(loadSolver(() => Promise.reject(broken))).rejects.toBe(broken);
});

test("that is the version that the package asks for", () => {
  const { optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
    readonly optionalDependencies: Readonly<Record<string, string>>;
  };
  expect(HIGHS).toBe(`highs@${optionalDependencies["highs"]}`);
});
