import { dirname, join } from "node:path";

import { pino } from "pino";

import { InputError, makeFolder, type Farm } from "../workload/index.ts";
import { ownUser } from "../workload/own-user.ts";
import { socketDoor, tokenDoor, tokenStands } from "./api/authentication.ts";
import { Metrics } from "./api/metrics.ts";
import { makeServer, type Tls } from "./api/server.ts";
import type { ServiceHandle } from "./api/service-handle.ts";
import { SentFiles } from "./service/sent-files.ts";
import { UserSockets, type Member } from "./api/user-sockets.ts";
import { keepSocket, listenOnPort, listenOnSocket } from "./api/listening.ts";
import { strangerInFolder } from "./client/strangers.ts";
import { crashAt } from "./crash-at.ts";
import { systemClock } from "./engines/system/clock.ts";
import { systemCommands } from "./engines/system/commands.ts";
import { systemDisk } from "./engines/system/disk.ts";
import { fastClock } from "./fast-clock.ts";
import { LogDestination } from "./log-destination.ts";
import { ThreadedForecasts } from "./forecasting/forecasts.ts";
import { openFarm, type FarmSurroundings } from "./open-farm.ts";
import { crashPoints } from "./service/crash-points.ts";
import { Followers } from "./service/followers.ts";
import { Grants } from "./service/grants.ts";
import { JobOutput } from "./service/job-output.ts";
import { RecentEvents } from "./service/recent-events.ts";
import { ServedFarm } from "./served-farm.ts";
import type { Service } from "./service/service.ts";
import { UnixUsers } from "./service/unix-users.ts";
import { checkPools } from "./service/unopened-pools.ts";
import { JobsInTheWay } from "./service/jobs-in-the-way.ts";
import { Database, startFailure } from "./store/database.ts";
import { backup } from "./reader/backup.ts";
import { OUTDATING } from "./store/outdated.ts";
import { refuseLostDatabase } from "./store/lost-database.ts";
import { ThreadedReader } from "./reader/threaded-reader.ts";

export interface ServeOptions {
  /** Reads the farm's file, again at each reload. */
  readonly readFarm: () => Promise<Farm>;
  /** An absolute path: the folder with all that the service keeps. */
  readonly data: string;
  readonly socket: string;
  readonly version: string;
  readonly logLevel: string;
  /** Listens over TCP as well, for clients with tokens; null: it does not. */
  readonly listen: {
    readonly host: string;
    readonly port: number;
    /** Host names that requests may use, beside the machine's own. */
    readonly names: readonly string[];
    readonly tls?: Tls;
  } | null;
  /** A Unix group whose members come in by sockets of their own, in the folder `users` beside the socket. */
  readonly users?: string;
  /** Seconds of the farm's time in a second: 1, except for a simulated farm. */
  readonly speed: number;
}

/** A farm that serves. */
export interface Serving {
  /** It is another one after a reload. */
  readonly service: Service;
  readonly name: string;
  /** Where it listens over TCP; null: it does not. */
  readonly address: string | null;
  /** Rejects when the farm has failed for good; it has to be stopped then. */
  readonly failed: Promise<never>;
  /** Reads the farm's file again and applies it. Returns what changed, a line each. */
  reload(): Promise<readonly string[]>;
  /** Takes nothing more and leaves jobs running. */
  stop(): Promise<void>;
}

const ALIVE_MILLISECONDS = 60_000;
/** Events after which a job that had no machine may have one, or the other way round. */
const CHANGES_OF_MACHINES: ReadonlySet<string> = new Set([
  "drained",
  "undrained",
  "paused",
  "unpaused",
  "reachable",
  "unreachable",
]);
const CHANGES_OF_JOBS: ReadonlySet<string> = new Set([...OUTDATING, "released"]);
/** How long a thread of a reader stays with nothing to do. */
const LISTS_IDLE_MILLISECONDS = 600_000;
/** Why jobs wait is noted once a minute: see `NotingReasons`. */
const TRIALS_IDLE_MILLISECONDS = 150_000;
const IDLE_MILLISECONDS = 10_000;

/**
 * Opens the data folder, resumes the jobs that run, and listens.
 *
 * @throws InputError where the farm cannot be what its file says, or the data is another service's
 */
export async function serve(options: ServeOptions): Promise<Serving> {
  // Timers of the clock do not keep a process alive, and a farm that opens or closes may wait for nothing else.
  const alive = setInterval(() => undefined, ALIVE_MILLISECONDS);
  const closed = (): void => clearInterval(alive);
  try {
    return await open(options, closed);
  } catch (error) {
    closed();
    throw error instanceof JobsInTheWay
      ? error.atStart()
      : startFailure(error, join(options.data, "croft.db"));
  }
}

