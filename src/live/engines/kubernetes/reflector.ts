import type { Clock } from "../system/clock.ts";
import { isPassing, type ApiFailure, type Connection, type Query } from "./connection.ts";
import { isOlder, type ApiObject } from "./objects.ts";

/** What a reflector tells, in the order in which it learns it. */
export interface ReflectorEvents<Kind extends ApiObject> {
  changed(object: Kind): void;
  /**
   * @param isFinal whether it is the object's last state, as the API told it. If not, it is missing in a list, and what
   *   became of it was not seen.
   */
  gone(object: Kind, isFinal: boolean): void;
  /** A whole list has been taken, and all of it told. */
  synced(): void;
  failed(reason: string): void;
  recovered(): void;
}

interface ReflectorPlace<Kind extends ApiObject> {
  readonly connection: Connection;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly path: string;
  readonly query: Query;
  /** What of an object is kept in memory: a cluster has tens of thousands. */
  readonly kept: (object: Kind) => Kind;
}

const PAGE_OBJECTS = 500;
/** How long the server is asked to keep a watch: up to twice that. */
const WATCH_SECONDS = 240;
/** The server sends a bookmark every minute, so silence is a dead connection. */
const SILENCE_SECONDS = 100;
/** A list that nothing has asked for finds what a watch has missed: after up to twice that. */
const RELIST_SECONDS = 1200;
const BACKOFF_SECONDS = { first: 0.25, longest: 15 };
/** Where no server answers: to ask costs nobody anything, and what is deleted before the next list is not seen to end. */
const LONGEST_AWAY_SECONDS = 4;
/** How long it may fail until it is said. */
const NEWS_SECONDS = 5;
/** A server behind others may answer with an old list. One whose etcd was restored does so again and again. */
const STALE_LISTS = 3;

/**
 * Keeps a copy of a collection of the API: a list in pages, then a watch, again and again. An object is the one with its
 * UID: another one of the same name is a new one.
 */
export class Reflector<Kind extends ApiObject> {
  /** By namespace and name. */
  readonly objects = new Map<string, Kind>();
  hasSynced = false;
  private readonly place: ReflectorPlace<Kind>;
  private readonly events: ReflectorEvents<Kind>;
  /** Of the last event or list; null: a list is due. */
  private version: string | null = null;
  /** The newest that was ever seen. */
  private newest = "0";
  private staleLists = 0;
  private relistAt = 0;
  /** One after another. */
  private failures = 0;
  private failsSince = 0;
  private isFailing = false;
  private stop: () => void = () => undefined;
  private isClosed = false;

  constructor(place: ReflectorPlace<Kind>, events: ReflectorEvents<Kind>) {
    this.place = place;
    this.events = events;
  }

  open(): void {
    void this.step();
  }

  close(): void {
    this.isClosed = true;
    this.stop();
  }

  /** Lists or watches, whichever is due. */
  private async step(): Promise<void> {
    if (this.isClosed) return;
    try {
      if (this.version === null) await this.list();
      else this.watch(this.version);
    } catch (error) {
      // An object that is not as the API has them must not end the process: it is asked for again.
      this.version = null;
      this.retry(passing(`the API server's answer cannot be read: ${String(error)}`));
    }
  }

  private async list(): Promise<void> {
    const { connection, path, query, clock, random } = this.place;
    const found = new Map<string, Kind>();
    let token = "";
    let version = "";
    do {
      const page = await connection.call({
        method: "GET",
        path,
        query: { ...query, limit: PAGE_OBJECTS, ...(token === "" ? {} : { continue: token }) },
      });
      if (this.isClosed) return;
      if (!page.ok) return this.retry(page);
      const { items, metadata } = page.value as {
        items?: readonly Kind[];
        metadata?: { resourceVersion?: string; continue?: string };
      };
      for (const object of items ?? []) {
        if (!isObject(object)) return this.retry(passing(NO_OBJECT));
        found.set(keyOf(object), object);
      }
      version = metadata?.resourceVersion ?? "";
      token = metadata?.continue ?? "";
    } while (token !== "");
    if (isOlder(version, this.newest) && ++this.staleLists < STALE_LISTS)
      return this.retry(passing("the API server has answered with an old list"));
    this.staleLists = 0;
    this.newest = version;
    this.version = version;
    this.relistAt = clock.monotonicSeconds() + RELIST_SECONDS * (1 + random());
    for (const [key, object] of this.objects)
      if (found.get(key)?.metadata.uid !== object.metadata.uid) this.remove(object, false);
    for (const object of found.values()) this.put(object);
    this.succeeded();
    this.hasSynced = true;
    this.events.synced();
    await this.step();
  }

