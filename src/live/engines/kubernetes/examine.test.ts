import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";
import { parseAllDocuments } from "yaml";

import { systemClock } from "../system/clock.ts";
import { systemCommands } from "../system/commands.ts";
import { MemoryDisk } from "../system/memory-disk.fixture.ts";
import { examine, rightsOf } from "./examine.ts";

interface Review {
  readonly spec: {
    readonly resourceAttributes: {
      readonly verb: string;
      readonly resource: string;
      readonly subresource: string;
    };
  };
}

/** What doctor finds at an API server whose role lacks some rights, and whose nodes have some labels. */
async function found(settings: object, lacking: readonly string[], labels = "") {
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (bytes) => (text += String(bytes)));
    request.on("end", () => {
      const { verb, resource, subresource } =
        text === ""
          ? { verb: "", resource: "", subresource: "" }
          : (JSON.parse(text) as Review).spec.resourceAttributes;
      const right = `${verb} ${resource}${subresource === "" ? "" : `/${subresource}`}`;
      response.writeHead(200, { "content-type": "application/json" });
      const url = new URL(request.url!, "http://127.0.0.1");
      response.end(
        JSON.stringify(
          url.pathname === "/api/v1/nodes"
            ? { metadata: {}, items: url.searchParams.get("labelSelector") === (labels || null) ? [{}] : [] }
            : url.pathname === "/version"
              ? { gitVersion: "v1.33.0" }
              : { metadata: {}, status: { allowed: !lacking.includes(right) } },
        ),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const folder = mkdtempSync(join(tmpdir(), "croft-examine-"));
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  const kubeconfig = join(folder, "kubeconfig");
  const { port } = server.address() as AddressInfo;
  const config = {
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
    clusters: [{ name: "c", cluster: { server: `http://127.0.0.1:${port}` } }],
    users: [{ name: "u", user: { token: "t" } }],
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  const clock = systemClock();
  const system = { clock, commands: systemCommands, disk: new MemoryDisk(clock), folder };
  return examine({ kubeconfig, namespace: "croft", ...settings }, system);
}

it("a pool of own jobs is told which rights it lacks", async () => {
  expect(await found({ image: "image" }, ["get pods/log"])).toEqual([
    { what: "Kubernetes", found: "it answers", change: null },
    {
      what: "Kubernetes",
      found: "the service may not get pods/log in the namespace croft",
      change: "kubectl apply -f examples/kubernetes/own-jobs.yaml gives it the rights",
    },
  ]);
});

it.each([{ image: "image" }, { schedule: "all" }])(
  "a pool is told that no node is one of it: %j",
  async (use) => {
    const settings = { ...use, nodeSelector: { "croft.dev/pool": "batch", os: "linux" } };
    const none = {
      what: "Kubernetes",
      found: "no node has the label croft.dev/pool=batch,os=linux of the pool's nodeSelector",
      change: "kubectl label node NAME croft.dev/pool=batch os=linux, or correct nodeSelector",
    };
    expect((await found(settings, [])).at(-1)).toEqual(none);
    expect(await found(settings, [], "croft.dev/pool=batch,os=linux")).not.toContainEqual(none);
  },
);

it("a pool whose pods are scheduled is told who serves it, and which rights that one lacks", async () => {
  const lacking = ["patch pods/status", "create pods/eviction"];
  const served = {
    what: "Kubernetes",
    found: "croft schedule-pods serves this pool, not croft serve; its log and /readyz say how it does",
    change: null,
  };
  const status = {
    what: "Kubernetes",
    found: "the service may not patch pods/status in the cluster",
    change: "kubectl apply -f examples/kubernetes/scheduler/rights.yaml gives it the rights",
  };
  const settings = { schedule: "all", familyLabel: "flow" };
  expect((await found(settings, lacking)).slice(1)).toEqual([served, status]);
  expect((await found({ ...settings, evict: true }, lacking)).slice(1)).toEqual([
    served,
    status,
    {
      what: "Kubernetes",
      found: "the service may not create pods/eviction in the cluster",
      change: "kubectl apply -f examples/kubernetes/scheduler/evictions.yaml gives it the rights",
    },
  ]);
});

interface Role {
  readonly kind: string;
  readonly rules?: readonly {
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly verbs: readonly string[];
    readonly resourceNames?: readonly string[];
  }[];
}

it.each([{}, { schedule: "all", evict: true }])(
  "the rights are those of the files that it names: %j",
  (settings) => {
    for (const [file, rights] of Object.entries(rightsOf(settings))) {
      const text = readFileSync(join(import.meta.dirname, "../../../..", file), "utf8");
      const given = parseAllDocuments(text)
        .map((each) => each.toJS() as Role)
        .flatMap(({ kind, rules = [] }) =>
          rules.flatMap(({ apiGroups, resources, verbs, resourceNames = [] }) =>
            apiGroups.flatMap((group) =>
              resources.flatMap((resource) =>
                verbs.map((verb) => `${kind} ${group} ${resource} ${verb} ${resourceNames.join()}`),
              ),
            ),
          ),
        );
      const looked = rights.flatMap(({ group = "", resource, verbs, isOfNamespace, name = "" }) =>
        verbs.map((verb) => `${isOfNamespace ? "Role" : "ClusterRole"} ${group} ${resource} ${verb} ${name}`),
      );
      expect(looked.toSorted()).toEqual(given.toSorted());
    }
  },
);
