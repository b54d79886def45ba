import { describe, expect, it } from "vitest";

import type { ApiAnswer, ApiRequest, Connection } from "../engines/kubernetes/connection.ts";
import { VirtualClock } from "../engines/system/virtual-clock.fixture.ts";
import { Lease } from "./lease.ts";

/** An API server with one lease, which checks versions. */
class LeaseServer {
  lease: { metadata: { resourceVersion: string }; spec: Record<string, unknown> } | null = null;
  private version = 0;

  connection(isReachable: () => boolean = () => true): Connection {
    return {
      call: async (request) => (isReachable() ? this.answer(request) : failure(null)),
      follow: () => () => undefined,
      close: () => undefined,
    };
  }

  private answer({ method, body }: ApiRequest): ApiAnswer {
    const given = body as NonNullable<LeaseServer["lease"]>;
    if (method === "GET")
      return this.lease === null ? failure(404) : { ok: true, value: structuredClone(this.lease) };
    if (method === "POST" && this.lease !== null) return failure(409);
    if (method === "PUT" && given.metadata.resourceVersion !== this.lease?.metadata.resourceVersion)
      return failure(409);
    this.lease = {
      metadata: { ...given.metadata, resourceVersion: String(++this.version) },
      spec: given.spec,
    };
    return { ok: true, value: this.lease };
  }
}

function failure(status: number | null): ApiAnswer {
  return { ok: false, status, reason: "", message: "a fault of the test", retryAfterSeconds: null };
}

function leaseOf(
  server: LeaseServer,
  clock: VirtualClock,
  holder: string,
  isReachable?: () => boolean,
  told: string[] = [],
): Lease {
  return new Lease({
    connection: server.connection(isReachable),
    clock,
    namespace: "croft",
    name: "croft-croft",
    holder,
    held: (wasOthers) => told.push(wasOthers ? "from others" : "as before"),
    lost: () => told.push("lost"),
  });
}

describe("the lease", () => {
  it("is taken, renewed in the API's form of times, and given up", async () => {
    const [server, clock] = [new LeaseServer(), new VirtualClock()];
    const first = leaseOf(server, clock, "a");
    first.open();
    await clock.pass(60);
    expect(first.isHeld).toBe(true);
    expect(server.lease?.spec).toMatchObject({
      holderIdentity: "a",
      leaseDurationSeconds: 15,
      leaseTransitions: 0,
    });
    expect(server.lease?.spec["renewTime"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    await first.close();
    expect(first.isHeld).toBe(false);
    expect(server.lease?.spec["holderIdentity"]).toBe("");
    const second = leaseOf(server, clock, "b");
    second.open();
    await clock.pass(1);
    expect(second.isHeld).toBe(true);
    expect(server.lease?.spec["leaseTransitions"]).toBe(1);
  });

  it("is never held by two, and held by the other some time after the first is cut off", async () => {
    const [server, clock] = [new LeaseServer(), new VirtualClock()];
    let isReachable = true;
    const first = leaseOf(server, clock, "a", () => isReachable);
    const second = leaseOf(server, clock, "b");
    first.open();
    await clock.pass(1);
    second.open();
    const held: string[] = [];
    for (let now = 0; now < 120; now++) {
      // It is cut off, and comes back when the other one has it.
      if (now === 30) isReachable = false;
      if (now === 80) isReachable = true;
      await clock.pass(1);
      expect([first.isHeld, second.isHeld]).not.toEqual([true, true]);
      held.push(first.isHeld ? "a" : second.isHeld ? "b" : "-");
    }
    expect(held.join("")).toMatch(/^a+-+b+$/);
    expect(held.filter((each) => each === "-").length).toBeLessThan(20);
  });

  it("tells whether another one may have held it meanwhile", async () => {
    const [server, clock] = [new LeaseServer(), new VirtualClock()];
    const told: string[] = [];
    let isReachable = true;
    const first = leaseOf(server, clock, "a", () => isReachable, told);
    const cutOff = async (seconds: number): Promise<void> => {
      isReachable = false;
      await clock.pass(seconds);
      isReachable = true;
    };
    first.open();
    await clock.pass(1);
    await cutOff(40);
    await clock.pass(10);
    expect(told).toEqual(["from others", "lost", "as before"]);
    const second = leaseOf(server, clock, "b");
    second.open();
    await cutOff(40);
    await second.close();
    await clock.pass(40);
    expect(told.slice(3)).toEqual(["lost", "from others"]);
    server.lease = null;
    await clock.pass(20);
    expect(first.isHeld).toBe(true);
  });

  it("tells why it is not held, and when that has another reason", async () => {
    const [server, clock] = [new LeaseServer(), new VirtualClock()];
    leaseOf(server, clock, "a").open();
    await clock.pass(1);
    let isReachable = true;
    const why: string[] = [];
    const second = new Lease({
      connection: server.connection(() => isReachable),
      clock,
      namespace: "croft",
      name: "croft-croft",
      holder: "b",
      held: () => why.push("held"),
      lost: (reason) => why.push(reason),
    });
    second.open();
    await clock.pass(30);
    expect(why).toEqual(["it is held by a"]);
    isReachable = false;
    await clock.pass(30);
    isReachable = true;
    await clock.pass(30);
    expect(why.slice(1)).toEqual(["a fault of the test", "it is held by a"]);
  });

  it("goes to one of those that want it at once", async () => {
    const [server, clock] = [new LeaseServer(), new VirtualClock()];
    const all = ["a", "b", "c"].map((holder) => leaseOf(server, clock, holder));
    for (const each of all) each.open();
    await clock.pass(30);
    expect(all.filter(({ isHeld }) => isHeld)).toHaveLength(1);
  });
});
