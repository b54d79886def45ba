import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { attemptKey, type AttemptId } from "../attempt-id.ts";
import type { StartRequest } from "../engine.ts";
import { systemClock } from "../system/clock.ts";
import { systemDisk } from "../system/disk.ts";
import { Lifeline } from "../system/lifeline.fixture.ts";
import { Watched, type Fault, type JobKind, type World } from "../world.fixture.ts";
import { connect, type Connection, type StoppableConnection } from "./connection.ts";
import type { Credentials } from "./credentials.ts";
import { KubernetesEngine } from "./engine.ts";
import { StandInKubelets } from "./kubelet.fixture.ts";
import { podNameOf } from "./pod.ts";
import { readSettings } from "./settings.ts";
import { StandInApiServer } from "./stand-in.fixture.ts";

const PATIENCE_SECONDS = 60;
export const NAMESPACE = "croft";
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;

/** What stands around an engine for Kubernetes: an API server, and kubelets that pretend to run jobs. */
export abstract class ClusterWorld implements World {
  readonly machines = ["node-1", "node-2"];
  readonly downMachine = "node-3";
  readonly folder = mkdtempSync(join(tmpdir(), "croft-kubernetes-"));
  abstract readonly faults: readonly Fault[];
  kubelets!: StandInKubelets;
  /** What an administrator does. */
  admin!: Connection;
  private readonly settings: Readonly<Record<string, unknown>>;
  private life = new Lifeline();
  private engine: KubernetesEngine | null = null;

  constructor(settings: Readonly<Record<string, unknown>> = {}) {
    this.settings = settings;
  }

  /** Of an administrator, or of the service that is tried. */
  protected abstract credentials(who: "admin" | "service"): Credentials;

  async prepare(logPort = 0): Promise<void> {
    this.admin = connect(async () => this.credentials("admin"));
    this.kubelets = new StandInKubelets(this.admin);
    this.kubelets.logPort = logPort;
    for (const name of this.machines) await this.kubelets.register(name, true);
    await this.kubelets.register(this.downMachine, false);
    this.kubelets.open();
  }

  async open(diesAtStep?: number): Promise<Watched> {
    this.life.die();
    const life = new Lifeline(diesAtStep);
    this.life = life;
    const connection = connect(async () => this.credentials("service"));
    life.atEnd(() => connection.close());
    const engine = new KubernetesEngine(
      readSettings({ namespace: NAMESPACE, image: "image", ...this.settings }),
      {
        ...life.system(systemClock(), systemDisk, {
          run: () => Promise.reject(new Error("nothing is run")),
        }),
        folder: join(this.folder, "state"),
      },
      connectionOf(life, connection),
    );
    this.engine = engine;
    return new Watched(engine, life, this).open();
  }

  /** Waits until the engine has noticed that its cluster is back. */
  protected async isReachable(): Promise<void> {
    await this.until("the cluster is reachable", async () => (await this.engine!.list()).kind === "listing");
  }

  request(id: AttemptId, kind: JobKind, machine = this.machines[0]): StartRequest {
    return {
      id,
      placement: [{ machine, coresMilli: 100, memoryMiB: 10, gpuMilli: 0 }],
      command: [kind],
      directory: "/",
      environment: {},
      user: null,
      stdoutPath: null,
      stderrPath: null,
      limits: { memoryMiB: null, coresMilli: null, seconds: null, graceSeconds: 5 },
    };
  }

  release(id: AttemptId): void {
    this.kubelets.release(id);
  }

  runs(id: AttemptId): number {
    return this.kubelets.starts.get(attemptKey(id)) ?? 0;
  }

  async progress(): Promise<number> {
    return 0;
  }

  async isAlive(id: AttemptId): Promise<boolean> {
    return this.kubelets.isRunning(id);
  }

  protected readonly commonFaults: readonly Fault[] = [
    {
      name: "kill -9 of the job",
      inject: async (id) => this.kubelets.killJob(id),
      repair: nothing,
      outcomes: ["exited"],
      mayBeUnharmed: false,
    },
    {
      name: "the kubelet evicts it",
      inject: async (id) => this.kubelets.evict(id),
      repair: nothing,
      outcomes: ["exited"],
      mayBeUnharmed: false,
    },
    {
      name: "kubectl delete pod",
      inject: (id) => this.kubelets.delete(this.kubelets.podOf(id), 30),
      repair: nothing,
      // Lost, where no service looked while it ended.
      outcomes: ["exited", "lost"],
      mayBeUnharmed: false,
    },
    {
      name: "its pod is removed by force, and another one has its name",
      inject: async (id) => {
        const pod = this.kubelets.podOf(id);
        await this.kubelets.delete(pod, 0);
        const { name, labels } = pod.metadata;
        await this.admin.call({
          method: "POST",
          path: PODS,
          body: {
            apiVersion: "v1",
            kind: "Pod",
            metadata: { name, labels },
            spec: { schedulerName: "none", containers: [{ name: "other", image: "other" }] },
          },
        });
      },
      repair: nothing,
      outcomes: ["lost"],
      mayBeUnharmed: false,
    },
    {
      name: "the node ends with all that runs there",
      inject: () => this.kubelets.removeNode("node-1"),
      repair: () => this.kubelets.register("node-1", true),
      outcomes: ["lost"],
      mayBeUnharmed: false,
    },
  ];

