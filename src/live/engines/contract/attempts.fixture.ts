import { describe, expect, it } from "vitest";

import { SIGNALLED, SLOW_MILLISECONDS, type ContractRun } from "./contract-run.fixture.ts";

/** What holds of attempts while nothing fails. */
export function testAttempts(run: ContractRun): void {
  describe("machines and capabilities", { timeout: SLOW_MILLISECONDS }, () => {
    it("tells its machines", () => {
      const names = run.side.engine.machines().map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining([...run.world.machines]));
      for (const name of names)
        expect(run.side.of("machine").some(({ machine }) => machine.name === name)).toBe(true);
      for (const machine of run.side.engine.machines()) {
        expect(machine.coresMilli).toBeGreaterThanOrEqual(machine.state === "up" ? 1 : 0);
        expect(machine.memoryMiB).toBeGreaterThanOrEqual(machine.state === "up" ? 1 : 0);
      }
    });

    it("does not start on a machine that it does not have, or that is down", async () => {
      for (const machine of [
        "no-such-machine",
        ...(run.world.downMachine === null ? [] : [run.world.downMachine]),
      ]) {
        const id = run.fresh();
        run.side.engine.start(run.world.request(id, "short", machine));
        expect(await run.side.outcome(id)).toMatchObject({ kind: "start-failed", fault: "machine" });
        expect(run.world.runs(id)).toBe(0);
      }
    });

    it("starts where it is told", async () => {
      for (const machine of run.world.machines) {
        const id = run.fresh();
        run.side.engine.start(run.world.request(id, "short", machine));
        const started = await run.side.next(id, "started");
        if (run.side.engine.capabilities.pinning) expect(started.machines).toEqual([machine]);
        await run.side.outcome(id);
      }
    });
  });

  describe("an attempt", { timeout: SLOW_MILLISECONDS }, () => {
    it("runs, keeps its output, and ends with its status", async () => {
      const id = run.fresh();
      run.side.engine.start(run.world.request(id, "short"));
      const outcome = await run.side.outcome(id);
      expect(outcome).toMatchObject({ kind: "exited", status: 3, signal: null, cause: "itself" });
      if (outcome.kind === "exited") expect(outcome.usage.elapsedSeconds).toBeGreaterThanOrEqual(0);
      expect(run.side.about(id, "started")).toHaveLength(1);
      await run.expectOver(id, 1);
      const all = await run.side.engine.output(id, "stdout", 0, 1000);
      expect(new TextDecoder().decode(all!)).toMatch(/out|simulated/);
      const part = await run.side.engine.output(id, "stdout", 1, 2);
      expect(part).toEqual(all!.subarray(1, 3));
      expect(await run.side.engine.output(id, "stdout", all!.length, 1000)).toHaveLength(0);
    });

    it("is ended", async () => {
      const id = await run.running();
      run.side.engine.end(id, 5);
      expect(await run.side.outcome(id)).toMatchObject({ ...SIGNALLED, cause: "asked" });
      await run.expectOver(id, 1);
    });

    it("does not run once it was ended, be it before it was heard of", async () => {
      const id = run.fresh();
      run.side.engine.end(id, 5);
      expect(await run.side.outcome(id)).toMatchObject({ kind: "exited", cause: "never-ran" });
      run.side.engine.start(run.world.request(id, "short"));
      await run.side.next(id, "exited", 1);
      await run.expectOver(id, 0);
      await run.crash();
      run.side.engine.start(run.world.request(id, "short"));
      expect(await run.side.outcome(id)).toMatchObject({ kind: "exited", cause: "never-ran" });
      await run.expectOver(id, 0);
    });

    it("is ended while it starts: it ran once or not at all", async () => {
      const id = run.fresh();
      run.side.engine.start(run.world.request(id, "waiting"));
      run.side.engine.end(id, 5);
      const outcome = await run.side.outcome(id);
      expect(outcome).toMatchObject(SIGNALLED);
      expect(run.world.runs(id)).toBeLessThanOrEqual(1);
      expect(await run.world.isAlive(id)).toBe(false);
    });

    it("runs once, however often it is started", async () => {
      const id = run.fresh();
      const request = run.world.request(id, "waiting");
      run.side.engine.start(request);
      run.side.engine.start(request);
      await run.side.next(id, "started");
      run.side.engine.start(request);
      await run.side.next(id, "started", 1);
      run.world.release(id);
      await run.side.outcome(id);
      const before = run.side.about(id, "exited").length;
      run.side.engine.start(request);
      await run.side.next(id, "exited", before);
      await run.expectOver(id, 1);
    });

    it("is another one with another number", async () => {
      const first = run.fresh();
      const second = { ...first, attempt: 2 };
      for (const id of [first, second]) {
        run.side.engine.start(run.world.request(id, "short"));
        await run.side.outcome(id);
      }
      await run.expectOver(first, 1);
      await run.expectOver(second, 1);
    });

    it("is refused where it can run nowhere", async () => {
      const id = run.fresh();
      run.side.engine.start({ ...run.world.request(id, "short"), command: [] });
      expect(await run.side.outcome(id)).toMatchObject({ kind: "start-failed", fault: "job" });
      const zero = run.fresh();
      run.side.engine.start({ ...run.world.request(zero, "short"), command: ["echo", "a\0b"] });
      expect(await run.side.outcome(zero)).toMatchObject({ kind: "start-failed", fault: "job" });
      expect(() =>
        run.side.engine.start(run.world.request({ job: "../../etc", attempt: 1 }, "short")),
      ).toThrow(RangeError);
    });

    it("is forgotten when it is over, and only then", async () => {
      const id = await run.running();
      await run.side.engine.forget(id);
      expect(await run.side.known(id)).toMatchObject({ state: "running" });
      run.world.release(id);
      await run.side.outcome(id);
      await run.side.engine.forget(id);
      await run.side.engine.forget(id);
      expect(await run.side.known(id)).toBeNull();
      expect(await run.side.engine.output(id, "stdout", 0, 10)).toBeNull();
      await run.crash();
      expect(await run.side.known(id)).toBeNull();
    });

    it("runs beside others", async () => {
      const ids = Array.from({ length: 8 }, () => run.fresh());
      for (const id of ids) run.side.engine.start(run.world.request(id, "short"));
      for (const id of ids) expect(await run.side.outcome(id)).toMatchObject({ kind: "exited", status: 3 });
      for (const id of ids) expect(run.world.runs(id)).toBe(1);
    });
  });

  describe("suspension", { timeout: SLOW_MILLISECONDS }, () => {
    it("stops what runs, and lets it go on", async () => {
      const [one, other] = [await run.running("busy"), await run.running("busy")];
      if (run.side.engine.capabilities.suspend === "none") {
        run.side.engine.suspend(one);
        await run.side.next(one, "suspend-failed");
      } else {
        run.side.engine.suspend(one);
        await run.side.next(one, "suspended");
        const stoppedAt = await run.world.progress(one);
        const otherAt = await run.world.progress(other);
        await run.world.until(
          "the other one has gone on",
          async () => (await run.world.progress(other)) > otherAt + 0.2,
        );
        expect(await run.world.progress(one)).toBe(stoppedAt);
        run.side.engine.resume(one);
        await run.side.next(one, "resumed");
        await run.world.until("it goes on", async () => (await run.world.progress(one)) > stoppedAt);
      }
      for (const id of [one, other]) {
        run.side.engine.end(id, 5);
        await run.side.outcome(id);
      }
    });

    it("is found by the next engine, and ends with the attempt", async () => {
      const id = await run.running();
      run.side.engine.suspend(id);
      if (run.side.engine.capabilities.suspend !== "none") {
        await run.side.next(id, "suspended");
        await run.crash();
        expect(await run.side.known(id)).toMatchObject({ state: "suspended" });
      }
      run.side.engine.end(id, 5);
      expect(await run.side.outcome(id)).toMatchObject({ kind: "exited", cause: "asked" });
      await run.expectOver(id, 1);
    });

    it("takes commands that come twice or too late", async () => {
      const id = await run.running();
      if (run.side.engine.capabilities.suspend !== "none") {
        run.side.engine.resume(id);
        await run.side.next(id, "resumed");
        for (const [command, report] of [
          ["suspend", "suspended"],
          ["resume", "resumed"],
        ] as const) {
          // One report may answer two commands; one that comes after it is answered again.
          const before = run.side.about(id, report).length;
          run.side.engine[command](id);
          run.side.engine[command](id);
          await run.side.next(id, report, before);
          const then = run.side.about(id, report).length;
          run.side.engine[command](id);
          await run.side.next(id, report, then);
        }
      }
      run.side.engine.end(id, 5);
      run.side.engine.end(id, 5);
      await run.side.next(id, "exited");
      for (const command of ["suspend", "resume"] as const) {
        const before = run.side.about(id, "exited").length;
        run.side.engine[command](id);
        await run.side.next(id, "exited", before);
      }
      const before = run.side.about(id, "exited").length;
      run.side.engine.end(id, 0);
      await run.side.next(id, "exited", before);
      expect(new Set(run.side.about(id, "exited").map((exited) => JSON.stringify(exited)))).toHaveProperty(
        "size",
        1,
      );
      await run.expectOver(id, 1);
    });

    it("fails for attempts that are not known", async () => {
      const id = run.fresh();
      run.side.engine.suspend(id);
      await run.side.next(id, "suspend-failed");
      run.side.engine.resume(id);
      await run.side.next(id, "resume-failed");
      await run.side.engine.forget(id);
      expect(await run.side.engine.output(id, "stdout", 0, 10)).toBeNull();
      expect(await run.side.known(id)).toBeNull();
    });
  });

  describe("the state folder", { timeout: SLOW_MILLISECONDS }, () => {
    it("keeps what the engine does not know, which says so", async () => {
      const id = await run.running();
      const isUnharmed = await run.world.litter();
      await run.crash();
      const listing = await run.side.engine.list();
      expect(listing).toMatchObject({ kind: "listing" });
      if (listing.kind === "listing") expect(listing.foreign.length).toBeGreaterThan(0);
      expect(await run.side.known(id)).toMatchObject({ state: "running" });
      run.world.release(id);
      expect(await run.side.outcome(id)).toMatchObject({ kind: "exited", status: 0 });
      expect(await isUnharmed()).toBe(true);
    });
  });
}
