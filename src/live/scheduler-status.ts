import Fastify from "fastify";

import { listenOnPort } from "./api/listening.ts";
import { httpOptions, timeouts } from "./api/traffic.ts";

/** Prometheus, the kubelet, and somebody who looks. */
const MAX_CONNECTIONS = 100;

export interface StatusServer {
  /** The address to ask at. */
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Serves what a kubelet and Prometheus ask of a scheduler, at the paths that Kubernetes' own components have.
 *
 * @param whyNotReady what is missing; null: nothing
 * @throws InputError where the address cannot be used
 */
export async function serveStatus(
  host: string,
  port: number,
  whyNotReady: () => string | null,
  metrics: () => Promise<string>,
): Promise<StatusServer> {
  const app = Fastify({ ...timeouts, http: httpOptions, forceCloseConnections: true });
  app.server.maxConnections = MAX_CONNECTIONS;
  app.get("/healthz", () => "ok");
  app.get("/readyz", (_, reply) => {
    const missing = whyNotReady();
    return reply.code(missing === null ? 200 : 503).send(missing ?? "ok");
  });
  app.get("/metrics", async (_, reply) => reply.type("text/plain; version=0.0.4").send(await metrics()));
  return { address: await listenOnPort(app, host, port), close: () => app.close() };
}
