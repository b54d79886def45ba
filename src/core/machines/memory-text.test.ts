import { expect, it } from "vitest";

import { memoryText } from "./memory-text.ts";

it.each([
  [1024, "1 GiB"],
  [1023, "1,023 MiB"],
  [1536, "1,536 MiB"],
  [2 ** 21, "2,048 GiB"],
])("%d MiB are told as %s", (memoryMiB, text) => expect(memoryText(memoryMiB)).toBe(text));
