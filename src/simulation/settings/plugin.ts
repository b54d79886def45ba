import { existsSync } from "node:fs";
import { registerHooks } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import {
  findHeuristic,
  heuristics,
  matching,
  policies,
  routings,
  strategies,
  type Heuristic,
  type PolicyKind,
  type Routing,
  type Strategy,
} from "../../core/index.ts";
import { InputError } from "../../workload/index.ts";
import { checkedRouting, checkedStrategy } from "./checked-choices.ts";
import { checkedHeuristic, checkedPolicy } from "./checked-policy.ts";
import { nodePoliciesOf } from "./node-policies.ts";

/** What a module of one's own adds to the registries: its default export. */
export interface Plugin {
  readonly heuristics?: readonly Heuristic[];
  readonly policies?: readonly PolicyKind[];
  readonly routings?: readonly Routing[];
  readonly strategies?: readonly Strategy[];
}

const kinds = ["heuristics", "policies", "routings", "strategies"] as const;
type Kind = (typeof kinds)[number];

/** What plugins have added in this thread. */
const added = {
  heuristics: [] as Heuristic[],
  policies: [] as PolicyKind[],
  routings: [] as Routing[],
  strategies: [] as Strategy[],
};
const loaded = new Set<string>();
/** The files that Node.js read for each module, by its URL: its own, and those that it imports. */
const filesRead = new Map<string, readonly string[]>();

/** The registries and what plugins have added, in that order. */
export const registry = {
  get heuristics(): readonly Heuristic[] {
    return [...heuristics, ...added.heuristics];
  },
  get policies(): readonly PolicyKind[] {
    return [...policies, ...added.heuristics.map(matching), ...added.policies];
  },
  get routings(): readonly Routing[] {
    return [...routings, ...added.routings];
  },
  get strategies(): readonly Strategy[] {
    return [...strategies, ...added.strategies];
  },
};

/**
 * Loads a module and adds what it exports to the registries of this thread; once, however often it is asked to.
 *
 * @throws InputError where the file cannot be loaded, or what it exports is not what a plugin is
 */
export async function loadPlugin(file: string): Promise<Plugin> {
  if (!existsSync(file)) throw new InputError("there is no such file", { file });
  try {
    const { default: plugin } = await importAsModule(urlOf(file));
    checkPlugin(plugin, file);
    if (!loaded.has(resolve(file))) addPlugin(plugin, file);
    loaded.add(resolve(file));
    return plugin;
  } catch (error) {
    if (error instanceof InputError) throw error;
    const problem = error instanceof Error ? error.message : String(error);
    const hint =
      error instanceof SyntaxError && /\.(js|c[jt]s)$/.test(file)
        ? "; a module is named .mjs or .ts, and CommonJS has module.exports = { … }"
        : "";
    throw new InputError(`cannot be loaded: ${problem}${hint}`, placeIn(file, error) ?? { file });
  }
}

/**
 * Imports a module, and takes its TypeScript and that which it imports for modules whatever `package.json` says: Node.js
 * goes by the nearest one, which for a plugin is that of any project it happens to be kept in.
 */
async function importAsModule(url: string): Promise<{ readonly default?: unknown }> {
  const files = new Set([fileURLToPath(url)]);
  const hooks = registerHooks({
    load: (each, context, next) => {
      if (each.startsWith("file:")) files.add(fileURLToPath(each));
      return next(each, /^file:.*\.ts$/.test(each) ? { ...context, format: "module-typescript" } : context);
    },
  });
  try {
    const module = (await import(url)) as { readonly default?: unknown };
    if (!filesRead.has(url)) filesRead.set(url, [...files]);
    return module;
  } finally {
    hooks.deregister();
  }
}

/** The files that a loaded plugin is made of: its own, and those that it imports. */
export function filesOfPlugin(file: string): readonly string[] {
  return filesRead.get(urlOf(file)) ?? [];
}

/** An error that a plugin's function has thrown, with its line, or has led to; null if it was not the plugin. */
export function errorOfPlugin(file: string, error: unknown): InputError | null {
  if (error instanceof Stall) return new InputError(error.message, { file });
  if (!(error instanceof Error))
    return new InputError(`the plugin throws ${String(error)}: throw an Error`, { file });
  const place = placeIn(file, error);
  return place === null ? null : new InputError(`the plugin fails: ${error.message}`, place);
}

/** Where an error has passed through a file first. */
function placeIn(file: string, error: unknown): { file: string; line: number; column: number } | null {
  if (!(error instanceof Error)) return null;
  const [, after] = (error.stack ?? "").split(`${urlOf(file)}:`);
  const [, line, column] = /^(\d+):(\d+)/.exec(after ?? "") ?? [];
  return line === undefined ? null : { file, line: Number(line), column: Number(column) };
}

function urlOf(file: string): string {
  return pathToFileURL(resolve(file)).href;
}

/** Whether something is meant by a name already where one of this kind is named. */
function isTaken(kind: Kind, name: string): boolean {
  if (name === "all") return true;
  if (kind === "routings" || kind === "strategies") return registry[kind].some((each) => each.name === name);
  return (
    registry.policies.some((each) => each.name === name) ||
    findHeuristic(name) !== undefined ||
    nodePoliciesOf(name) !== undefined
  );
}