  private watch(version: string): void {
    const { connection, path, query, clock, random } = this.place;
    const left = Math.max(1, this.relistAt - clock.monotonicSeconds());
    const timeoutSeconds = Math.ceil(Math.min(left, WATCH_SECONDS * (1 + random())));
    let cancelSilence: () => void = () => undefined;
    let isOver = false;
    const over = (failure: ApiFailure | null): void => {
      if (isOver || this.isClosed) return;
      isOver = true;
      cancelSilence();
      if (clock.monotonicSeconds() >= this.relistAt) this.version = null;
      if (failure !== null) this.retry(failure);
      // A server that ends each watch at once must not be asked without a pause.
      else this.stop = clock.after(BACKOFF_SECONDS.first * random(), () => void this.step());
    };
    const listen = (): void => {
      cancelSilence();
      cancelSilence = clock.after(SILENCE_SECONDS, () => {
        stopStream();
        // Whatever keeps it silent may keep the next watch silent too: a list tells what was missed.
        this.version = null;
        over(passing(`nothing was heard of the API server for ${SILENCE_SECONDS} s`));
      });
    };
    const lines = new Lines((line) => {
      if (isOver) return;
      const failure = this.take(line);
      if (failure === null) return;
      stopStream();
      over(failure);
    });
    const stopStream = connection.follow(
      path,
      {
        ...query,
        watch: true,
        allowWatchBookmarks: true,
        resourceVersion: version,
        timeoutSeconds,
      },
      () => this.succeeded(),
      (bytes) => {
        if (isOver) return;
        listen();
        lines.add(bytes);
      },
      over,
    );
    this.stop = () => {
      cancelSilence();
      stopStream();
    };
    if (!isOver) listen();
  }

  /** One line of a watch. Returns why the watch cannot go on; null: it can. */
  private take(line: string): ApiFailure | null {
    let event: { type?: string; object?: Kind | Status } | null;
    try {
      event = JSON.parse(line) as typeof event;
    } catch {
      return passing("a line of a watch is no JSON");
    }
    const { type, object } = event ?? {};
    if (type === "ERROR") {
      const { code = 500, reason = "", message = "a watch has failed" } = (object ?? {}) as Status;
      return { ok: false, status: code, reason, message, retryAfterSeconds: null };
    }
    if (type === "BOOKMARK" ? object?.metadata == null : !isObject(object)) return passing(NO_OBJECT);
    return this.takeEvent(type, object as Kind);
  }

  private takeEvent(type: string | undefined, object: Kind): null {
    const version = object.metadata.resourceVersion;
    if (type === "DELETED") {
      const known = this.objects.get(keyOf(object));
      // Its version may be older than the one that was listed, if it is told again.
      if (known?.metadata.uid === object.metadata.uid && !isOlder(version, known.metadata.resourceVersion))
        this.remove(object, true);
    } else if (type !== "BOOKMARK") this.put(object);
    if (!isOlder(version, this.newest)) this.newest = this.version = version;
    return null;
  }

  private put(object: Kind): void {
    const key = keyOf(object);
    const known = this.objects.get(key);
    const { uid, resourceVersion } = object.metadata;
    if (known !== undefined) {
      if (resourceVersion === known.metadata.resourceVersion) return;
      if (isOlder(resourceVersion, known.metadata.resourceVersion)) return;
      if (known.metadata.uid !== uid) this.remove(known, false);
    }
    this.objects.set(key, this.place.kept(object));
    this.events.changed(object);
  }

  private remove(object: Kind, isFinal: boolean): void {
    this.objects.delete(keyOf(object));
    this.events.gone(object, isFinal);
  }

  private succeeded(): void {
    if (this.isFailing) this.events.recovered();
    this.isFailing = false;
    this.failures = 0;
  }

  private retry(failure: ApiFailure): void {
    const { clock, random } = this.place;
    // What is asked for from 410 on is gone: only a list goes on from there.
    if (failure.status === 410) this.version = null;
    const now = clock.monotonicSeconds();
    if (this.failures++ === 0) this.failsSince = now;
    // A server that is busy for a moment is no news, once there has been a list.
    if (!this.hasSynced || now >= this.failsSince + NEWS_SECONDS) {
      this.isFailing = true;
      this.events.failed(failure.message);
    }
    // It is not the version that is refused, but a list tells for sure.
    if (!isPassing(failure)) this.version = null;
    const longest = failure.status === null ? LONGEST_AWAY_SECONDS : BACKOFF_SECONDS.longest;
    const backoff = Math.min(longest, BACKOFF_SECONDS.first * 2 ** (this.failures - 1));
    const pause = Math.max(failure.retryAfterSeconds ?? 0, backoff * (0.5 + random()));
    this.stop = clock.after(Math.min(pause, 60), () => void this.step());
  }
}

/** What the API says of a failure. */
interface Status {
  readonly metadata?: object;
  readonly code?: number;
  readonly message?: string;
  readonly reason?: string;
}

const NO_OBJECT = "the API server has sent what is no object";

/** Whether something has what names an object: a proxy in between, or a broken server, may send anything. */
function isObject(value: unknown): value is ApiObject {
  const { metadata } = (value ?? {}) as { metadata?: Partial<ApiObject["metadata"]> | null };
  return typeof metadata?.name === "string";
}

export function keyOf({ metadata: { namespace, name } }: ApiObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

function passing(message: string): ApiFailure {
  return { ok: false, status: null, reason: "", message, retryAfterSeconds: null };
}

/** More than any object of the API takes: etcd holds none above 1.5 MiB. */
const LINE_LIMIT_CHARACTERS = 16 * 1024 * 1024;

/** Puts the lines of a stream together. */
class Lines {
  private readonly decoder = new TextDecoder();
  private readonly tell: (line: string) => void;
  private rest = "";

  constructor(tell: (line: string) => void) {
    this.tell = tell;
  }

  add(bytes: Uint8Array): void {
    const lines = (this.rest + this.decoder.decode(bytes, { stream: true })).split("\n");
    this.rest = lines.pop()!;
    for (const line of lines) if (line.trim() !== "") this.tell(line);
    if (this.rest.length > LINE_LIMIT_CHARACTERS) {
      this.rest = "";
      this.tell("too long");
    }
  }
}
