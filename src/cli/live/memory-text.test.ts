import { expect, it } from "vitest";

import { machineMemoryText, partOfMemory } from "./memory-text.ts";

it("says nothing of memory where none is counted", () => {
  expect(partOfMemory(512, 2048)).toBe("512 MiB of 2.00 GiB");
  expect(partOfMemory(3e9, 3e9)).toBe("");
  expect(machineMemoryText(2048)).toBe("2 GiB");
  expect(machineMemoryText(1e9)).toBe("");
});
