import { describe, expect, it } from "vitest";

import type { Watched } from "../world.fixture.ts";
import { SIGNALLED, SLOW_MILLISECONDS, type ContractRun } from "./contract-run.fixture.ts";

/**
 * What holds when the service's process ends without warning.
 *
 * @param everyStep tries every n-th of the steps at which it can die
 */
export function testDeaths(run: ContractRun, everyStep: number): void {
  describe("the death of the service", { timeout: SLOW_MILLISECONDS }, () => {
    it("leaves what runs, and the next one finds it", async () => {
      const id = await run.running();
      await run.crash();
      expect(await run.side.known(id)).toMatchObject({ state: "running", started: { kind: "started", id } });
      run.world.release(id);
      expect(await run.side.outcome(id)).toMatchObject({ kind: "exited", status: 0, cause: "itself" });
      await run.expectOver(id, 1);
    });

    it("does not hide what ended meanwhile", async () => {
      const id = await run.running();
      const ended = run.fresh();
      run.side.engine.start(run.world.request(ended, "short"));
      const outcome = await run.side.outcome(ended);
      await run.crash();
      expect(await run.side.known(ended)).toMatchObject({
        state: "over",
        outcome: { kind: "exited", status: 3 },
      });
      run.side.engine.end(ended, 5);
      expect(await run.side.outcome(ended)).toMatchObject({ ...outcome, usage: expect.anything() as object });
      run.side.engine.end(id, 5);
      await run.side.outcome(id);
    });

    it("at any step, loses no attempt and runs none twice", async () => {
      for (let step = 0; ; step += everyStep) {
        const id = run.fresh();
        const request = run.world.request(id, "waiting");
        const doomed = await run.world.open(step);
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
        run.side = await run.world.open();
        const before = await run.side.known(id);
        if (before?.state === "over") expect(before.outcome.kind).toBe("exited");
        if (!isRecorded) {
          // What was wished is wished again.
          run.side.engine.start(request);
          run.side.engine.end(id, 5);
          expect(await run.side.outcome(id), `died at step ${step}`).toMatchObject(SIGNALLED);
        }
        expect(run.world.runs(id), `died at step ${step}`).toBeLessThanOrEqual(1);
        expect(await run.world.isAlive(id), `died at step ${step}`).toBe(false);
        await run.side.engine.forget(id);
      }
      await run.crash();
    });

    /** False where the engine died before it got to the end. */
    async function lives(doomed: Watched, course: () => Promise<void>): Promise<boolean> {
      let isOver = false;
      void course().then(
        () => (isOver = true),
        () => undefined,
      );
      await run.world.until("it is through or dead", () => isOver || doomed.isDead());
      return isOver;
    }
  });
}
