import { randomUUID } from "node:crypto";

import { expect } from "vitest";

import type { AttemptId } from "../attempt-id.ts";
import type { Watched, World } from "../world.fixture.ts";

/** A real cluster takes seconds for each of many steps and faults. */
export const SLOW_MILLISECONDS = 900_000;

/** Ended by SIGTERM or SIGKILL, where a shell tells it by its status too. */
export const SIGNALLED = { kind: "exited", status: expect.toBeOneOf([null, 137, 143]) as number | null };
/** How often a start may fail because its machine is missed. */
const TRIES = 5;

/** A world, the engine that now runs in it, and the steps that the tests of the contract share. Opened before them. */
export class ContractRun {
  world!: World;
  side!: Watched;

  async open(world: World): Promise<void> {
    this.world = world;
    this.side = await world.open();
  }

  /** The service's process ends without warning, and another one takes up what is there. */
  async crash(): Promise<void> {
    this.side = await this.world.open();
  }

  fresh(): AttemptId {
    return { job: randomUUID(), attempt: 1 };
  }

  /** Starts a job that waits, and waits until it runs. */
  async running(kind: "waiting" | "busy" = "waiting"): Promise<AttemptId> {
    const { world, side } = this;
    const id = this.fresh();
    side.engine.start(world.request(id, kind));
    await side.next(id, "started");
    await world.until("it runs", () => world.runs(id) === 1);
    return id;
  }

  /**
   * Like `running`, after a fault was repaired. On a busy machine Slurm may lose sight of a node again, or let the job
   * wait for it. The start then fails, as it should, through no fault of the job, and another attempt is made.
   */
  async runningAgain(): Promise<AttemptId> {
    const { world, side } = this;
    for (let tries = 1; ; tries++) {
      const id = this.fresh();
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
      expect(outcome, JSON.stringify(outcome)).toMatchObject({
        kind: "start-failed",
        fault: expect.stringMatching(/^(machine|transient)$/) as unknown,
      });
      expect(tries, "nodes are missed again and again").toBeLessThan(TRIES);
      await this.machinesAreUp("it was missed");
    }
  }

  async machinesAreUp(after: string): Promise<void> {
    const { world, side } = this;
    await world.until(`machines are up after ${after}`, async () => {
      if (side.engine.machines().some(({ name, state }) => name === world.machines[0] && state === "up"))
        return true;
      await world.bringBack?.(world.machines[0]);
      return false;
    });
  }

  async expectOver(id: AttemptId, runs: number): Promise<void> {
    const { world, side } = this;
    expect(world.runs(id)).toBe(runs);
    expect(await world.isAlive(id)).toBe(false);
    expect(await side.known(id)).toMatchObject({ state: "over" });
  }
}
