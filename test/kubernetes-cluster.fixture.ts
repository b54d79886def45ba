import { execFile, spawn, type ChildProcess } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const exec = promisify(execFile);

/** What scripts/kubernetes/build-cluster.sh has built. */
const programs = join(process.env["CROFT_KUBERNETES"] ?? "/nonexistent", "bin");

const has = (...names: string[]): boolean => names.every((name) => existsSync(join(programs, name)));

export const hasKubernetes = has("etcd", "kube-apiserver");
/** Nodes and controllers too. */
export const hasWholeKubernetes =
  hasKubernetes && has("kube-controller-manager", "kube-scheduler", "kubemark");

/** Far more than anything here takes: a machine may be busy. */
const PATIENCE_SECONDS = 600;
const TOKENS = {
  /** May do all. */
  admin: "croft-admin",
  /** The service account of examples/kubernetes/own-jobs.yaml. */
  service: "croft-service",
} as const;

/** A hollow node is a real kubelet over a made-up runtime. */
export type Part =
  | "etcd"
  | "kube-apiserver"
  | "kube-controller-manager"
  | "kube-scheduler"
  | `hollow-${number}`;

/** Binds alone, as long as they are few: each with its answer, and with the node that it names. */
const AUDIT_POLICY = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["RequestReceived"],
  rules: [{ level: "Request", resources: [{ group: "", resources: ["pods/binding"] }] }, { level: "None" }],
};

/**
 * A real API server with a real etcd, on the loopback interface. Controllers, kube-scheduler and hollow nodes are
 * started by who uses them; other nodes are made by who needs some.
 */
export class KubernetesCluster {
  readonly folder = mkdtempSync(join(tmpdir(), "croft-kubernetes-cluster-"));
  readonly tokens = TOKENS;
  private readonly running = new Map<Part, ChildProcess>();
  private ports: readonly number[] = [];
  private readonly hollowPorts = new Map<Part, readonly [number, number]>();
  private readonly isAudited: boolean;

  /** @param isAudited whether each bind is written down: it costs the API server a write */
  constructor(isAudited = false) {
    this.isAudited = isAudited;
    // Where the tests are broken off.
    process.once("exit", () => {
      for (const each of this.running.values()) each.kill("SIGKILL");
    });
  }

  get url(): string {
    return `https://127.0.0.1:${this.ports[2]}`;
  }

  async start(): Promise<void> {
    this.ports = await Promise.all([freePort(), freePort(), freePort()]);
    mkdirSync(join(this.folder, "certs"));
    await exec("openssl", ["genrsa", "-out", join(this.folder, "sa.key"), "2048"]);
    writeFileSync(
      join(this.folder, "tokens.csv"),
      `${TOKENS.admin},admin,1,system:masters\n${TOKENS.service},system:serviceaccount:croft:croft,2\n`,
    );
    writeFileSync(join(this.folder, "audit.yaml"), JSON.stringify(AUDIT_POLICY));
    writeFileSync(this.kubeconfigPath, this.kubeconfig(TOKENS.admin));
    this.startEtcd();
    await this.startApiServer();
  }

  /** Of an administrator. */
  get kubeconfigPath(): string {
    return join(this.folder, "kubeconfig");
  }

