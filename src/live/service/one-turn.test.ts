import { describe, expect, it } from "vitest";

import { identityOf } from "../store/tokens.ts";
import { SUBMIT_STEP } from "../limits.ts";
import { Farm } from "./farm.fixture.ts";
import { simulatedJob } from "./farm-world.fixture.ts";
import type { JobRequest } from "../store/job-request.ts";
import type { Service } from "./service.ts";
import type { Submission, SubmittedJob } from "./submitting.ts";

const one = [{ name: "one", machines: 1, cores: 4 }];

/** Acts that come together, and share a turn. */
async function together<Result>(
  farm: Farm,
  acts: readonly ((service: Service) => Promise<Result>)[],
): Promise<Result[]> {
  const outcome = await farm.world.act((service) => Promise.all(acts.map((act) => act(service))));
  if (outcome === null || "refusal" in outcome) throw outcome?.refusal ?? new Error("the service is dead");
  return outcome.answer;
}

function submitting(more: Partial<JobRequest>, submission: Partial<Submission> = {}) {
  return ({ loop, submitting: jobs }: Service): Promise<SubmittedJob[]> =>
    loop.act((turn) =>
      jobs.submit(turn, {
        user: "ann",
        jobs: [simulatedJob(more)],
        environment: {},
        key: null,
        ...submission,
      }),
    );
}

describe("a request that the database would not take", () => {
  it("is refused where it names a job to wait for twice", async () => {
    const farm = await Farm.of(one);
    await farm.submit(1000);
    const after = (...conditions: ("ok" | "any")[]): Partial<JobRequest> => ({
      after: conditions.map((condition) => ({ job: 1, condition })),
    });
    for (const twice of [after("ok", "ok"), after("ok", "any")])
      await expect(farm.submit(1, twice)).rejects.toThrow("job 1 is named twice among those to wait for");
    expect((await farm.submit(1, after("any"))).number).toBe(2);
    expect(farm.world.wrong()).toEqual([]);
  });

  it("is refused where its text has a half of a character: the database would take two for one", async () => {
    const farm = await Farm.of(one);
    for (const half of ["\ud800", "\ud801"]) {
      await expect(farm.submit(1, { requires: `cores > 1 or owner = "${half}"` })).rejects.toThrow(
        "half of a",
      );
      await expect(farm.submit(1, { licences: half })).rejects.toThrow(/half of a|licence/);
    }
    expect((await farm.submit(1)).number).toBe(1);
  });

  it("ends the service in words if it comes through all the same, and harms nothing that was written", async () => {
    const farm = await Farm.of(one);
    await farm.submit(1000);
    const broken = farm.world.act(({ loop }) =>
      loop.act((turn) => turn.write("INSERT INTO token (id) VALUES (1)")),
    );
    expect(await broken).toMatchObject({
      refusal: { message: expect.stringMatching(/the farm has failed and ends: .*NOT NULL.*start it again/) },
    });
    expect(farm.world.failure?.message).toContain("NOT NULL constraint failed");
    await expect(farm.world.service.loop.act(() => 0)).rejects.toThrow("the farm is stopping");
    await farm.world.start();
    expect((await farm.submit(1)).number).toBe(2);
    expect(farm.world.wrong()).toEqual([]);
  });
});

