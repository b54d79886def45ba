import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import { KubernetesCluster } from "../../../../test/kubernetes-cluster.fixture.ts";
import { grantRights } from "../../../../test/kubernetes-rights.fixture.ts";
import type { Fault } from "../world.fixture.ts";
import type { Credentials } from "./credentials.ts";
import { ClusterWorld } from "./world.fixture.ts";

/** A real API server and etcd, with kubelets that pretend to run jobs and serve their logs. */
export class RealWorld extends ClusterWorld {
  readonly cluster = new KubernetesCluster();
  private closeLogs: () => void = () => undefined;

  static async make(): Promise<RealWorld> {
    const world = new RealWorld();
    await world.cluster.start();
    const logPort = await world.serveLogs();
    await world.prepare(logPort);
    // The service has the rights that its administrator is told to give it, and no more.
    await grantRights(
      world.admin,
      join(import.meta.dirname, "../../../../examples/kubernetes/own-jobs.yaml"),
    );
    return world;
  }

  protected override credentials(who: "admin" | "service"): Credentials {
    return {
      server: this.cluster.url,
      tls: { rejectUnauthorized: false },
      headers: { authorization: `Bearer ${this.cluster.tokens[who]}` },
    };
  }

  readonly faults: readonly Fault[] = [
    ...this.commonFaults,
    {
      name: "kill -9 of the API server",
      inject: () => this.cluster.kill("kube-apiserver"),
      repair: async () => {
        await this.cluster.startApiServer();
        await this.isReachable();
      },
      outcomes: [],
      mayBeUnharmed: true,
    },
    {
      name: "kill -9 of the API server and of etcd",
      inject: async () => {
        await this.cluster.kill("kube-apiserver");
        await this.cluster.kill("etcd");
      },
      repair: async () => {
        this.cluster.startEtcd();
        await this.cluster.startApiServer();
        await this.isReachable();
      },
      outcomes: [],
      mayBeUnharmed: true,
    },
  ];

  /** As a kubelet does: the API server asks for a log at the node's port. */
  private async serveLogs(): Promise<number> {
    const [key, cert] = ["key.pem", "cert.pem"].map((name) => join(this.folder, name));
    execFileSync(
      "openssl",
      ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=node", "-keyout", key, "-out", cert],
      { stdio: "ignore" },
    );
    const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
      const url = new URL(request.url ?? "", "https://node");
      const name = /^\/containerLogs\/[^/]+\/([^/]+)\//.exec(url.pathname)?.[1] ?? "";
      this.kubelets.serveLog(name, url.searchParams.get("follow") === "true", response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    this.closeLogs = () => {
      server.closeAllConnections();
      server.close();
    };
    return (server.address() as AddressInfo).port;
  }

  override async close(): Promise<void> {
    await super.close();
    this.closeLogs();
    await this.cluster.stop();
  }
}