  kubeconfig(token: string): string {
    return JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "test",
      contexts: [{ name: "test", context: { cluster: "test", user: "test" } }],
      clusters: [{ name: "test", cluster: { server: this.url, "insecure-skip-tls-verify": true } }],
      users: [{ name: "test", user: { token } }],
    });
  }

  startEtcd(): void {
    const [client, peer] = this.ports.map((port) => `http://127.0.0.1:${port}`);
    this.run("etcd", [
      `--data-dir=${join(this.folder, "etcd")}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
    ]);
  }

  async startApiServer(): Promise<void> {
    const args = [
      `--etcd-servers=http://127.0.0.1:${this.ports[0]}`,
      "--bind-address=127.0.0.1",
      "--advertise-address=127.0.0.1",
      `--secure-port=${this.ports[2]}`,
      "--insecure-port=0",
      `--cert-dir=${join(this.folder, "certs")}`,
      `--service-account-key-file=${join(this.folder, "sa.key")}`,
      `--service-account-signing-key-file=${join(this.folder, "sa.key")}`,
      "--service-account-issuer=https://127.0.0.1",
      `--token-auth-file=${join(this.folder, "tokens.csv")}`,
      "--authorization-mode=RBAC",
      "--disable-admission-plugins=ServiceAccount",
      "--kubelet-preferred-address-types=InternalIP",
      "--service-cluster-ip-range=10.0.0.0/24",
      ...(this.isAudited
        ? ["--audit-policy-file=audit.yaml", `--audit-log-path=${join(this.folder, "audit.log")}`]
        : []),
    ];
    this.run("kube-apiserver", args);
    const end = Date.now() + PATIENCE_SECONDS * 1000;
    while (!(await this.isReady())) {
      if (Date.now() > end)
        throw new Error(
          `kube-apiserver is not ready within ${PATIENCE_SECONDS} s: ${this.log("kube-apiserver").slice(-500)}`,
        );
      await new Promise((resolve) => setTimeout(resolve, 100));
      // It gives up where the machine is so busy that it cannot reach itself.
      const child = this.running.get("kube-apiserver");
      if (child !== undefined && child.exitCode !== null) this.run("kube-apiserver", args);
    }
  }

  startControllers(): void {
    this.run("kube-controller-manager", [
      `--kubeconfig=${this.kubeconfigPath}`,
      "--leader-elect=false",
      "--use-service-account-credentials=false",
      `--service-account-private-key-file=${join(this.folder, "sa.key")}`,
      "--secure-port=0",
      "--port=0",
      "--kube-api-qps=400",
      "--kube-api-burst=800",
    ]);
  }

  /** With no limit of its own on what it asks of the API server. */
  startScheduler(): void {
    this.run("kube-scheduler", [
      `--kubeconfig=${this.kubeconfigPath}`,
      "--leader-elect=false",
      "--secure-port=0",
      "--port=0",
      "--kube-api-qps=100000",
      "--kube-api-burst=100000",
    ]);
  }

  /** A node of 1 core and 3,840 MiB, of that number; its name is that of the part. */
  async startHollow(number: number): Promise<void> {
    const part: Part = `hollow-${number}`;
    const [port, readOnlyPort] = this.hollowPorts.get(part) ?? [await freePort(), await freePort()];
    this.hollowPorts.set(part, [port, readOnlyPort]);
    this.run(
      "kubemark",
      [
        "--morph=kubelet",
        `--name=${part}`,
        `--kubeconfig=${this.kubeconfigPath}`,
        `--kubelet-port=${port}`,
        `--kubelet-read-only-port=${readOnlyPort}`,
        "--kube-api-content-type=application/json",
        // It tells each start of a container.
        "--v=2",
      ],
      part,
    );
  }

  /** What a part has written, in all of its lives. */
  log(part: Part | "audit"): string {
    const path = join(this.folder, `${part}.log`);
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  }

  /** kill -9. */
  async kill(part: Part): Promise<void> {
    const child = this.running.get(part);
    if (child === undefined) return;
    this.running.delete(part);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  }

  async stop(): Promise<void> {
    // The API server last but one: it would keep the others waiting.
    const others = [...this.running.keys()].filter((part) => part !== "etcd" && part !== "kube-apiserver");
    for (const part of [...others, "kube-apiserver", "etcd"] as const) await this.kill(part);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private run(program: string, args: readonly string[], part = program as Part): void {
    const log = openSync(join(this.folder, `${part}.log`), "a");
    const child = spawn(join(programs, program), args, {
      cwd: this.folder,
      // Hollow nodes have sockets there.
      env: { ...process.env, TMPDIR: this.folder },
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    this.running.set(part, child);
  }

  private isReady(): Promise<boolean> {
    return new Promise((resolve) => {
      const asked = request(
        `${this.url}/readyz`,
        { rejectUnauthorized: false, headers: { authorization: `Bearer ${TOKENS.admin}` } },
        (response) => {
          response.resume();
          resolve(response.statusCode === 200);
        },
      );
      // What was asked as it started may never be answered.
      asked.setTimeout(5000, () => asked.destroy());
      asked.on("error", () => resolve(false));
      asked.on("close", () => resolve(false));
      asked.end();
    });
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
