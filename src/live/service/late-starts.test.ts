import { describe, expect, it } from "vitest";

import { listEvents } from "../store/job-views.ts";
import { Farm } from "./farm.fixture.ts";

const one = [{ name: "one", machines: 1, cores: 4 }];
const whole = { cores: 4, timeSeconds: 100 };

/** What was told of broken promises, with a word for each time. */
function told(farm: Farm): { job: number | null; text: string }[] {
  const events = listEvents(farm.world.database, { after: 0, job: null, user: null, limit: 1000 });
  return events
    .filter(({ kind }) => kind === "promise-broken")
    .map(({ job, text }) => ({ job, text: text.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/, "TIME") }));
}

const promise = "the promise of a start at TIME was broken: it comes later, and was put off";

describe("a job that starts later than it was promised", () => {
  it.each(["conservative", "easy"])("tells that one that goes first came: %s", async (policy) => {
    const farm = await Farm.of(one, { policy });
    await farm.submit(100, whole);
    await farm.submit(100, whole);
    await farm.pass(10);
    await farm.submit(100, { ...whole, priority: 50 });
    await farm.pass(10);
    await farm.submit(100, { ...whole, priority: 90 });
    await farm.pass(500);
    expect(told(farm)).toContainEqual({
      job: 2,
      text: `${promise} after a job that goes first came, or the order of the queue changed`,
    });
    // Neither the first, which was promised nothing, nor the one that went first.
    for (const { job } of told(farm)) expect([1, 4]).not.toContain(job);
  });

  it("tells that a machine was drained", async () => {
    const farm = await Farm.of(one, { policy: "conservative" });
    await farm.submit(100, whole);
    await farm.submit(100, whole);
    await farm.pass(10);
    const act = (verb: "drain" | "undrain"): Promise<unknown> =>
      farm.world.act(({ loop, acts }) =>
        loop.act((turn) =>
          verb === "drain"
            ? acts.drain(turn, "one", "one", "disk", "ann")
            : acts.undrain(turn, "one", "one", "ann"),
        ),
      );
    await act("drain");
    await farm.pass(300);
    await act("undrain");
    await farm.pass(10);
    expect(told(farm)).toEqual([
      { job: 2, text: `${promise} after a machine failed, was drained or made smaller` },
    ]);
  });

  it("names the job that ran for longer than expected", async () => {
    const farm = await Farm.of(one, { policy: "conservative" });
    await farm.submit(1000, { ...whole, timeSeconds: 300 });
    await farm.submit(100, whole);
    await farm.pass(10);
    // It is stopped for a while, and its limit does not go on meanwhile.
    await farm.act("pause", 1);
    await farm.pass(200);
    await farm.act("resume", 1);
    await farm.pass(600);
    expect(told(farm)).toEqual([{ job: 2, text: `${promise} after job 1 ran for longer than expected` }]);
  });

  it("tells nothing of the seconds that engines take", async () => {
    const farm = await Farm.of(one, { policy: "conservative", engine: { startLatencySeconds: 10 } });
    await farm.submit(1000, whole);
    for (let job = 0; job < 3; job++) await farm.submit(1000, whole);
    await farm.pass(20);
    await farm.pass(450);
    expect(farm.state(4)).not.toBe("waiting");
    expect(told(farm)).toEqual([]);
  });
});
