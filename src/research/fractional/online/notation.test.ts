import { describe, expect, it } from "vitest";

import { onlinePolicyNames, parseOnlinePolicy } from "./notation.ts";

function named(text: string): string {
  const policy = parseOnlinePolicy(text);
  return typeof policy === "string" ? `wrong: ${policy}` : policy.name;
}

describe("the notation of online policies", () => {
  it.each([
    "Greedy *",
    "GreedyP *",
    "GreedyPM *",
    "GreedyPM */per",
    "GreedyPM/per",
    "GreedyPM */per/MVT",
    "MCB *",
    "MCB */per/MVT",
    "/per/MVT",
    "/stretch-per/MVT",
    "/per/MVT/OPT=AVG",
    "/stretch-per/OPT=MIN",
    "GreedyPM */per/MFT",
    "MCB */per/MVT/MFT/PRIO=VT/OPT=AVG",
    "GreedyP */PRIO=FT-VT",
  ])("%s is printed as it is written", (text) => {
    expect(named(text)).toBe(text);
  });

  it.each([
    ["greedypm*/PER/mvt", "GreedyPM */per/MVT"],
    ["  GreedyPM  * / per /MVT ", "GreedyPM */per/MVT"],
    ["/MVT/per", "/per/MVT"],
    ["greedy", "Greedy *"],
    ["MCB/MVT", "MCB */MVT"],
    ["/per/OPT=MIN", "/per"],
    ["/stretch-per/OPT=MAX", "/stretch-per"],
    ["/per/prio=ft-vt2", "/per"],
    ["/MFT/per/MVT", "/per/MVT/MFT"],
  ])("%s means %s", (text, name) => {
    expect(named(text)).toBe(name);
  });

  it("is known for every algorithm and period", () => {
    expect(onlinePolicyNames()).toContain("GreedyPM */per/MVT");
    for (const name of onlinePolicyNames()) expect(named(name)).toBe(name);
  });

  it.each([
    "",
    "*",
    "*/per",
    "GreedyPM /MVT",
    "/per/per",
    "/per/stretch-per",
    "/",
    "/MVT",
    "MCB *//per",
    "GreedyP */MFT",
    "/per/PRIO=VT2",
    "/per/PRIO=VT/PRIO=VT",
    "Greedy */PRIO=VT",
  ])("%s is wrong", (text) => {
    expect(named(text)).toMatch(/^wrong: /);
  });
});
