import { expect, it } from "vitest";

import { unmetText } from "./unmet-text.ts";

const has = "queue.black is not told";

it("says of queues what batch systems say", () => {
  expect(unmetText({ machines: 45, part: "queue.black", has })).toBe("are not in the queue black");
  expect(unmetText({ machines: 1, part: "queue.black", has })).toBe("is not in the queue black");
  for (const part of ["queue.black || queue.long", "(queue.black || queue.long)"])
    expect(unmetText({ machines: 2, part, has })).toBe("are in none of the queues black, long");
  expect(unmetText({ machines: 2, part: "!has(queue.black)", has })).toBe("are for jobs of the queue black");
});

it("says of everything else which part it is, and what there is", () => {
  for (const part of ["os == 'new'", "queue.black == 3", "queue.black || gpu", "has(queue.black)"])
    expect(unmetText({ machines: 2, part, has: "os is old" })).toBe(`do not meet ${part}: os is old`);
  expect(unmetText({ machines: 1, part: "ib", has: "ib is not told" })).toBe(
    "does not meet ib: ib is not told",
  );
});