  async litter(): Promise<() => Promise<boolean>> {
    const attempts = join(this.folder, "state", "attempts");
    const unreadable = join(attempts, "22222222-2222-4222-8222-222222222222.1");
    for (const folder of [unreadable, join(attempts, "not-an-attempt")]) mkdirSync(folder);
    const text = '{"placement":';
    writeFileSync(join(unreadable, "record.json"), text);
    const id = { job: "55555555-5555-4555-8555-555555555555", attempt: 1 };
    const name = podNameOf(id);
    const labels = { "app.kubernetes.io/managed-by": "croft", "croft.dev/attempt": attemptKey(id) };
    const spec = { containers: [{ name: "c", image: "image" }] };
    const body = { apiVersion: "v1", kind: "Pod", metadata: { name, labels }, spec };
    await this.admin.call({ method: "POST", path: PODS, body });
    return async () =>
      readFileSync(join(unreadable, "record.json"), "utf8") === text &&
      (await this.admin.call({ method: "GET", path: `${PODS}/${name}` })).ok;
  }

  async until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
    const end = Date.now() + PATIENCE_SECONDS * 1000;
    while (!(await isSo())) {
      if (Date.now() > end) throw new Error(`not within ${PATIENCE_SECONDS} s: ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async close(): Promise<void> {
    this.life.die();
    this.kubelets.close();
    this.admin.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The stand-in for an API server, with its faults. */
export class StandInWorld extends ClusterWorld {
  readonly server = new StandInApiServer();

  static async make(settings: Readonly<Record<string, unknown>> = {}): Promise<StandInWorld> {
    const world = new StandInWorld(settings);
    await world.server.start();
    await world.prepare();
    world.server.log = world.kubelets.serveLog;
    return world;
  }

  protected override credentials(): Credentials {
    return { server: this.server.url, tls: {}, headers: {} };
  }

  readonly faults: readonly Fault[] = [
    ...this.commonFaults,
    {
      name: "the API server is away for a while",
      inject: () => this.server.stop(),
      repair: async () => {
        await this.server.start();
        await this.isReachable();
      },
      outcomes: [],
      mayBeUnharmed: true,
    },
    {
      name: "watches are cut",
      inject: async () => this.server.cutWatches(),
      repair: nothing,
      outcomes: [],
      mayBeUnharmed: true,
    },
    {
      name: "watches are cut, and what has changed since is not known any more (410)",
      inject: async () => {
        await this.kubelets.register(this.downMachine, false);
        this.server.compact();
      },
      repair: nothing,
      outcomes: [],
      mayBeUnharmed: true,
    },
    ...[429, 500].map((status) => ({
      name: `requests are answered with ${status}, and watches are cut`,
      inject: async () => {
        this.server.failing = { status, left: 12 };
        this.server.cutWatches();
      },
      repair: () => this.isReachable(),
      outcomes: [],
      mayBeUnharmed: true,
    })),
    {
      name: "lists are old",
      inject: async () => {
        // As they were before the attempt was made.
        this.server.listsAsOf = this.server.version - 8;
        this.server.cutWatches();
      },
      repair: async () => {
        this.server.listsAsOf = null;
        await this.isReachable();
      },
      outcomes: [],
      mayBeUnharmed: true,
    },
    {
      name: "events are told three times",
      inject: async () => {
        this.server.eventCopies = 3;
        this.server.cutWatches();
      },
      repair: nothing,
      outcomes: [],
      mayBeUnharmed: true,
    },
  ];

  override async close(): Promise<void> {
    await super.close();
    await this.server.stop();
  }
}

/** What changes something in the cluster is a step at which the service can die; questions are asked all the time. */
function connectionOf(life: Lifeline, connection: StoppableConnection): StoppableConnection {
  const effects = life.effects(connection, { answers: ["follow", "close"], sync: [] });
  const answers = life.answers(connection);
  return {
    call: (request) => (request.method === "GET" ? answers : effects).call(request),
    follow: (...args) => answers.follow(...args),
    stopAsking: () => connection.stopAsking(),
    close: () => connection.close(),
  };
}

const nothing = async (): Promise<void> => undefined;