function addPlugin(plugin: Plugin, file: string): void {
  const own = new Set<string>();
  for (const kind of kinds)
    for (const { name } of plugin[kind] ?? []) {
      // Heuristics and policies are named in the same places.
      const key = kind === "routings" || kind === "strategies" ? `${kind} ${name}` : name;
      if (own.has(key) || isTaken(kind, name))
        throw new InputError(`${kind}: the name "${name}" is taken already; choose another`, { file });
      own.add(key);
    }
  added.heuristics.push(...(plugin.heuristics ?? []).map((each) => checkedHeuristic(each, file)));
  added.policies.push(...(plugin.policies ?? []).map((each) => checkedPolicy(each, file)));
  added.routings.push(...(plugin.routings ?? []).map((each) => checkedRouting(each, file)));
  added.strategies.push(...(plugin.strategies ?? []).map((each) => checkedStrategy(each, file)));
}

type Fields = Readonly<Record<string, "string" | "boolean" | "function">>;

/** What each kind must have. */
const fieldsOf: Readonly<Record<Kind, Fields>> = {
  heuristics: {
    name: "string",
    summary: "string",
    needsMemory: "boolean",
    keepsChoice: "boolean",
    score: "function",
  },
  policies: {
    name: "string",
    summary: "string",
    takesHeuristic: "boolean",
    needsEstimates: "boolean",
    needsMemory: "boolean",
    reactsToEvents: "boolean",
    create: "function",
  },
  routings: { name: "string", summary: "string", choose: "function" },
  strategies: { name: "string", summary: "string" },
};

const moveFields: Fields = { choose: "function", startsTimerAnew: "boolean", isCommon: "boolean" };

function checkPlugin(plugin: unknown, file: string): asserts plugin is Plugin {
  if (!isObject(plugin))
    throw new InputError(
      `a plugin's default export is an object with lists: ${kinds.join(", ")}; this is ${nameOfKind(plugin)}`,
      { file },
    );
  const other = Object.keys(plugin).find((key) => !(kinds as readonly string[]).includes(key));
  if (other !== undefined) {
    const hint =
      other === "default" || other === "__esModule" ? "; in CommonJS write module.exports = { … }" : "";
    throw new InputError(`"${other}" is nothing that a plugin exports: ${kinds.join(", ")}${hint}`, { file });
  }
  for (const kind of kinds) {
    const list = plugin[kind];
    if (list === undefined) continue;
    if (!Array.isArray(list))
      throw new InputError(`${kind} is ${nameOfKind(list)}, and must be a list`, { file });
    list.forEach((entry: unknown, i) => checkEntry(kind, entry, `${kind}[${i}]`, file));
  }
  if (kinds.every((kind) => ((plugin[kind] as readonly unknown[] | undefined) ?? []).length === 0))
    throw new InputError(`exports nothing: give at least one of ${kinds.join(", ")}`, { file });
}

function checkEntry(kind: Kind, entry: unknown, where: string, file: string): void {
  checkFields(entry, fieldsOf[kind], where, file);
  const { name } = entry as { name: string };
  if (!/^[a-z][\w.-]*$/i.test(name))
    throw new InputError(
      `${where}.name is "${name}": a name begins with a letter and has letters, digits, ".", "-" and "_"`,
      { file },
    );
  if (kind === "heuristics" && (entry as Heuristic).aliases !== undefined)
    throw new InputError(`${where}.aliases: a plugin's heuristic goes by its name only`, { file });
  if (kind !== "strategies") return;
  for (const when of ["onSuspension", "onLongWait"] as const) {
    const move = (entry as Record<string, unknown>)[when];
    if (move === undefined)
      throw new InputError(`${where}.${when} is missing: give null if no job is moved then`, { file });
    if (move === null) continue;
    checkFields(move, moveFields, `${where}.${when}`, file);
    const { how } = move as { how?: unknown };
    if (how !== "restart" && how !== "duplicate")
      throw new InputError(`${where}.${when}.how must be "restart" or "duplicate"`, { file });
  }
}

function checkFields(entry: unknown, fields: Fields, where: string, file: string): void {
  if (!isObject(entry))
    throw new InputError(`${where} is ${nameOfKind(entry)}, and must be an object`, { file });
  for (const [field, type] of Object.entries(fields)) {
    const value = entry[field];
    if (typeof value === type) continue;
    const problem = value === undefined ? "is missing" : `is ${nameOfKind(value)}`;
    throw new InputError(`${where}.${field} ${problem}: it must be a ${type}`, { file });
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function nameOfKind(value: unknown): string {
  return value === null
    ? "null"
    : Array.isArray(value)
      ? "a list"
      : value === undefined
        ? "missing"
        : `${typeof value === "object" ? "an" : "a"} ${typeof value}`;
}

/** A run that cannot go on: jobs wait, and nothing will happen any more that could start them. */
export class Stall extends Error {
  override readonly name = "Stall";
}
