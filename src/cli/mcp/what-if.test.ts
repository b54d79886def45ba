import { describe, expect, it } from "vitest";

import { Client } from "../../live/client/client.ts";
import { whatIfTool, type Ran } from "./what-if.ts";

const farm = new Client({ socket: "/nowhere" });
const printed = {
  verdict: { sentence: "easy is better" },
  workload: { jobs: 100, spanSeconds: 86_400 },
  runs: [{ policy: "as it is", waitMeanSeconds: 60, waitsBy: { users: [1, 2, 3] } }],
  history: { policies: ["fcfs"] },
};
const right: Ran = { isRight: true, out: JSON.stringify(printed), said: "100 % came again\n" };

describe("what if, for assistants", () => {
  it("tries what is asked, of a past that is not too long, and tells the figures alone", async () => {
    let words: readonly string[] = [];
    const tool = whatIfTool("/data of it", async (given) => {
      words = given;
      return right;
    });
    const answer = await tool.ask(farm, { policy: "easy,conservative", addMachines: "north=10" });
    expect(words).toEqual([
      "whatif",
      "--json",
      "--quiet",
      "--threads=1",
      "--resample=0",
      "--policy=easy,conservative",
      "--add-machines=north=10",
      "--since=30d",
      "--data=/data of it",
    ]);
    expect(answer).toMatchObject({
      verdict: "easy is better",
      runs: [{ policy: "as it is", waitMeanSeconds: 60 }],
      remarks: ["100 % came again"],
    });
    expect(JSON.stringify(answer)).not.toContain("waitsBy");
  });

  it("says what is wrong as an error that can be mended, and answers the next", async () => {
    let ran: Ran = { isRight: false, out: "", said: "a note\ncroft: there is no policy x\n" };
    const tool = whatIfTool("/data", async () => ran);
    await expect(tool.ask(farm, { policy: "x" })).rejects.toThrow("what_if: there is no policy x");
    await expect(tool.ask(farm, { policy: "a,b,c,d,e" })).rejects.toThrow("policy: give at most 4");
    ran = right;
    expect(await tool.ask(farm, {})).toMatchObject({ jobs: 100 });
  });

  it("tries one at a time", async () => {
    const { promise, resolve } = Promise.withResolvers<Ran>();
    const tool = whatIfTool("/data", () => promise);
    const first = tool.ask(farm, {});
    await expect(tool.ask(farm, {})).rejects.toThrow("one is tried already");
    resolve(right);
    expect(await first).toMatchObject({ jobs: 100 });
  });
});
