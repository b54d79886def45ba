import { describe, expect, it, onTestFinished, vi } from "vitest";

import type { Engine, Listing, Report, StartRequest, Unreachable } from "./engine.ts";
import { GuardedEngine } from "./guarded.ts";

const nothing: Listing = { kind: "listing", attempts: [], foreign: [] };
const id = { job: "00000000-0000-7000-8000-000000000000", attempt: 1 };

/** An engine that does what `faults` say, guarded, and what it reports. */
async function guarded(faults: Partial<Engine>) {
  const reports: Report[] = [];
  const inner = {
    open: async () => undefined,
    list: async () => nothing,
    machines: () => [],
    close: async () => undefined,
    ...faults,
  };
  const engine = new GuardedEngine(inner as unknown as Engine);
  await engine.open((report) => reports.push(report));
  return { engine, inner, reports };
}

function broken(): never {
  throw new Error("it is broken");
}

const unreachable = { kind: "unreachable", reason: "its engine has failed: it is broken" };

describe("an engine that fails", () => {
  it.each([
    ["rejects", () => Promise.reject(new Error("it is broken"))],
    ["throws", broken],
  ])("is unreachable if its list %s, until it lists again", async (_, list) => {
    const { engine, inner, reports } = await guarded({ list });
    expect(await engine.list()).toMatchObject(unreachable);
    const again = (await engine.list()) as Unreachable;
    expect(reports).toMatchObject([unreachable, unreachable]);
    expect(again.sinceUnixSeconds).toBe((reports[0] as Unreachable).sinceUnixSeconds);
    inner.list = async () => nothing;
    expect(await engine.list()).toBe(nothing);
    expect(await engine.list()).toBe(nothing);
    expect(reports.slice(2)).toEqual([{ kind: "reachable" }]);
  });

  it.each([
    ["start", (engine: Engine) => engine.start({ id } as StartRequest)],
    ["suspend", (engine: Engine) => engine.suspend(id)],
    ["resume", (engine: Engine) => engine.resume(id)],
    ["end", (engine: Engine) => engine.end(id, 0)],
    ["machines", (engine: Engine) => void engine.machines()],
  ])("is unreachable if %s throws", async (name, command) => {
    const { engine, reports } = await guarded({ [name]: broken });
    expect(() => command(engine)).not.toThrow();
    expect(reports).toMatchObject([unreachable]);
  });

  it("is not waited for longer than its patience, be it to list or to close", async () => {
    vi.useFakeTimers();
    // Those of this engine are looked at: other files share the worker, and may leave timers of their own.
    const timers = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => {
      timers.mockRestore();
      vi.useRealTimers();
    });
    const never = (): Promise<never> => new Promise(() => undefined);
    const { engine } = await guarded({ list: never, close: never });
    const listing = engine.list();
    const closing = engine.close();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await listing).toMatchObject({ reason: "its engine has failed: it has not answered for 30 s" });
    await closing;
    // One for each, which have run out, and none after them.
    await vi.advanceTimersByTimeAsync(60_000);
    expect(timers.mock.calls.filter(([, milliseconds]) => milliseconds === 30_000)).toHaveLength(2);
  });

  it("is closed if that rejects, and reports nothing more", async () => {
    const { engine, reports } = await guarded({ close: () => Promise.reject(new Error("no")), end: broken });
    await engine.close();
    engine.end(id, 0);
    expect(reports).toEqual([]);
  });
});
