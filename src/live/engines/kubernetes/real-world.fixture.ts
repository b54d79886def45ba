import { join } from "node:path";

import { KubernetesCluster } from "../../../../test/kubernetes-cluster.fixture.ts";
import { grantRights } from "../../../../test/kubernetes-rights.fixture.ts";
import type { Fault } from "../world.fixture.ts";
import type { Credentials } from "./credentials.ts";
import { serveLogs } from "./kubelet-logs.fixture.ts";
import { ClusterWorld } from "./world.fixture.ts";

/** A real API server and etcd, with kubelets that pretend to run jobs and serve their logs. */
export class RealWorld extends ClusterWorld {
  readonly cluster = new KubernetesCluster();
  private closeLogs: () => void = () => undefined;

  static async make(): Promise<RealWorld> {
    const world = new RealWorld();
    await world.cluster.start();
    // The kubelets are made in `prepare`, which needs the port.
    const logs = await serveLogs((...log) => world.kubelets.serveLog(...log), world.folder);
    world.closeLogs = () => logs.close();
    await world.prepare(logs.port);
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

  override async close(): Promise<void> {
    await super.close();
    this.closeLogs();
    await this.cluster.stop();
  }
}
