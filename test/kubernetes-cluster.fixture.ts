import { execFile, spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const exec = promisify(execFile);

/** What scripts/kubernetes/build-cluster.sh has built. */
const programs = join(process.env["CROFT_KUBERNETES"] ?? "/nonexistent", "bin");

export const hasKubernetes = ["etcd", "kube-apiserver"].every((name) => existsSync(join(programs, name)));

/** Far more than anything here takes: a machine may be busy. */
const PATIENCE_SECONDS = 120;
const TOKENS = {
  /** May do all. */
  admin: "croft-admin",
  /** The service account of examples/kubernetes/own-jobs.yaml. */
  service: "croft-service",
} as const;

type Part = "etcd" | "kube-apiserver";

/** A real API server with a real etcd, on the loopback interface. Its nodes are made by who uses it. */
export class KubernetesCluster {
  readonly folder = mkdtempSync(join(tmpdir(), "croft-kubernetes-cluster-"));
  readonly tokens = TOKENS;
  private readonly running = new Map<Part, ChildProcess>();
  private ports: readonly number[] = [];

  constructor() {
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
    this.startEtcd();
    await this.startApiServer();
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
    this.run("kube-apiserver", [
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
    ]);
    const end = Date.now() + PATIENCE_SECONDS * 1000;
    while (!(await this.isReady())) {
      if (Date.now() > end) throw new Error(`kube-apiserver is not ready within ${PATIENCE_SECONDS} s`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
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
    await this.kill("kube-apiserver");
    await this.kill("etcd");
    rmSync(this.folder, { recursive: true, force: true });
  }

  private run(part: Part, args: readonly string[]): void {
    const child = spawn(join(programs, part), args, { cwd: this.folder, stdio: "ignore" });
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
      asked.on("error", () => resolve(false));
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