describe("a turn that has done enough", () => {
  const dependents = 6;

  it("leaves the rest to later turns, and to the next service where this one dies", async () => {
    let left = 0;
    for (let diesAt = 1, isWhole = false; !isWhole; diesAt++) {
      const farm = await Farm.of(one);
      await farm.submit(100);
      for (const condition of ["ok", "failed"] as const)
        for (let i = 0; i < dependents; i++)
          await farm.submit(10, { cores: 0.1, after: [{ job: 1, condition }] });
      farm.world.mostSteps = 1;
      await farm.world.start(diesAt);
      await farm.pass(101);
      const states = [2, 3, 4, 5, 6, 7].map((job) => farm.state(job));
      if (farm.world.isDead && farm.state(1) === "ended")
        left += Number(states.includes("held") && states.some((state) => state !== "held"));
      await farm.pass(60);
      isWhole = !farm.world.isDead;
      farm.world.die();
      await farm.world.start();
      await farm.pass(60);
      for (let job = 2; job < 2 + 2 * dependents; job++)
        expect(farm.state(job)).toBe(job < 2 + dependents ? "ended" : "cancelled");
      expect(farm.world.wrong()).toEqual([]);
    }
    // It did die with some of them released.
    expect(left).toBeGreaterThan(0);
  });

  it("takes something new in each turn, in order, however much is left", async () => {
    const farm = await Farm.of(one);
    await farm.submit(1000, { hold: true });
    await farm.submit(
      1,
      {},
      { jobs: Array.from({ length: 50 }, () => simulatedJob({ after: [{ job: 1, condition: "any" }] })) },
    );
    farm.world.mostSteps = 2;
    await farm.world.start();
    const turns: number[] = [];
    const noting = (service: Service): Promise<SubmittedJob[]> =>
      service.loop.act((turn) => {
        turns.push(turn.number);
        return [];
      });
    const cancelling = ({ loop, acts }: Service): Promise<SubmittedJob[]> =>
      loop.act((turn) => {
        acts.cancel(turn, 1, "ann");
        turns.push(turn.number);
        return [];
      });
    await together(farm, [cancelling, noting, noting, noting]);
    await farm.pass(1);
    expect(turns.map((turn) => turn - turns[0])).toEqual([0, 1, 2, 3]);
  });
});

describe("a submission that is too much for a turn", () => {
  const most = 2 * SUBMIT_STEP + 1;
  const jobs = Array.from({ length: most }, () => simulatedJob({ cores: 0.001, memoryMiB: 1 }));
  const environment = { CROFT_SIMULATED_SECONDS: "10" };
  const inSteps = ({ loop, submitting: each }: Service, key: string | null): Promise<SubmittedJob[]> =>
    loop.actInSteps(each.inSteps({ user: "ann", jobs, environment, key }));

  it("is taken in several, and nothing starts or is taken in between", async () => {
    const farm = await Farm.of(one);
    const turns: number[] = [];
    const noting = (service: Service): Promise<SubmittedJob[]> =>
      service.loop.act((turn) => {
        turns.push(turn.number);
        expect(service.books.jobs.size).toBe(turns.length === 1 ? 0 : most);
        expect(service.books.attempts.size).toBe(0);
        return [];
      });
    const [, taken, , again] = await together(farm, [
      noting,
      (service) => inSteps(service, "k"),
      noting,
      (service) => inSteps(service, "k"),
    ]);
    // Three to check them, and three to take them.
    expect(turns[1] - turns[0]).toBe(5);
    expect(taken.map(({ number }) => number)).toEqual(Array.from({ length: most }, (_, at) => at + 1));
    expect(again.map(({ number }) => number)).toEqual(taken.map(({ number }) => number));
    await farm.pass(60);
    expect(farm.state(most)).toBe("ended");
    expect(farm.world.database.all("SELECT * FROM unfinished")).toEqual([]);
  });

  it("is taken or is not, and nothing of it runs, whenever the service dies", async () => {
    let taken = 0;
    let notWhole = 0;
    for (let diesAt = 1, isWhole = false; !isWhole; diesAt++) {
      const farm = await Farm.of(one);
      await farm.world.start(diesAt);
      if (!farm.world.isDead) await farm.world.act((service) => inSteps(service, "k"));
      isWhole = !farm.world.isDead;
      await farm.world.start();
      const before = Number(farm.world.database.get("SELECT count(*) AS count FROM job")!["count"]);
      if (before > 0 && before < most) {
        notWhole++;
        expect(farm.state(1)).toBe("cancelled");
        expect(farm.world.runs().size).toBe(0);
      }
      const outcome = await farm.world.act((service) => inSteps(service, "k"));
      const [{ number: first }] = (outcome as { answer: SubmittedJob[] }).answer;
      expect(first).toBe(before === most ? 1 : before + 1);
      if (before === most) taken++;
      expect(farm.world.service.books.jobs.size).toBe(most);
      expect(farm.world.wrong()).toEqual([]);
    }
    expect(taken).toBeGreaterThan(0);
    expect(notWhole).toBeGreaterThan(1);
  });

  it("marks what it submits again if it is whole, and only then, whenever the service dies", async () => {
    const again = jobs.map((job, at): JobRequest => ({ ...job, rerunOf: 1 + (at % 2) }));
    const states = new Set<string>();
    for (let diesAt = 1, isWhole = false; !isWhole; diesAt++) {
      const farm = await Farm.of(one);
      // The second was submitted again before, which stays so.
      for (const rerunOf of [null, null, 2]) await farm.submit(1, { rerunOf });
      farm.world.die();
      await farm.world.start(diesAt);
      if (!farm.world.isDead)
        await farm.world.act(({ loop, submitting: each }) =>
          loop.actInSteps(each.inSteps({ user: "ann", jobs: again, environment, key: null })),
        );
      isWhole = !farm.world.isDead;
      await farm.world.start();
      const { count } = farm.world.database.get("SELECT count(*) AS count FROM job")!;
      const state = count === 3 ? "none" : count === most + 3 ? "whole" : "part";
      states.add(state);
      const rows = farm.world.database.all("SELECT reruns > 0 AS marked FROM job WHERE number < 4");
      expect(rows.map(({ marked }) => marked)).toEqual([state === "whole" ? 1 : 0, 1, 0]);
    }
    expect(states).toEqual(new Set(["none", "part", "whole"]));
  });
});