/** @param closed to be called when the farm has stopped */
async function open(options: ServeOptions, closed: () => void): Promise<Serving> {
  const { readFarm, data, socket, listen, users, version, logLevel, speed } = options;
  if (users !== undefined && ownUser().uid !== 0)
    throw new InputError(
      "only root can give users sockets of their own, and run jobs as them: leave --users out, or start it as root",
    );
  const destination = new LogDestination();
  const log = pino({ level: logLevel }, destination);
  const followers = new Followers();
  const metrics = new Metrics(
    () => served.service,
    () => destination.dropped,
  );
  const farm = await readFarm();
  // Before anything is made: whoever corrects the file, or gives it to another command, finds nothing left.
  checkPools(farm, data);
  makeFolder(data, 0o700);
  const stranger = strangerInFolder(data);
  if (stranger !== null)
    throw new InputError(
      `the farm does not keep its data here: ${stranger}. Mend that, or give another folder with --data`,
      { file: data },
    );

  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  // Whoever opened the farm may not look before it fails.
  failed.catch(() => undefined);

  refuseLostDatabase(data);

  // 1. The database, whose lock also makes this the only service on the folder.
  const database = new Database(join(data, "croft.db"));
  const lists = new ThreadedReader(database.path, LISTS_IDLE_MILLISECONDS);
  // What takes long: nobody's list waits for it.
  const reader = new ThreadedReader(database.path, IDLE_MILLISECONDS);
  // With a copy of the farm, on which things are tried.
  const trials = new ThreadedReader(database.path, TRIALS_IDLE_MILLISECONDS);
  const events = new RecentEvents(database);
  // There are none before the farm is open.
  let farmChanged = (): void => undefined;
  let jobChanged: (job: number) => void = () => undefined;
  let machinesKnown = (): void => undefined;
  const around: FarmSurroundings = {
    database,
    reader,
    trials,
    data,
    clock: speed === 1 ? systemClock() : fastClock(systemClock(), speed),
    log,
    crashPoint: crashAt(process.env, crashPoints) ?? (() => undefined),
    failed: fail,
    machinesKnown: () => machinesKnown(),
    afterTurn: (turn, seconds) => {
      metrics.countTurn(turn, seconds);
      // If that fails now, it is done when more is written.
      if (database.takeCheckpoint()) void reader.do("checkpoint", {}).catch(() => undefined);
      events.readOn(followers.count > 0);
      followers.wake();
      if (turn.events.some(({ kind }) => CHANGES_OF_MACHINES.has(kind))) farmChanged();
      for (const { kind, job } of turn.events)
        if (CHANGES_OF_JOBS.has(kind) && job !== undefined) jobChanged(job);
    },
  };

  // 2. The farm, as the last service has left it.
  const service = await openFarm(farm, around);
  const forecasts: ThreadedForecasts = new ThreadedForecasts(database.path, data, () => served.service);
  const served: ServedFarm = new ServedFarm({
    around,
    forecasts,
    readFarm,
    // Roles are in it.
    hasRead: async () => ofUsers?.look(),
    service,
    farm,
  });
  farmChanged = () => forecasts.farmChanged();
  machinesKnown = () => served.takeMachines();
  jobChanged = (job) => forecasts.jobChanged(job);

  // 3. Listen for clients.
  const unixUsers = new UnixUsers(systemCommands, () => performance.now() / 1000);
  const handle: ServiceHandle = {
    get service() {
      return served.service;
    },
    get output() {
      return new JobOutput(systemDisk, data, served.service.pools);
    },
    get grants() {
      const { farm, service } = served;
      return new Grants(farm.userGroups ?? [], unixUsers, service.submitting.names.projects);
    },
    get name() {
      return served.farm.name;
    },
    files: new SentFiles(join(data, "files"), () => around.clock.unixSeconds()),
    database,
    lists,
    trials,
    forecasts,
    backup: (path) => backup(reader, path),
    events,
    followers,
    version,
    settled: () => served.settled(),
    reload: () => served.reload(),
    reserve: (reservation) => served.reserve(reservation),
    unreserve: (name, actor) => served.unreserve(name, actor),
  };
  const owner = { user: ownUser().username, role: "admin" } as const;
  const common = { farm: handle, metrics: () => metrics.text(), log };
  let ofUsers: UserSockets | null = null;
  const app = await makeServer({
    ...common,
    identify: socketDoor(owner, (connection) => ofUsers?.identityOf(connection) ?? null),
    stands: ({ raw }) => ofUsers?.stands(raw.socket) ?? true,
  });
  const doors = [app];
  let address: string | null = null;
  let release = (): void => undefined;
  try {
    // Users have to get to their own sockets, which are below.
    await listenOnSocket(app, socket, users === undefined ? 0o700 : 0o755);
    const keeping = keepSocket(app, socket, (text) => log.warn({}, text));
    release = () => {
      keeping();
      ofUsers?.stop();
    };
    if (users !== undefined) {
      // One that there is not is a mistake at the start; later it may be a directory service that is away.
      await unixUsers.membersOf(users).catch((error: unknown) => {
        throw new InputError(`--users: ${(error as Error).message}`);
      });
      ofUsers = new UserSockets({
        app,
        folder: join(dirname(socket), "users"),
        members: () => membersWithRoles(users, unixUsers, handle.grants),
        say: (text) => log.warn({}, text),
      });
      await ofUsers.start();
    }
    if (listen !== null) {
      const { host, port, names, tls } = listen;
      const identify = tokenDoor(database, host, names);
      const tcp = await makeServer({
        ...common,
        identify,
        stands: tokenStands(database),
        ...(tls === undefined ? {} : { tls }),
      });
      doors.push(tcp);
      address = await listenOnPort(tcp, host, port);
    }
  } catch (error) {
    release();
    await Promise.all(doors.map((door) => door.close()));
    await forecasts.close();
    await served.service.stop();
    throw error;
  }

  return {
    get service() {
      return served.service;
    },
    get name() {
      return served.farm.name;
    },
    address,
    failed,
    reload: () => served.reload(),
    async stop() {
      try {
        followers.stop();
        release();
        // Their answers leave before the connections are closed.
        await new Promise((resolve) => setImmediate(resolve));
        await Promise.all(doors.map((door) => door.close()));
        await served.settled();
        await served.service.stop();
        await Promise.all([lists.close(), reader.close(), trials.close(), forecasts.close()]);
        database.close();
      } finally {
        closed();
      }
    },
  };
}

async function membersWithRoles(
  group: string,
  unixUsers: UnixUsers,
  grants: Grants,
): Promise<ReadonlyMap<string, Member>> {
  const members = new Map<string, Member>();
  for (const [name, uid] of await unixUsers.membersOf(group))
    members.set(name, { uid, role: await grants.roleOf(name) });
  return members;
}
