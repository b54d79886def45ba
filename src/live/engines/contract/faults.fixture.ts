import { describe, expect, it } from "vitest";

import { SLOW_MILLISECONDS, type ContractRun } from "./contract-run.fixture.ts";

/** What holds when the engine's side fails. */
export function testFaults(run: ContractRun): void {
  describe("faults of the engine's side", { timeout: SLOW_MILLISECONDS }, () => {
    it("end in an outcome or do no harm, and nothing runs twice", async () => {
      for (const fault of run.world.faults) {
        const id = await run.runningAgain();
        const bystander = run.fresh();
        await fault.inject(id);
        let outcome = null;
        if (fault.mayBeUnharmed) {
          await fault.repair();
          run.world.release(id);
          outcome = await run.side.outcome(id);
          if (outcome.kind !== "exited" || outcome.status !== 0)
            expect(fault.outcomes, `${fault.name}: ${JSON.stringify(outcome)}`).toContain(outcome.kind);
        } else {
          outcome = await run.side.outcome(id);
          expect(fault.outcomes, `${fault.name}: ${JSON.stringify(outcome)}`).toContain(outcome.kind);
          await fault.repair();
        }
        await run.expectOver(id, 1);
        // The next one is not touched by it.
        await run.world.until(
          `${fault.name} is over`,
          async () => (await run.side.engine.list()).kind === "listing",
        );
        await run.machinesAreUp(fault.name);
        run.side.engine.start(run.world.request(bystander, "short"));
        expect(await run.side.outcome(bystander), fault.name).toMatchObject({ kind: "exited", status: 3 });
      }
    });
  });
}

/** What holds when the service ends at the same time. */
export function testFaultsAndDeaths(run: ContractRun): void {
  describe("faults of the engine's side and of the service's at once", { timeout: SLOW_MILLISECONDS }, () => {
    it("leave an outcome that the next service tells", async () => {
      for (const fault of run.world.faults) {
        const id = await run.runningAgain();
        await fault.inject(id);
        run.side = await run.world.open();
        await fault.repair();
        run.world.release(id);
        run.side.engine.start(run.world.request(id, "waiting"));
        const outcome = await run.side.outcome(id);
        if (outcome.kind !== "exited" || outcome.status !== 0)
          expect(fault.outcomes, `${fault.name}: ${JSON.stringify(outcome)}`).toContain(outcome.kind);
        await run.expectOver(id, 1);
        await run.machinesAreUp(fault.name);
      }
    });
  });
}
