import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import type { StandInKubelets } from "./kubelet.fixture.ts";

/**
 * Serves logs as kubelets do: the API server asks for them at the node's port.
 *
 * @param serve answers with the log of a pod, by its name
 * @param folder for the certificate
 */
export async function serveLogs(
  serve: StandInKubelets["serveLog"],
  folder: string,
): Promise<{ readonly port: number; close(): void }> {
  const [key, cert] = ["key.pem", "cert.pem"].map((name) => join(folder, name));
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=node", "-keyout", key, "-out", cert],
    { stdio: "ignore" },
  );
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
    const url = new URL(request.url ?? "", "https://node");
    const name = /^\/containerLogs\/[^/]+\/([^/]+)\//.exec(url.pathname)?.[1] ?? "";
    serve(name, url.searchParams.get("follow") === "true", response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
