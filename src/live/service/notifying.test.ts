import { describe, expect, it } from "vitest";

import { GIVE_UP_SECONDS } from "../notify/delivery.ts";
import { Draws } from "./draws.ts";
import { Farm } from "./farm.fixture.ts";
import type { NotifyMoment } from "../store/job-request.ts";

interface Told {
  readonly id: number;
  readonly attempt: number;
  readonly event: string;
  readonly job: { readonly number: number; readonly name: string; readonly reason: string };
}

const one = [{ name: "p", machines: 4, cores: 4 }] as const;
const asks = (...on: NotifyMoment[]) => ({ notify: [{ channel: "ops", on }] });

/** A farm whose channel does what `answer` does with each message. */
async function farmThatTells(answer: (told: Told, signal: AbortSignal) => Promise<void>) {
  const told: Told[] = [];
  const farm = await Farm.of(one);
  farm.world.tell = async ({ body }, signal) => {
    const message = JSON.parse(body) as Told;
    told.push(message);
    await answer(message, signal);
  };
  await farm.world.start();
  return { farm, told };
}

const taken = (): Promise<void> => Promise.resolve();
const refused = (): Promise<void> => Promise.reject(new Error("no"));
const silent = (_: Told, signal: AbortSignal): Promise<void> =>
  new Promise((__, reject) => {
    signal.addEventListener("abort", () => reject(new Error("silent")));
  });

describe("a channel", () => {
  it("is told of what was asked, once", async () => {
    const { farm, told } = await farmThatTells(taken);
    await farm.submit(10, { ...asks("start", "end"), name: "good" });
    await farm.submit(10, asks("fail"));
    await farm.submit(10, asks("fail", "end"), { status: 3 });
    await farm.submit(10);
    await farm.pass(100);
    expect(told.map(({ job, event, attempt }) => [job.number, event, attempt])).toEqual([
      [1, "started", 1],
      [1, "ended", 1],
      [3, "failed", 1],
    ]);
    expect(told[0].job).toMatchObject({ name: "good", state: "running" });
    expect(told[2].job.reason).toContain("3");
    expect(farm.world.service.notifying.waiting).toBe(0);
  });

  it("that is silent keeps nothing else from going on, and is asked less and less often", async () => {
    const { farm, told } = await farmThatTells(silent);
    for (let i = 0; i < 20; i++) await farm.submit(10, asks("end"));
    await farm.submit(10);
    await farm.pass(200);
    expect(farm.state(21)).toBe("ended");
    const after = told.length;
    await farm.pass(3600);
    // A minute and a half from one to the next.
    expect(told.length - after).toBeLessThan(50);
    expect(told.length - after).toBeGreaterThan(30);
    expect(farm.world.service.notifying.waiting).toBe(20);
  });

  it("that was down for an hour is told all, each as often as it says", async () => {
    let isDown = true;
    const { farm, told } = await farmThatTells(() => (isDown ? refused() : taken()));
    for (let i = 0; i < 300; i++) await farm.submit(1, asks("end"));
    await farm.pass(3600);
    isDown = false;
    const before = told.length;
    await farm.pass(200);
    const last = told.slice(before);
    expect(last.length).toBe(300);
    for (const { id, attempt } of last)
      expect(told.filter((each) => each.id === id).map((each) => each.attempt)).toEqual(
        Array.from({ length: attempt }, (_, at) => at + 1),
      );
    expect(farm.world.service.notifying.waiting).toBe(0);
  });

  it("that never works is given up after a day, and its user is told so", async () => {
    const { farm } = await farmThatTells(refused);
    await farm.submit(1, asks("end"));
    await farm.pass(GIVE_UP_SECONDS + 200);
    expect(farm.kinds(1)).toContain("notify-failed");
    expect(farm.world.service.notifying.waiting).toBe(0);
    expect(farm.world.service.delivered).toMatchObject({ delivered: 0, givenUp: 1 });
  });

  it("that refuses one message only is told the others", async () => {
    const { farm, told } = await farmThatTells(({ job }) => (job.number === 1 ? refused() : taken()));
    for (let i = 0; i < 50; i++) await farm.submit(1, asks("end"));
    await farm.pass(600);
    expect(new Set(told.map(({ job }) => job.number)).size).toBe(50);
    expect(farm.world.service.notifying.waiting).toBe(1);
  });

  it("is not asked of where the farm has none of its name", async () => {
    const { farm } = await farmThatTells(taken);
    await expect(farm.submit(1, { notify: [{ channel: "mail", on: ["end"] }] })).rejects.toThrow(
      'there is no channel "mail": there are ops',
    );
    const twice = [...asks("end").notify, ...asks("start").notify];
    await expect(farm.submit(1, { notify: twice })).rejects.toThrow("the channel ops is named twice");
    const without = await Farm.of(one);
    await expect(without.submit(1, asks("end"))).rejects.toThrow("this farm has no channels");
  });

  it("that the farm has no more is not told what waits", async () => {
    const { farm, told } = await farmThatTells(refused);
    await farm.submit(1, asks("end"));
    await farm.submit(1000, asks("end"));
    await farm.pass(100);
    farm.world.tell = null;
    await farm.world.start();
    expect(farm.world.service.notifying).toMatchObject({ waiting: 0, dropped: 1 });
    const before = told.length;
    await farm.pass(2000);
    expect(told.length).toBe(before);
    expect(farm.state(2)).toBe("ended");
  });
});

describe("a farm whose service dies at any step", () => {
  it.each(Array.from({ length: 40 }, (_, seed) => seed))(
    "tells all that happened, and says so where it tells again (seed %i)",
    async (seed) => {
      const draws = new Draws(seed);
      let isCalm = false;
      const { farm, told } = await farmThatTells((message, signal) =>
        isCalm || draws.below(3) > 0 ? taken() : draws.below(2) === 0 ? refused() : silent(message, signal),
      );
      const { world } = farm;
      await world.start(draws.below(120));
      for (let i = 0; i < 12; i++) {
        const on = (["start", "end", "fail"] as const).filter(() => draws.below(2) === 0);
        const notify = on.length === 0 ? [] : asks(...on).notify;
        await farm
          .submit(draws.below(40), { notify, retries: draws.below(2) }, { status: draws.below(2) })
          .catch(() => undefined);
        await farm.pass(draws.below(30));
        if (world.isDead) await world.start(draws.below(120));
      }
      isCalm = true;
      await world.start();
      await farm.pass(7200);
      expect(world.service.notifying.waiting).toBe(0);
      const asked = new Map(
        world.database
          .all("SELECT number, request FROM job")
          .map(({ number, request }) => [
            Number(number),
            ((JSON.parse(String(request)) as { notify?: { on: string[] }[] }).notify ?? []).flatMap(
              ({ on }) => on,
            ),
          ]),
      );
      const happened = world.database
        .all("SELECT job, kind FROM event WHERE kind IN ('started', 'ended', 'failed') ORDER BY seq")
        .filter(({ job, kind }) => {
          const on = asked.get(Number(job))!;
          return kind === "started"
            ? on.includes("start")
            : on.includes("end") || (kind === "failed" && on.includes("fail"));
        })
        .map(({ job, kind }) => `${Number(job)} ${String(kind)}`);
      const first = new Map(told.map((each) => [each.id, `${each.job.number} ${each.event}`]));
      expect([...first.values()].sort()).toEqual([...happened].sort());
      for (const id of first.keys()) {
        const attempts = told.filter((each) => each.id === id).map(({ attempt }) => attempt);
        expect(attempts).toEqual([...new Set(attempts)].sort((a, b) => a - b));
      }
    },
  );
});