describe("requests that share a turn", () => {
  it("have one environment each, however many there are in between", async () => {
    const farm = await Farm.of(one);
    const many = Array.from({ length: 1500 }, (_, at) => ({ CROFT_SIMULATED_SECONDS: "1", AT: String(at) }));
    const taken = await together(
      farm,
      [...many, ...many].map((environment) => submitting({}, { environment })),
    );
    expect(new Set(taken.map(([{ number }]) => number)).size).toBe(3000);
    expect(farm.world.database.get("SELECT count(*) AS count FROM environment")).toEqual({ count: 1500 });
  });

  it("make jobs once for a key, also those that are over at once", async () => {
    const farm = await Farm.of(one);
    const key = "k";
    const [[first], [second]] = await together(farm, [
      submitting({ cores: 9 }, { key }),
      submitting({ cores: 9 }, { key }),
    ]);
    expect(first.state).toBe("rejected");
    expect(second).toEqual(first);
  });

  it("know which jobs have ended in it, however many", async () => {
    const farm = await Farm.of(one);
    const most = 10_001;
    const jobs = Array.from({ length: most }, () => simulatedJob({ hold: true }));
    await together(farm, [submitting({}, { jobs })]);
    const cancel = ({ loop, acts }: Service): Promise<SubmittedJob[]> =>
      loop.act((turn) => {
        for (let job = 1; job <= most; job++) acts.cancel(turn, job, "ann");
        return [];
      });
    const [, [last]] = await together(farm, [cancel, submitting({ after: [{ job: 1, condition: "ok" }] })]);
    expect(last).toMatchObject({ state: "cancelled", reason: "job 1, which it waits for, was cancelled" });
  });

  it("make a token each", async () => {
    const farm = await Farm.of(one);
    const making = (user: string) => (service: Service) =>
      service.loop.act((turn) => {
        const made = service.tokens.make({ user, role: "user", comment: "" }, turn.unixSeconds, null);
        turn.write(made.write.sql, ...made.write.values);
        return made.text;
      });
    const texts = await together(farm, [making("ann"), making("bob")]);
    const { database } = farm.world;
    expect(texts.map((text) => identityOf(database, text, 0)?.user)).toEqual(["ann", "bob"]);
  });
});
