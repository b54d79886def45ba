import { access } from "node:fs/promises";
import { Readable } from "node:stream";

import { Type } from "typebox";

import { lastEvent, ownerOf, type EventView } from "../store/job-views.ts";
import { pauseView, poolViews } from "../service/farm-views.ts";
import { Refusal } from "../refusal.ts";
import { asJson, Raw, type Asked, type Route } from "./api.ts";
import { listOf, text } from "./schema-parts.ts";
import { json, ref } from "./answers.ts";
import { visible } from "./job-routes.ts";
import { BackupBody, EventsQuery, PauseBody, PoolParams } from "./farm-schemas.ts";
import type { ServiceHandle } from "./service-handle.ts";

const FOLLOW_SECONDS = 15;
const PAGE = 1000;

/** The backup that is being written: one at a time. */
let backingUp: string | null = null;

export const farmRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/v1/farm",
    summary: "tell what farm this is",
    role: "viewer",
    answers: json(ref("Farm")),
    handle: (_, farm) => farmView(farm),
  },
  {
    method: "POST",
    path: "/v1/farm/pause",
    summary: "let the whole farm start nothing, also after a restart; what runs runs on, or is suspended",
    role: "operator",
    body: PauseBody,
    answers: json(ref("Farm")),
    async handle({ identity, body }, farm) {
      await pause(null, body as PauseBody, identity.user, farm);
      return farmView(farm);
    },
  },
  {
    method: "POST",
    path: "/v1/farm/unpause",
    summary: "let the farm start jobs again; what was suspended with it goes on",
    role: "operator",
    answers: json(ref("Farm")),
    async handle({ identity }, farm) {
      await farm.service.loop.act((turn) => farm.service.pauses.unpause(turn, null, identity.user));
      return farmView(farm);
    },
  },
  {
    method: "POST",
    path: "/v1/pools/:pool/pause",
    summary: "let a pool start nothing, also after a restart; what runs runs on, or is suspended",
    role: "operator",
    params: PoolParams,
    body: PauseBody,
    answers: json(ref("Pool")),
    async handle({ identity, params, body }, farm) {
      const { pool } = params as PoolParams;
      await pause(pool, body as PauseBody, identity.user, farm);
      return poolViews(farm.service).find(({ name }) => name === pool);
    },
  },
  {
    method: "POST",
    path: "/v1/pools/:pool/unpause",
    summary: "let a pool start jobs again; what was suspended with it goes on",
    role: "operator",
    params: PoolParams,
    answers: json(ref("Pool")),
    async handle({ identity, params }, { service }) {
      const { pool } = params as PoolParams;
      await service.loop.act((turn) => service.pauses.unpause(turn, pool, identity.user));
      return poolViews(service).find(({ name }) => name === pool);
    },
  },
  {
    method: "GET",
    path: "/v1/whoami",
    summary: "tell who is asking",
    role: "viewer",
    answers: json(ref("Identity")),
    handle: ({ identity }) => identity,
  },
  {
    method: "GET",
    path: "/v1/pools",
    summary: "list the pools: their machines, what is free, who waits",
    role: "viewer",
    answers: json(listOf(ref("Pool"))),
    handle: (_, { service }) => poolViews(service),
  },
  {
    method: "GET",
    path: "/v1/shares",
    summary: "list the pools with fair share: what each project is due, has used, and uses now",
    role: "viewer",
    answers: json(listOf(ref("Shares"))),
    handle: (_, { service }) => service.shares(),
  },
  {
    method: "POST",
    path: "/v1/reload",
    summary: "read the farm's file again and go on by it; jobs run on",
    role: "admin",
    answers: json(
      Type.Object({
        changed: Type.Boolean({ description: "whether the farm is another one now" }),
        changes: listOf(Type.String(), "what the file says otherwise"),
      }),
    ),
    async handle(_, farm) {
      const changes = await farm.reload();
      return { changed: changes.length > 0, changes };
    },
  },
  {
    method: "POST",
    path: "/v1/backup",
    summary: "write a copy of the database to a file on the farm's machine, which must not be there yet",
    role: "admin",
    body: BackupBody,
    answers: json(Type.Object({ path: text() })),
    async handle({ body }, farm) {
      const { path } = body as BackupBody;
      if (backingUp !== null) throw new Refusal(409, `${backingUp} is being written: try again later`);
      backingUp = path;
      try {
        if (await isThere(path)) throw new Refusal(409, `${path} is there already: give another path`);
        await farm.backup(path);
      } catch (error) {
        if (error instanceof Refusal) throw error;
        throw new Refusal(422, `${path} cannot be written: ${(error as Error).message}`);
      } finally {
        backingUp = null;
      }
      return { path };
    },
  },
  {
    method: "GET",
    path: "/v1/events",
    summary: "tell what has happened, or follow it as server-sent events",
    role: "viewer",
    query: EventsQuery,
    answers: { ...json(listOf(ref("Event"))), "text/event-stream": text("with follow: an Event a message") },
    async handle(asked, farm) {
      const { after = 0, job = null, limit = PAGE, follow = false } = asked.query as EventsQuery;
      const user = asked.identity.role === "user" ? asked.identity.user : null;
      if (job !== null) visible(ownerOf(farm.database, String(job)), String(job), asked);
      if (!follow) return asJson(await farm.lists.do("events", { after, job, user, limit }));
      const from = asked.lastEvent ?? (asked.query as EventsQuery).after ?? lastEvent(farm.database);
      if (farm.followers.count >= MAX_FOLLOWERS) throw new Refusal(503, "too many follow already: try later");
      return new Raw("text/event-stream", Readable.from(followed(asked, farm, from, job, user)), {
        "cache-control": "no-store",
      });
    },
  },
];

