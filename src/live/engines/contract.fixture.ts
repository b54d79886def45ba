import { randomUUID } from "node:crypto";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { AttemptId } from "./attempt-id.ts";
import type { Watched, World } from "./world.fixture.ts";

/** What the tests are about: attempts as such, or what befalls the service, the engine's side, or both at once. */
type Part = "attempts" | "deaths" | "faults" | "faults and deaths";

/** A world, and how much of the contract is tried on it. */
export interface Trial {
  readonly make: () => Promise<World>;
  /** Tries every n-th of the steps at which the service can die, for engines on which a step takes seconds; 1: all. */
  readonly everyStep: number;
  /** Tries only this part, where files that run at once try the others. */
  readonly only?: Part;
}

/** A real cluster takes seconds for each of many steps and faults. */
const SLOW_MILLISECONDS = 900_000;
/** How often a start may fail because its machine is missed. */
const TRIES = 5;

/** The one test that every engine passes. */
export function testContract({ make, everyStep, only }: Trial): void {
  let world: World;
  let side: Watched;
  beforeAll(async () => {
    world = await make();
    side = await world.open();
  });
  afterAll(async () => {
    await world.close();
  });

  const fresh = (): AttemptId => ({ job: randomUUID(), attempt: 1 });

  /** Starts a job that waits, and waits until it runs. */
  async function running(kind: "waiting" | "busy" = "waiting"): Promise<AttemptId> {
    const id = fresh();
    side.engine.start(world.request(id, kind));
    await side.next(id, "started");
    await world.until("it runs", () => world.runs(id) === 1);
    return id;
  }

  /**
   * Like `running`, after a fault was repaired. On a busy machine Slurm may lose sight of a node again. A start there then
   * fails, as it should, and another attempt is made.
   */
  async function runningAgain(): Promise<AttemptId> {
    for (let tries = 1; ; tries++) {
      const id = fresh();
      side.engine.start(world.request(id, "waiting"));
      await world.until(
        "it has started, or not",
        () => side.about(id, "started").length + side.outcomes(id).length > 0,
      );
      const [outcome] = side.outcomes(id);
      if (outcome === undefined) {
        await world.until("it runs", () => world.runs(id) === 1);
        return id;
      }
      expect(outcome).toMatchObject({ kind: "start-failed", fault: "machine" });
      expect(tries, "nodes are missed again and again").toBeLessThan(TRIES);
      await machinesAreUp("it was missed");
    }
  }

  async function machinesAreUp(after: string): Promise<void> {
    await world.until(`machines are up after ${after}`, async () => {
      if (side.engine.machines().some(({ name, state }) => name === world.machines[0] && state === "up"))
        return true;
      await world.bringBack?.(world.machines[0]);
      return false;
    });
  }

  async function expectOver(id: AttemptId, runs: number): Promise<void> {
    expect(world.runs(id)).toBe(runs);
    expect(await world.isAlive(id)).toBe(false);
    expect(await side.known(id)).toMatchObject({ state: "over" });
  }

  /** The service's process ends without warning, and another one takes up what is there. */
  async function crash(): Promise<void> {
    side = await world.open();
  }

  const part = (of: Part, name: string, tests: () => void): void => {
    if ((only ?? of) === of) describe(name, { timeout: SLOW_MILLISECONDS }, tests);
  };

  part("attempts", "machines and capabilities", () => {
    it("tells its machines", () => {
      const names = side.engine.machines().map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining([...world.machines]));
      for (const name of names)
        expect(side.of("machine").some(({ machine }) => machine.name === name)).toBe(true);
      for (const machine of side.engine.machines()) {
        expect(machine.coresMilli).toBeGreaterThanOrEqual(machine.state === "up" ? 1 : 0);
        expect(machine.memoryMiB).toBeGreaterThanOrEqual(machine.state === "up" ? 1 : 0);
      }
    });

    it("does not start on a machine that it does not have, or that is down", async () => {
      for (const machine of ["no-such-machine", ...(world.downMachine === null ? [] : [world.downMachine])]) {
        const id = fresh();
        side.engine.start(world.request(id, "short", machine));
        expect(await side.outcome(id)).toMatchObject({ kind: "start-failed", fault: "machine" });
        expect(world.runs(id)).toBe(0);
      }
    });

    it("starts where it is told", async () => {
      for (const machine of world.machines) {
        const id = fresh();
        side.engine.start(world.request(id, "short", machine));
        const started = await side.next(id, "started");
        if (side.engine.capabilities.pinning) expect(started.machines).toEqual([machine]);
        await side.outcome(id);
      }
    });
  });

  part("attempts", "an attempt", () => {
    it("runs, keeps its output, and ends with its status", async () => {
      const id = fresh();
      side.engine.start(world.request(id, "short"));
      const outcome = await side.outcome(id);
      expect(outcome).toMatchObject({ kind: "exited", status: 3, signal: null, cause: "itself" });
      if (outcome.kind === "exited") expect(outcome.usage.elapsedSeconds).toBeGreaterThanOrEqual(0);
      expect(side.about(id, "started")).toHaveLength(1);
      await expectOver(id, 1);
      const all = await side.engine.output(id, "stdout", 0, 1000);
      expect(new TextDecoder().decode(all!)).toMatch(/out|simulated/);
      const part = await side.engine.output(id, "stdout", 1, 2);
      expect(part).toEqual(all!.subarray(1, 3));
      expect(await side.engine.output(id, "stdout", all!.length, 1000)).toHaveLength(0);
    });

    it("is ended", async () => {
      const id = await running();
      side.engine.end(id, 5);
      expect(await side.outcome(id)).toMatchObject({ kind: "exited", status: null, cause: "asked" });
      await expectOver(id, 1);
    });

    it("does not run once it was ended, be it before it was heard of", async () => {
      const id = fresh();
      side.engine.end(id, 5);
      expect(await side.outcome(id)).toMatchObject({ kind: "exited", cause: "never-ran" });
      side.engine.start(world.request(id, "short"));
      await side.next(id, "exited", 1);
      await expectOver(id, 0);
      await crash();
      side.engine.start(world.request(id, "short"));
      expect(await side.outcome(id)).toMatchObject({ kind: "exited", cause: "never-ran" });
      await expectOver(id, 0);
    });

    it("is ended while it starts: it ran once or not at all", async () => {
      const id = fresh();
      side.engine.start(world.request(id, "waiting"));
      side.engine.end(id, 5);
      const outcome = await side.outcome(id);
      expect(outcome).toMatchObject({ kind: "exited", status: null });
      expect(world.runs(id)).toBeLessThanOrEqual(1);
      expect(await world.isAlive(id)).toBe(false);
    });

    it("runs once, however often it is started", async () => {
      const id = fresh();
      const request = world.request(id, "waiting");
      side.engine.start(request);
      side.engine.start(request);
      await side.next(id, "started");
      side.engine.start(request);
      await side.next(id, "started", 1);
      world.release(id);
      await side.outcome(id);
      const before = side.about(id, "exited").length;
      side.engine.start(request);
      await side.next(id, "exited", before);
      await expectOver(id, 1);
    });

    it("is another one with another number", async () => {
      const first = fresh();
      const second = { ...first, attempt: 2 };
      for (const id of [first, second]) {
        side.engine.start(world.request(id, "short"));
        await side.outcome(id);
      }
      await expectOver(first, 1);
      await expectOver(second, 1);
    });

    it("is refused where it can run nowhere", async () => {
      const id = fresh();
      side.engine.start({ ...world.request(id, "short"), command: [] });
      expect(await side.outcome(id)).toMatchObject({ kind: "start-failed", fault: "job" });
      const zero = fresh();
      side.engine.start({ ...world.request(zero, "short"), command: ["echo", "a\0b"] });
      expect(await side.outcome(zero)).toMatchObject({ kind: "start-failed", fault: "job" });
      expect(() => side.engine.start(world.request({ job: "../../etc", attempt: 1 }, "short"))).toThrow(
        RangeError,
      );
    });

    it("is forgotten when it is over, and only then", async () => {
      const id = await running();
      await side.engine.forget(id);
      expect(await side.known(id)).toMatchObject({ state: "running" });
      world.release(id);
      await side.outcome(id);
      await side.engine.forget(id);
      await side.engine.forget(id);
      expect(await side.known(id)).toBeNull();
      expect(await side.engine.output(id, "stdout", 0, 10)).toBeNull();
      await crash();
      expect(await side.known(id)).toBeNull();
    });

    it("runs beside others", async () => {
      const ids = Array.from({ length: 8 }, fresh);
      for (const id of ids) side.engine.start(world.request(id, "short"));
      for (const id of ids) expect(await side.outcome(id)).toMatchObject({ kind: "exited", status: 3 });
      for (const id of ids) expect(world.runs(id)).toBe(1);
    });
  });

  part("attempts", "suspension", () => {
    it("stops what runs, and lets it go on", async () => {
      const [one, other] = [await running("busy"), await running("busy")];
      if (side.engine.capabilities.suspend === "none") {
        side.engine.suspend(one);
        await side.next(one, "suspend-failed");
      } else {
        side.engine.suspend(one);
        await side.next(one, "suspended");
        const stoppedAt = await world.progress(one);
        const otherAt = await world.progress(other);
        await world.until(
          "the other one has gone on",
          async () => (await world.progress(other)) > otherAt + 0.2,
        );
        expect(await world.progress(one)).toBe(stoppedAt);
        side.engine.resume(one);
        await side.next(one, "resumed");
        await world.until("it goes on", async () => (await world.progress(one)) > stoppedAt);
      }
      for (const id of [one, other]) {
        side.engine.end(id, 5);
        await side.outcome(id);
      }
    });

    it("is found by the next engine, and ends with the attempt", async () => {
      const id = await running();
      side.engine.suspend(id);
      if (side.engine.capabilities.suspend !== "none") {
        await side.next(id, "suspended");
        await crash();
        expect(await side.known(id)).toMatchObject({ state: "suspended" });
      }
      side.engine.end(id, 5);
      expect(await side.outcome(id)).toMatchObject({ kind: "exited", cause: "asked" });
      await expectOver(id, 1);
    });

    it("takes wishes that come twice or too late", async () => {
      const id = await running();
      if (side.engine.capabilities.suspend !== "none") {
        side.engine.resume(id);
        await side.next(id, "resumed");
        for (const [wish, report] of [
          ["suspend", "suspended"],
          ["resume", "resumed"],
        ] as const) {
          // One report may answer two wishes; one that comes after it is answered again.
          const before = side.about(id, report).length;
          side.engine[wish](id);
          side.engine[wish](id);
          await side.next(id, report, before);
          const then = side.about(id, report).length;
          side.engine[wish](id);
          await side.next(id, report, then);
        }
      }
      side.engine.end(id, 5);
      side.engine.end(id, 5);
      await side.next(id, "exited");
      for (const wish of ["suspend", "resume"] as const) {
        const before = side.about(id, "exited").length;
        side.engine[wish](id);
        await side.next(id, "exited", before);
      }
      const before = side.about(id, "exited").length;
      side.engine.end(id, 0);
      await side.next(id, "exited", before);
      expect(new Set(side.about(id, "exited").map((exited) => JSON.stringify(exited)))).toHaveProperty(
        "size",
        1,
      );
      await expectOver(id, 1);
    });

    it("fails for attempts that are not known", async () => {
      const id = fresh();
      side.engine.suspend(id);
      await side.next(id, "suspend-failed");
      side.engine.resume(id);
      await side.next(id, "resume-failed");
      await side.engine.forget(id);
      expect(await side.engine.output(id, "stdout", 0, 10)).toBeNull();
      expect(await side.known(id)).toBeNull();
    });
  });

  part("deaths", "the death of the service", () => {
    it("leaves what runs, and the next one finds it", async () => {
      const id = await running();
      await crash();
      expect(await side.known(id)).toMatchObject({ state: "running", started: { kind: "started", id } });
      world.release(id);
      expect(await side.outcome(id)).toMatchObject({ kind: "exited", status: 0, cause: "itself" });
      await expectOver(id, 1);
    });

    it("does not hide what ended meanwhile", async () => {
      const id = await running();
      const ended = fresh();
      side.engine.start(world.request(ended, "short"));
      const outcome = await side.outcome(ended);
      await crash();
      expect(await side.known(ended)).toMatchObject({
        state: "over",
        outcome: { kind: "exited", status: 3 },
      });
      side.engine.end(ended, 5);
      expect(await side.outcome(ended)).toMatchObject({ ...outcome, usage: expect.anything() as object });
      side.engine.end(id, 5);
      await side.outcome(id);
    });

    it("at any step, loses no attempt and runs none twice", async () => {
      for (let step = 0; ; step += everyStep) {
        const id = fresh();
        const request = world.request(id, "waiting");
        const doomed = await world.open(step);
        let isRecorded = false;
        doomed.engine.start(request);
        // It gets as far as it can: to the end, unless it dies.
        const lived = await lives(doomed, async () => {
          await doomed.next(id, "started");
          if (doomed.engine.capabilities.suspend !== "none") {
            doomed.engine.suspend(id);
            await doomed.next(id, "suspended");
            doomed.engine.resume(id);
            await doomed.next(id, "resumed");
          }
          doomed.engine.end(id, 5);
          await doomed.next(id, "exited");
          isRecorded = true;
          await doomed.engine.forget(id);
        });
        if (lived) {
          expect(step, "steps at which it can die").toBeGreaterThan(8);
          break;
        }
        side = await world.open();
        const before = await side.known(id);
        if (before?.state === "over") expect(before.outcome.kind).toBe("exited");
        if (!isRecorded) {
          // What was wished is wished again.
          side.engine.start(request);
          side.engine.end(id, 5);
          const ended = { kind: "exited", status: null };
          expect(await side.outcome(id), `died at step ${step}`).toMatchObject(ended);
        }
        expect(world.runs(id), `died at step ${step}`).toBeLessThanOrEqual(1);
        expect(await world.isAlive(id), `died at step ${step}`).toBe(false);
        await side.engine.forget(id);
      }
      await crash();
    });

    /** False where the engine died before it got to the end. */
    async function lives(doomed: Watched, course: () => Promise<void>): Promise<boolean> {
      let isOver = false;
      void course().then(
        () => (isOver = true),
        () => undefined,
      );
      await world.until("it is through or dead", () => isOver || doomed.isDead());
      return isOver;
    }
  });

  part("faults", "faults of the engine's side", () => {
    it("end in an outcome or do no harm, and nothing runs twice", async () => {
      for (const fault of world.faults) {
        const id = await runningAgain();
        const bystander = fresh();
        await fault.inject(id);
        let outcome = null;
        if (fault.mayBeUnharmed) {
          await fault.repair();
          world.release(id);
          outcome = await side.outcome(id);
          if (outcome.kind !== "exited" || outcome.status !== 0)
            expect(fault.outcomes, `${fault.name}: ${JSON.stringify(outcome)}`).toContain(outcome.kind);
        } else {
          outcome = await side.outcome(id);
          expect(fault.outcomes, `${fault.name}: ${JSON.stringify(outcome)}`).toContain(outcome.kind);
          await fault.repair();
        }
        await expectOver(id, 1);
        // The next one is not touched by it.
        await world.until(`${fault.name} is over`, async () => (await side.engine.list()).kind === "listing");
        await machinesAreUp(fault.name);
        side.engine.start(world.request(bystander, "short"));
        expect(await side.outcome(bystander), fault.name).toMatchObject({ kind: "exited", status: 3 });
      }
    });
  });

  part("faults and deaths", "faults of the engine's side and of the service's at once", () => {
    it("leave an outcome that the next service tells", async () => {
      for (const fault of world.faults) {
        const id = await runningAgain();
        await fault.inject(id);
        side = await world.open();
        await fault.repair();
        world.release(id);
        side.engine.start(world.request(id, "waiting"));
        const outcome = await side.outcome(id);
        if (outcome.kind !== "exited" || outcome.status !== 0)
          expect(fault.outcomes, `${fault.name}: ${JSON.stringify(outcome)}`).toContain(outcome.kind);
        await expectOver(id, 1);
        await machinesAreUp(fault.name);
      }
    });
  });

  part("attempts", "the state folder", () => {
    it("keeps what the engine does not know, which says so", async () => {
      const id = await running();
      const isUnharmed = await world.litter();
      await crash();
      const listing = await side.engine.list();
      expect(listing).toMatchObject({ kind: "listing" });
      if (listing.kind === "listing") expect(listing.foreign.length).toBeGreaterThan(0);
      expect(await side.known(id)).toMatchObject({ state: "running" });
      world.release(id);
      expect(await side.outcome(id)).toMatchObject({ kind: "exited", status: 0 });
      expect(await isUnharmed()).toBe(true);
    });
  });
}
