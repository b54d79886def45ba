import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { budgetAfter } from "./stand-in-evictions.fixture.ts";
import {
  keyOf,
  kinds,
  matcher,
  targetOf,
  type Kind,
  type Stored,
  type Target,
} from "./stand-in-paths.fixture.ts";

/** Serves the log of a container, as a kubelet does. */
export type LogSource = (name: string, isFollowed: boolean, response: ServerResponse) => void;

interface Change {
  readonly version: number;
  readonly kind: Kind;
  readonly before: Stored | null;
  /** Null: it was deleted. */
  readonly after: Stored | null;
}

interface WatchStream {
  readonly kind: Kind;
  readonly matches: (object: Stored) => boolean;
  readonly response: ServerResponse;
}

/**
 * A stand-in for an API server, over HTTP: nodes, pods, bindings, logs and watches, as a real one was seen to answer,
 * and with the faults that a real one has.
 */
export class StandInApiServer {
  /** Of the next requests: this many are answered with the status. */
  failing: { readonly status: number; left: number } = { status: 500, left: 0 };
  /** Lists are as they were at that version; null: as they are. */
  listsAsOf: number | null = null;
  /** Each event of a watch is told so often. */
  eventCopies = 1;
  /** What no role allows, as `calls` has it: such as `create pods/binding`. */
  readonly forbids = new Set<string>();
  /** Pods that are made are refused with 403 and these words; null: they are made. */
  refusesPods: string | null = null;
  /** Bindings are refused with the status; null: they are done. */
  refusesBindings: number | null = null;
  /** Bindings that have come wait until they are let go; null: they are done at once. */
  heldBindings: (() => void)[] | null = null;
  /** The names of the pods that evictions have ended. */
  readonly evicted: string[] = [];
  /** Evictions are refused with the status; null: as budgets say. */
  refusesEvictions: number | null = null;
  /** Lists of budgets wait until they are let go; null: they are answered at once. */
  holdsBudgets: (() => void)[] | null = null;
  /** It has budgets and evictions in the version before `policy/v1` alone, as until 1.20. */
  hasOldPolicy = false;
  /** Bindings are done, and their answers are lost. */
  losesAnswers = false;
  /** Watches are begun, and nothing is ever heard of them. */
  hasSilentWatches = false;
  /** Events of watches wait until they are let go. */
  private heldEvents: (() => void)[] | null = null;
  /** What was asked for: method, path without names, in the order of first use. */
  readonly calls = new Set<string>();
  version = 100;
  log: LogSource = (_name, _isFollowed, response) => void response.end();
  private readonly objects: Record<Kind, Map<string, Stored>> = Object.fromEntries(
    kinds.map((kind) => [kind, new Map<string, Stored>()]),
  ) as Record<Kind, Map<string, Stored>>;
  private history: Change[] = [];
  /** Changes up to this version are not known any more. */
  private compacted = 100;
  private readonly watches = new Set<WatchStream>();
  private closeServer: (() => Promise<void>) | null = null;
  private port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => void this.answer(request, response));
    await new Promise<void>((resolve) => server.listen(this.port, "127.0.0.1", resolve));
    this.port = (server.address() as AddressInfo).port;
    this.closeServer = async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    };
  }

  async stop(): Promise<void> {
    const close = this.closeServer;
    this.closeServer = null;
    this.watches.clear();
    await close?.();
  }

  cutWatches(): void {
    for (const { response } of this.watches) response.destroy();
    this.watches.clear();
  }

  /** Forgets what has changed, as etcd does after minutes: a watch from before is answered with 410. */
  compact(): void {
    this.history = [];
    this.compacted = this.version;
    this.cutWatches();
  }

  /** An administrator's or a controller's hand: changes an object, makes it, or removes it. */
  set(
    kind: Kind,
    object: Omit<Stored, "metadata"> & {
      readonly metadata: Partial<Stored["metadata"]> & { readonly name: string };
    },
  ): Stored {
    const { namespace = null, name } = object.metadata;
    const key = keyOf({ namespace, name });
    const before = this.objects[kind].get(key);
    const metadata = { uid: before?.metadata.uid ?? randomUUID(), ...object.metadata } as Stored["metadata"];
    return this.put(kind, key, { ...object, metadata });
  }

  unset(kind: Kind, namespace: string | null, name: string): void {
    const key = keyOf({ namespace, name });
    const object = this.objects[kind].get(key);
    if (object !== undefined) this.remove(kind, key, object);
  }

  all(kind: Kind): Stored[] {
    return [...this.objects[kind].values()];
  }

  holdEvents(): void {
    this.heldEvents ??= [];
  }

  letBindingsGo(): void {
    const held = this.heldBindings ?? [];
    this.heldBindings = null;
    for (const bind of held) bind();
  }

  letBudgetsGo(): void {
    const held = this.holdsBudgets ?? [];
    this.holdsBudgets = null;
    for (const answer of held) answer();
  }

  letEventsGo(): void {
    const held = this.heldEvents ?? [];
    this.heldEvents = null;
    for (const tell of held) tell();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", this.url);
    const target = targetOf(url.pathname);
    if (this.failing.left > 0) {
      this.failing.left--;
      return fail(response, this.failing.status, "Fault", "a fault of the test");
    }
    const call = callOf(request.method ?? "", target, url.searchParams.has("watch"));
    this.calls.add(call);
    if (target !== null && this.forbids.has(call)) {
      const [verb, resource] = call.split(" ");
      const message = `${target.kind} is forbidden: User "croft" cannot ${verb} resource "${resource}" in API group ""`;
      return fail(response, 403, "Forbidden", message);
    }
    const isOfOtherVersion =
      target?.group === "policy" && url.pathname.startsWith("/apis/policy/v1/") === this.hasOldPolicy;
    if (target === null || isOfOtherVersion)
      return fail(response, 404, "NotFound", `nothing is at ${url.pathname}`);
    let text = "";
    for await (const piece of request) text += String(piece);
    const body = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
    const { kind, name, part } = target;
    if (kind === "poddisruptionbudgets" && this.holdsBudgets !== null)
      await new Promise<void>((resolve) => this.holdsBudgets!.push(resolve));
    if (request.method === "GET" && name === null)
      return url.searchParams.has("watch")
        ? this.watch(target, url.searchParams, response)
        : this.list(target, url.searchParams, response);
    if (request.method === "POST" && name === null) return this.create(target, body, response);
    const key = keyOf(target);
    const object = this.objects[kind].get(key);
    if (object === undefined) return fail(response, 404, "NotFound", `${kind} "${name}" not found`);
    if (part === "log") return this.log(name!, url.searchParams.get("follow") === "true", response);
    if (part === "binding") {
      const bind = (): void => this.bind(key, this.objects[kind].get(key) ?? object, body, response);
      return this.heldBindings === null ? bind() : void this.heldBindings.push(bind);
    }
    if (part === "eviction") return this.evict(object, body, response);
    if (request.method === "GET") return send(response, 200, object);
    if (request.method === "PATCH") return this.patchStatus(kind, key, object, body, response);
    if (request.method === "PUT" && kind === "leases") return this.replace(kind, key, object, body, response);
    if (request.method === "PUT") return this.putStatus(kind, key, object, body, response);
    if (request.method === "DELETE") return this.delete(kind, key, object, body, response);
    fail(response, 405, "MethodNotAllowed", "it cannot be done here");
  }

  private create(target: Target, body: Record<string, unknown>, response: ServerResponse): void {
    const given = body as unknown as Stored;
    if (target.kind === "pods" && this.refusesPods !== null)
      return fail(
        response,
        403,
        "Forbidden",
        `pods "${given.metadata.name}" is forbidden: ${this.refusesPods}`,
      );
    const key = keyOf({ ...target, name: given.metadata.name });
    if (this.objects[target.kind].has(key))
      return fail(response, 409, "AlreadyExists", `${target.kind} "${given.metadata.name}" already exists`);
    const metadata = {
      ...given.metadata,
      ...(target.namespace === null ? {} : { namespace: target.namespace }),
      uid: randomUUID(),
    };
    const status = target.kind === "pods" ? { phase: "Pending" } : given.status;
    const created = this.put(target.kind, key, {
      ...given,
      metadata,
      ...(status === undefined ? {} : { status }),
    });
    send(response, 201, created);
  }

  private bind(key: string, pod: Stored, body: Record<string, unknown>, response: ServerResponse): void {
    const { metadata, target } = body as {
      metadata?: { uid?: string };
      target: { name: string };
    };
    if (metadata?.uid !== undefined && metadata.uid !== pod.metadata.uid)
      return fail(response, 409, "Conflict", "Precondition failed: UID in precondition");
    if (pod.metadata.deletionTimestamp !== undefined)
      return fail(response, 409, "Conflict", "pod is being deleted, cannot be assigned to a host");
    if (pod.spec?.nodeName !== undefined)
      return fail(response, 409, "Conflict", `pod is already assigned to node "${pod.spec.nodeName}"`);
    if (this.refusesBindings !== null)
      return fail(response, this.refusesBindings, "Fault", "a fault of the test");
    this.put("pods", key, { ...pod, spec: { ...pod.spec, nodeName: target.name } });
    if (this.losesAnswers) return void response.destroy();
    send(response, 201, { kind: "Status", status: "Success", metadata: {} });
  }

  private evict(pod: Stored, body: Record<string, unknown>, response: ServerResponse): void {
    const { apiVersion, deleteOptions = {} } = body as { apiVersion: string; deleteOptions?: object };
    if (apiVersion !== (this.hasOldPolicy ? "policy/v1beta1" : "policy/v1"))
      return fail(
        response,
        400,
        "BadRequest",
        `no kind "Eviction" is registered for version "${apiVersion}"`,
      );
    if (this.refusesEvictions !== null)
      return fail(response, this.refusesEvictions, "Fault", "a fault of the test");
    const after = budgetAfter(pod, this.all("poddisruptionbudgets"));
    if ("refusal" in after)
      return fail(response, after.refusal.status, after.refusal.reason, after.refusal.message);
    if (after.budget !== null) this.set("poddisruptionbudgets", after.budget);
    if (pod.metadata.deletionTimestamp === undefined) this.evicted.push(pod.metadata.name);
    this.delete("pods", keyOf(pod), pod, deleteOptions as Record<string, unknown>, response);
  }

  private replace(
    kind: Kind,
    key: string,
    object: Stored,
    body: Record<string, unknown>,
    response: ServerResponse,
  ): void {
    const given = body as unknown as Stored;
    if (given.metadata.resourceVersion !== object.metadata.resourceVersion)
      return fail(response, 409, "Conflict", "the object has been modified");
    send(
      response,
      200,
      this.put(kind, key, { ...given, metadata: { ...object.metadata, ...given.metadata } }),
    );
  }

  /** Conditions are merged by their type. */
  private patchStatus(
    kind: Kind,
    key: string,
    object: Stored,
    body: Record<string, unknown>,
    response: ServerResponse,
  ): void {
    const { metadata, status } = body as unknown as Stored;
    if (metadata.uid !== undefined && metadata.uid !== object.metadata.uid)
      return fail(response, 409, "Conflict", "Precondition failed: UID in precondition");
    const given = status?.conditions ?? [];
    const kept = (object.status?.conditions ?? []).filter(
      ({ type }) => !given.some((each) => each.type === type),
    );
    const merged = { ...object.status, ...status, conditions: [...kept, ...given] };
    // Null takes a field away.
    const present = Object.entries(merged).filter(([, value]) => value !== null);
    const next = Object.fromEntries(present) as Stored["status"];
    send(response, 200, this.put(kind, key, { ...object, ...(next === undefined ? {} : { status: next }) }));
  }

  private putStatus(
    kind: Kind,
    key: string,
    object: Stored,
    body: Record<string, unknown>,
    response: ServerResponse,
  ): void {
    const { metadata, status } = body as unknown as Stored;
    if (metadata.uid !== undefined && metadata.uid !== object.metadata.uid)
      return fail(response, 409, "Conflict", "Precondition failed: UID in precondition");
    send(response, 200, this.put(kind, key, { ...object, ...(status === undefined ? {} : { status }) }));
  }

  private delete(
    kind: Kind,
    key: string,
    object: Stored,
    body: Record<string, unknown>,
    response: ServerResponse,
  ): void {
    const { gracePeriodSeconds = 30, preconditions } = body as {
      gracePeriodSeconds?: number;
      preconditions?: { uid?: string };
    };
    if (preconditions?.uid !== undefined && preconditions.uid !== object.metadata.uid)
      return fail(response, 409, "Conflict", "Precondition failed: UID in precondition");
    const isOver = ["Succeeded", "Failed"].includes(object.status?.phase ?? "");
    const isAtOnce =
      kind === "nodes" || gracePeriodSeconds === 0 || object.spec?.nodeName === undefined || isOver;
    if (isAtOnce) this.remove(kind, key, object);
    else {
      const deletionTimestamp = new Date(Date.now() + gracePeriodSeconds * 1000).toISOString();
      this.put(kind, key, { ...object, metadata: { ...object.metadata, deletionTimestamp } });
    }
    if (this.losesAnswers) return void response.destroy();
    send(response, 200, object);
  }

  private list(target: Target, query: URLSearchParams, response: ServerResponse): void {
    const matches = matcher(target, query);
    const limit = Number(query.get("limit") ?? Infinity);
    const from = Number(query.get("continue") ?? 0);
    const { objects, version } = this.asOf(target.kind, this.listsAsOf);
    const all = objects.filter(matches);
    const items = all.slice(from, from + limit);
    const rest = from + items.length < all.length ? { continue: String(from + items.length) } : {};
    send(response, 200, { items, metadata: { resourceVersion: String(version), ...rest } });
  }

  private asOf(kind: Kind, version: number | null): { objects: Stored[]; version: number } {
    if (version === null) return { objects: [...this.objects[kind].values()], version: this.version };
    const objects = new Map(this.objects[kind]);
    for (const change of this.history.toReversed()) {
      if (change.version <= version || change.kind !== kind) continue;
      const key = keyOf(change.after ?? change.before!);
      if (change.before === null) objects.delete(key);
      else objects.set(key, change.before);
    }
    return { objects: [...objects.values()], version };
  }

  private watch(target: Target, query: URLSearchParams, response: ServerResponse): void {
    const from = Number(query.get("resourceVersion"));
    response.writeHead(200, { "content-type": "application/json" });
    response.flushHeaders();
    if (this.hasSilentWatches) return;
    if (from < this.compacted) {
      const object = {
        kind: "Status",
        code: 410,
        reason: "Expired",
        message: "too old resource version",
        metadata: {},
      };
      response.end(`${JSON.stringify({ type: "ERROR", object })}\n`);
      return;
    }
    const stream: WatchStream = { kind: target.kind, matches: matcher(target, query), response };
    for (const change of this.history) if (change.version > from) this.tell(stream, change);
    this.watches.add(stream);
    response.on("close", () => this.watches.delete(stream));
  }

  private tell({ kind, matches, response }: WatchStream, change: Change): void {
    if (change.kind !== kind) return;
    const wasSeen = change.before !== null && matches(change.before);
    const isSeen = change.after !== null && matches(change.after);
    if (!wasSeen && !isSeen) return;
    const type = !isSeen ? "DELETED" : wasSeen ? "MODIFIED" : "ADDED";
    // The last state of a deleted object has the version of its deletion.
    const last = change.after ?? change.before!;
    const object = { ...last, metadata: { ...last.metadata, resourceVersion: String(change.version) } };
    for (let copy = 0; copy < this.eventCopies; copy++)
      response.write(`${JSON.stringify({ type, object })}\n`);
  }

  private put(kind: Kind, key: string, object: Stored): Stored {
    const version = ++this.version;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
    const before = this.objects[kind].get(key) ?? null;
    this.objects[kind].set(key, stored);
    this.changed({ version, kind, before, after: stored });
    return stored;
  }

  private remove(kind: Kind, key: string, object: Stored): void {
    this.objects[kind].delete(key);
    this.changed({ version: ++this.version, kind, before: object, after: null });
  }

  private changed(change: Change): void {
    this.history.push(change);
    for (const stream of this.watches) {
      const tell = (): void => this.tell(stream, change);
      if (this.heldEvents === null) tell();
      else this.heldEvents.push(tell);
    }
  }
}

/** As rights name it: a verb and a resource. */
function callOf(method: string, target: Target | null, isWatch: boolean): string {
  if (target === null) return "unknown";
  const { group, kind, name, part } = target;
  const reading = name === null ? (isWatch ? "watch" : "list") : "get";
  const verbs: Record<string, string> = { POST: "create", PUT: "update", PATCH: "patch", DELETE: "delete" };
  return `${verbs[method] ?? reading} ${group === "" ? "" : `${group}/`}${kind}${part === null ? "" : `/${part}`}`;
}

function send(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

function fail(response: ServerResponse, code: number, reason: string, message: string): void {
  send(response, code, { kind: "Status", status: "Failure", code, reason, message, metadata: {} });
}
