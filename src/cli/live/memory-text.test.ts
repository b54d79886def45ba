import { expect, it } from "vitest";

import { machineMemoryText, memoryText } from "./memory-text.ts";

it("says nothing of memory where none is counted", () => {
  expect(memoryText(512, 2048)).toBe("512 MiB of 2 GiB");
  expect(memoryText(3e9, 3e9)).toBe("");
  expect(machineMemoryText(2048)).toBe("2 GiB");
  expect(machineMemoryText(1e9)).toBe("");
});
