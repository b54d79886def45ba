import { describe, expect, it } from "vitest";

import type { Engine, Listing, Report, StartRequest, Unreachable } from "./engine.ts";
import { GuardedEngine } from "./guarded.ts";

const nothing: Listing = { kind: "listing", attempts: [], foreign: [] };
const id = { job: "00000000-0000-7000-8000-000000000000", attempt: 1 };

/** An engine that does what `faults` say, guarded, and what it reports. */
async function guarded(faults: Partial<Engine>, patienceSeconds?: number) {
  const reports: Report[] = [];
  const inner = {
    open: async () => undefined,
    list: async () => nothing,
    machines: () => [],
    close: async () => undefined,
    ...faults,
  };
  const engine = new GuardedEngine(inner as unknown as Engine, patienceSeconds);
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
    const never = (): Promise<never> => new Promise(() => undefined);
    const { engine } = await guarded({ list: never, close: never }, 0.01);
    const late = { reason: "its engine has failed: it has not answered for 0.01 s" };
    expect(await engine.list()).toMatchObject(late);
    await engine.close();
  });

  it("is closed if that rejects, and reports nothing more", async () => {
    const { engine, reports } = await guarded({ close: () => Promise.reject(new Error("no")), end: broken });
    await engine.close();
    engine.end(id, 0);
    expect(reports).toEqual([]);
  });
});