async function farmView({ name, version, service, lists }: ServiceHandle) {
  return {
    name,
    version,
    jobs: service.books.jobs.size,
    pools: service.pools.map((pool) => pool.name),
    paused: pauseView(service.pauses.farm, true),
    ...(await lists.do("ranUnder", {})),
  };
}

function pause(
  pool: string | null,
  { reason = "", suspend = false }: PauseBody,
  actor: string,
  { service }: ServiceHandle,
): Promise<void> {
  return service.loop.act((turn) => service.pauses.pause(turn, pool, { actor, reason, suspends: suspend }));
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Others can still ask: see `MAX_CONNECTIONS`. */
const MAX_FOLLOWERS = 2000;

async function* followed(
  { gone, checkAgain }: Asked,
  { events: recent, followers, lists }: ServiceHandle,
  from: number,
  job: number | null,
  user: string | null,
): AsyncGenerator<string> {
  let after = from;
  // Where this begins, for a client that goes on after the connection has broken and has seen no event.
  yield `id: ${from}\n\n`;
  const find = (): EventView[] | "older" | null => {
    const found = recent.list({ after, job, user, limit: PAGE });
    if (found === null) return "older";
    if (found.length > 0) return found;
    // So that it is not looked through again.
    after = Math.max(after, recent.last);
    return null;
  };
  const older = async (): Promise<EventView[]> => {
    const upTo = recent.last;
    const bytes = await lists.do("events", { after, job, user, limit: PAGE });
    const events = JSON.parse(Buffer.from(bytes).toString()) as EventView[];
    if (events.length < PAGE) after = Math.max(after, upTo);
    return events;
  };
  while (!gone.aborted) {
    let events: EventView[] | null;
    try {
      const found = await followers.until(find, FOLLOW_SECONDS, gone);
      events = found === "older" ? await older() : found;
      checkAgain();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // The answer has begun, so it can only end.
      yield `: ${error.message}\n\n`;
      return;
    }
    // A comment line now and then, so that a broken connection is noticed.
    if (events === null) yield ": nothing new\n\n";
    else
      for (const event of events) {
        after = event.seq;
        yield `id: ${event.seq}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`;
      }
  }
}
