/**
 * Faults that are planted in a service, to see that a trial finds them: `node --import plants.ts`, with the fault's name
 * in `CROFT_PLANT`. Nothing of the farm's own code is changed.
 */
import childProcess from "node:child_process";
import { IncomingMessage, ServerResponse } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { fileURLToPath } from "node:url";

/** By name: what is done to a service before it starts. */
const plants: Readonly<Record<string, () => void>> = {
  /** A job that is to wait twice for the same one is answered with 500. */
  "500-on-a-repeated-element": () =>
    changeAnswers((body) => /\{"job":(\d+)[^}]*\}[^\]]*\{"job":\1[,}]/.test(body)),
  /** Nothing keeps the process alive while it opens the farm. */
  "timers-that-keep-nothing-alive": () => {
    const set = globalThis.setInterval;
    globalThis.setInterval = ((...args: Parameters<typeof set>) => set(...args).unref()) as typeof set;
  },
  /** What is answered is not what the document says. */
  "a-field-of-another-name": () => {
    wrap(ServerResponse.prototype, "end", (_, args) => {
      if (typeof args[0] === "string") args[0] = args[0].replace('"state":', '"sorte":');
    });
  },
  /** The service stands still while a prolog or an epilog runs. */
  "a-hook-that-is-waited-for": () =>
    changeHooks(() => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HOOK_MILLISECONDS)),
  /** Nothing tells a later service that they are hooks. */
  "a-hook-without-a-mark": () => changeHooks((environment) => delete environment["CROFT_HOOK"]),
  /** A scheduler of pods takes those that are on nodes for ones that ask for nothing. */
  "pods-that-take-nothing": () =>
    changeParsed(({ spec }) => {
      if (spec?.nodeName !== undefined) spec.containers = [];
    }),
};

const HOOK_MILLISECONDS = 6000;

/** Changes prologs and epilogs before they are started. */
function changeHooks(change: (environment: NodeJS.ProcessEnv) => void): void {
  wrap(childProcess, "spawn", (_, args) => {
    const { env = {} } = args[2] as { env?: NodeJS.ProcessEnv };
    if ("CROFT_HOOK" in env) change(env);
  });
  syncBuiltinESMExports();
}

/** Answers 500 where a request's body is of a kind. */
function changeAnswers(isOfKind: (body: string) => boolean): void {
  const bodies = new WeakMap<IncomingMessage, string>();
  wrap(IncomingMessage.prototype, "push", (request, [chunk]) => {
    if (Buffer.isBuffer(chunk)) bodies.set(request, (bodies.get(request) ?? "") + chunk.toString());
  });
  wrap(ServerResponse.prototype, "writeHead", (response, args) => {
    if (isOfKind(bodies.get(response.req) ?? "")) args[0] = 500;
  });
}

interface Parsed {
  spec?: { nodeName?: string; containers?: unknown[] };
}

/** Changes what an API server tells: an object, an event's, or those of a list. */
function changeParsed(change: (object: Parsed) => void): void {
  const { parse } = JSON;
  JSON.parse = (...args) => {
    const value = parse(...args) as (Parsed & { object?: Parsed; items?: Parsed[] }) | null;
    if (value !== null && typeof value === "object")
      for (const each of [
        value,
        ...(value.object === undefined ? [] : [value.object]),
        ...(value.items ?? []),
      ])
        change(each);
    return value;
  };
}

/** Does something before each call of a method, and with its arguments. */
function wrap<Of extends object>(of: Of, name: keyof Of, before: (self: Of, args: unknown[]) => void): void {
  const method = of[name] as (...args: unknown[]) => unknown;
  of[name] = function (this: Of, ...args: unknown[]) {
    before(this, args);
    return method.apply(this, args);
  } as Of[typeof name];
}

/** The environment of a service with a fault. */
export function planted(plant: string | null): NodeJS.ProcessEnv {
  if (plant === null || !(plant in plants)) return process.env;
  return { ...process.env, CROFT_PLANT: plant, NODE_OPTIONS: `--import=${fileURLToPath(import.meta.url)}` };
}

plants[process.env["CROFT_PLANT"] ?? ""]?.();
