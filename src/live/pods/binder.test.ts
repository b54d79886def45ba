import { afterEach, describe, expect, it } from "vitest";

import { VirtualClock } from "../engines/system/virtual-clock.fixture.ts";
import { planFor, PodWorld } from "./world.fixture.ts";

let world: PodWorld;
afterEach(() => world.close());

const PODS = 60;

/** Many pods, whose binds the API server has in hand, sixteen at a time. */
async function binding(): Promise<VirtualClock> {
  const clock = new VirtualClock();
  world = await PodWorld.make(planFor(), clock);
  world.node("n1", { cores: "100", memory: "100Gi" });
  world.open("first");
  world.server.heldBindings = [];
  for (let at = 0; at < PODS; at++) world.pod(`pod-${at}`);
  await world.passUntil(clock, 60, () => world.server.heldBindings!.length === 16);
  return clock;
}

const placed = (): number =>
  world.server.all("pods").filter(({ spec }) => spec?.nodeName !== undefined).length;
const renewTime = (): unknown => {
  const [{ spec }] = world.server.all("leases");
  return (spec as { renewTime?: string }).renewTime;
};

describe("many binds that are slow", () => {
  it("do not keep the lease from being renewed", async () => {
    const clock = await binding();
    const before = renewTime();
    expect(await world.passUntil(clock, 3600, () => renewTime() !== before)).toBeLessThan(60);
    expect(world.server.heldBindings).toHaveLength(16);
    world.server.letBindingsGo();
    await world.passUntil(clock, 3600, () => placed() === PODS);
    expect(placed()).toBe(PODS);
  });

  it("are not sent once another scheduler has the lease", async () => {
    const clock = await binding();
    const [{ metadata, ...lease }] = world.server.all("leases");
    world.server.set("leases", {
      ...lease,
      metadata,
      spec: { ...(lease.spec as object), holderIdentity: "second", leaseDurationSeconds: 3600 },
    });
    await world.passUntil(clock, 60, () => world.log.some((text) => text.includes("held by second")));
    world.server.letBindingsGo();
    // Longer than they wait for it.
    await world.passUntil(clock, 60, () => false);
    expect(placed()).toBe(16);
  });
});
