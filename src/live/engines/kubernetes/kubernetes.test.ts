import { randomUUID } from "node:crypto";

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import type { AttemptId } from "../attempt-id.ts";
import type { StartRequest } from "../engine.ts";
import { NO_LIMITS } from "../limits.ts";
import type { Watched } from "../world.fixture.ts";
import { podNameOf } from "./pod.ts";
import { StandInWorld } from "./world.fixture.ts";

/** What only this engine does, on a stand-in for a cluster. */
describe("a Kubernetes namespace", () => {
  let world: StandInWorld;
  let side: Watched;
  beforeAll(async () => {
    world = await StandInWorld.make({ startPatienceSeconds: 1 });
    side = await world.open();
  });
  afterAll(() => world.close());

  const fresh = (): AttemptId => ({ job: randomUUID(), attempt: 1 });
  const start = (id: AttemptId, change: Partial<StartRequest>): void =>
    side.engine.start({ ...world.request(id, "short"), ...change });

  it("starts elsewhere what its kubelet refuses: another scheduler was faster", async () => {
    const id = fresh();
    start(id, { command: ["refused"] });
    expect(await side.outcome(id)).toMatchObject({
      kind: "start-failed",
      fault: "transient",
      reason: "OutOfcpu: requested: 2",
    });
    expect(world.runs(id)).toBe(0);
  });

  it("gives up a pod that does not start, says why, and leaves none behind", async () => {
    const id = fresh();
    start(id, { command: ["stalled"] });
    expect(await side.outcome(id)).toMatchObject({
      kind: "start-failed",
      fault: "machine",
      reason: "it has not started on node-1 within 1 s: ImagePullBackOff: no such image",
    });
    await world.until("its pod is gone", () => world.kubelets.podOf(id) === undefined);
    expect(world.runs(id)).toBe(0);
  });

  it("removes a pod that is called failed and whose container is not told to have ended", async () => {
    const id = fresh();
    start(id, { command: ["stuck"], limits: { ...NO_LIMITS, graceSeconds: 0 } });
    expect(await side.outcome(id)).toMatchObject({ kind: "exited", status: null, cause: "time" });
    expect([world.kubelets.podOf(id), world.runs(id)]).toEqual([undefined, 1]);
  });

  it("refuses what no pod can do", async () => {
    const [placed] = world.request(fresh(), "short").placement;
    for (const [change, reason] of [
      [{ placement: [placed, { ...placed, machine: "node-2" }] }, "it is placed on 2 machines"],
      [{ stdoutPath: "/home/ada/out" }, "a pod cannot write to /home/ada/out"],
      [{ placement: [{ ...placed, gpuMilli: 500 }] }, "a pod has whole GPUs"],
    ] as const) {
      const id = fresh();
      start(id, change);
      const outcome = await side.outcome(id);
      expect(outcome).toMatchObject({ kind: "start-failed", fault: "job" });
      expect(JSON.stringify(outcome)).toContain(reason);
    }
  });

  it("has both streams of an attempt in one", async () => {
    const id = fresh();
    start(id, {});
    await side.outcome(id);
    const text = async (stream: "stdout" | "stderr") =>
      new TextDecoder().decode((await side.engine.output(id, stream, 0, 100))!);
    expect(await text("stdout")).toBe("out\nerr\n");
    expect(await text("stderr")).toBe("");
  });

  it("names the quota that a pod is above, which is no fault of a machine", async () => {
    const id = fresh();
    world.server.refusesPods =
      "exceeded quota: compute, requested: requests.cpu=2, used: requests.cpu=7, limited: requests.cpu=8";
    start(id, {});
    expect(await side.outcome(id)).toEqual({
      kind: "start-failed",
      id,
      fault: "transient",
      reason:
        "the quota compute of the namespace croft is used up: requested: requests.cpu=2, used: requests.cpu=7, limited: requests.cpu=8",
    });
    world.server.refusesPods = null;
  });

  it("takes a binding that is forbidden for no fault of the machine, and leaves no pod behind", async () => {
    const id = fresh();
    world.server.refusesBindings = 403;
    start(id, {});
    expect(await side.outcome(id)).toMatchObject({ kind: "start-failed", fault: "transient" });
    world.server.refusesBindings = null;
    expect(world.server.all("pods").some(({ metadata: { name } }) => name === podNameOf(id))).toBe(false);
    expect(world.runs(id)).toBe(0);
  });

  it("takes credentials that are refused for a state of the pool, and for no failure of a start", async () => {
    world.server.failing = { status: 401, left: Infinity };
    const id = fresh();
    start(id, {});
    await world.until("the pool is unreachable", () => side.of("unreachable").length > 0);
    expect(side.of("unreachable")[0].reason).toContain("refuses the credentials");
    expect(side.outcomes(id)).toEqual([]);
    expect(await side.engine.list()).toMatchObject({ kind: "unreachable" });
    world.server.failing.left = 0;
    await world.until("the pool is reachable", () => side.of("reachable").length > 0);
    expect(await side.outcome(id)).toMatchObject({ kind: "exited", status: 3 });
    expect(world.runs(id)).toBe(1);
  });

  describe("that forbids what it has allowed, or goes away", () => {
    /** What the kubelets let a job print by itself, and then lines. */
    const textOf = (lines: number): string =>
      `out\nerr\n${Array.from({ length: lines }, (_, number) => `line ${number}\n`).join("")}`;
    const start12 = async (printed: number) => {
      const id = fresh();
      start(id, { command: ["waiting"] });
      await side.next(id, "started");
      const log = world.kubelets.logs.get(podNameOf(id))!;
      const print = (to: number): void => {
        const rest = textOf(to).slice(log.text.length);
        log.text += rest;
        for (const reader of log.readers) reader.write(rest);
      };
      print(printed);
      return { id, print };
    };
    afterEach(() => {
      world.server.log = world.kubelets.serveLog;
    });
    const kept = async (id: AttemptId): Promise<string> =>
      new TextDecoder().decode((await side.engine.output(id, "stdout", 0, 10_000))!);

    it("keeps what a job prints though its log may not be read for a while, and after its end", async () => {
      let refusals = 0;
      world.server.log = (_name, _isFollowed, response) => {
        refusals++;
        response.writeHead(403, { "content-type": "application/json" });
        response.end(JSON.stringify({ kind: "Status", code: 403, message: "pods is forbidden" }));
      };
      const { id, print } = await start12(1);
      await world.until("its log is refused", () => refusals > 0);
      print(12);
      world.release(id);
      await world.until("its log is refused again", () => refusals > 1);
      expect(side.outcomes(id)).toEqual([]);
      world.server.log = world.kubelets.serveLog;
      expect(await side.outcome(id)).toMatchObject({ kind: "exited", status: 0 });
      expect(await kept(id)).toBe(textOf(12));
    });

    it("keeps all though the API server is killed while a job prints, and ends", async () => {
      const { id, print } = await start12(2);
      await world.until("the beginning is kept", async () => (await kept(id)) === textOf(2));
      await world.server.stop();
      print(12);
      world.release(id);
      // One that has just started does not know yet what is allowed.
      let refusals = 0;
      world.server.log = (name, isFollowed, response) => {
        if (refusals++ > 0) return world.kubelets.serveLog(name, isFollowed, response);
        response.writeHead(403).end("{}");
      };
      await world.server.start();
      expect(await side.outcome(id)).toMatchObject({ kind: "exited", status: 0 });
      expect(await kept(id)).toBe(textOf(12));
    });

    it("says at the end of what a job printed that its pod was removed while that was read", async () => {
      const { id } = await start12(2);
      await world.until("the beginning is kept", async () => (await kept(id)) === textOf(2));
      world.server.log = (_name, _isFollowed, response) => void response.destroy();
      for (const reader of world.kubelets.logs.get(podNameOf(id))!.readers) reader.destroy();
      await world.kubelets.delete(world.kubelets.podOf(id), 0);
      expect(await side.outcome(id)).toMatchObject({ kind: "lost" });
      const lost = "the end of what was printed is lost: its pod is gone";
      expect(await kept(id)).toBe(`${textOf(2)}\ncroft: ${lost}\n`);
      expect(side.of("notice").at(-1)).toMatchObject({ warns: true });
    });
  });
});
