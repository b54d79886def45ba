import { expect, it } from "vitest";

import { frame } from "./watch.ts";

it("writes over what stands there, and no further than the terminal goes", () => {
  const home = "\u001b[H";
  const [rest, below] = ["\u001b[K", "\u001b[J"];
  expect(frame("one\nlonger", 4, 5)).toBe(`${home}one${rest}\nlong${rest}${below}`);
  expect(frame("1\n2\n3", 4, 2)).toBe(`${home}1${rest}\n2${rest}${below}`);
});
