import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";
import { parseAllDocuments } from "yaml";

import type { Finding } from "../finding.ts";
import { systemClock } from "../system/clock.ts";
import { systemCommands } from "../system/commands.ts";
import { MemoryDisk } from "../system/memory-disk.fixture.ts";
import { examine } from "./examine.ts";
import { rightsOf } from "./needed-rights.ts";

interface Review {
  readonly spec: {
    readonly resourceAttributes: {
      readonly verb: string;
      readonly resource: string;
      readonly subresource: string;
    };
  };
}

interface Cluster {
  /** Rights that the service's role lacks. */
  readonly lacking?: readonly string[];
  readonly nodes?: readonly object[];
  /** A label selector: none else finds a node. */
  readonly labels?: string;
  readonly hasNamespace?: boolean;
  /** Null: the service may not ask for it. */
  readonly lease?: object | null;
  /** Fields of the user in the kubeconfig. */
  readonly user?: object;
  readonly mode?: number;
}

const UP = { metadata: { name: "n1" }, status: { conditions: [{ type: "Ready", status: "True" }] } };
const OWN = { image: "image" };
const OTHERS = { schedule: "all" };
const TAINTED = { ...UP, spec: { taints: [{ key: "gpu", value: "yes", effect: "NoSchedule" }] } };
const CORDONED = { ...UP, metadata: { name: "n2" }, spec: { unschedulable: true } };

/** What is found to be wrong. */
async function wrong(settings: object, cluster: Cluster): Promise<Pick<Finding, "found" | "change">[]> {
  const all = await found(settings, cluster);
  return all.filter(({ change }) => change !== null).map(({ found: is, change }) => ({ found: is, change }));
}

/** All that doctor finds at an API server. */
async function found(
  settings: object,
  {
    lacking = [],
    nodes = [UP],
    labels = "",
    hasNamespace = true,
    lease = {},
    user = { token: "t" },
    mode = 0o600,
  }: Cluster = {},
) {
  const answerTo = (url: URL, text: string): object => {
    if (url.pathname === "/version") return { gitVersion: "v1.33.0" };
    if (url.pathname.includes("/leases/")) return { metadata: {}, spec: lease };
    if (url.pathname === "/api/v1/nodes")
      return {
        metadata: {},
        items: url.searchParams.get("labelSelector") === (labels || null) ? nodes : [],
      };
    if (text === "") return { metadata: {} };
    const { verb, resource, subresource } = (JSON.parse(text) as Review).spec.resourceAttributes;
    const right = `${verb} ${resource}${subresource === "" ? "" : `/${subresource}`}`;
    return { metadata: {}, status: { allowed: !lacking.includes(right) } };
  };
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (bytes) => (text += String(bytes)));
    request.on("end", () => {
      const url = new URL(request.url!, "http://127.0.0.1");
      const isMissing = url.pathname.startsWith("/api/v1/namespaces/") && !hasNamespace;
      const isForbidden = url.pathname.includes("/leases/") && lease === null;
      response.writeHead(isMissing ? 404 : isForbidden ? 403 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(answerTo(url, text)));
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
    users: [{ name: "u", user }],
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  chmodSync(kubeconfig, mode);
  const clock = systemClock();
  const system = { clock, commands: systemCommands, disk: new MemoryDisk(clock), folder };
  return examine({ kubeconfig, namespace: "croft", ...settings }, system);
}

it("a pool of own jobs is told which rights it lacks", async () => {
  expect(await found(OWN, { lacking: ["get pods/log"] })).toEqual([
    { what: "Kubernetes", found: "it answers", change: null },
    {
      what: "Kubernetes",
      found: "the service may not get pods/log in the namespace croft",
      change: "kubectl apply -f examples/kubernetes/own-jobs.yaml gives it the rights",
    },
    { what: "Kubernetes", found: "1 of 1 nodes take pods", change: null },
  ]);
});

it.each([OWN, OTHERS])("a pool is told that no node is one of it: %j", async (use) => {
  const settings = { ...use, nodeSelector: { "croft.dev/pool": "batch", os: "linux" } };
  expect(await wrong(settings, {})).toEqual([
    {
      found: "no node has the label croft.dev/pool=batch,os=linux of the pool's nodeSelector",
      change: "kubectl label node NAME croft.dev/pool=batch os=linux, or correct nodeSelector",
    },
  ]);
  expect(await wrong(settings, { labels: "croft.dev/pool=batch,os=linux" })).toEqual([]);
});

it("a pool is told that none of its nodes takes pods, and how many do", async () => {
  const [none] = await wrong(OWN, { nodes: [TAINTED, CORDONED] });
  expect(none).toEqual({
    found: "0 of 2 nodes take pods; n1: its taint gpu=yes:NoSchedule is not tolerated",
    change: "add it to tolerations of the pool's engine, or take it away with kubectl taint",
  });
  expect(await wrong({ ...OWN, tolerations: [{ key: "gpu" }] }, { nodes: [TAINTED, CORDONED] })).toEqual([]);
  // Pods of others say themselves what they tolerate.
  expect(await wrong(OTHERS, { nodes: [TAINTED] })).toEqual([]);
  expect(await wrong(OTHERS, { nodes: [CORDONED] })).toMatchObject([
    { found: "0 of 1 nodes take pods; n2: it is cordoned", change: "kubectl uncordon n2" },
  ]);
  expect(await wrong(OTHERS, { nodes: [{ ...UP, status: {} }] })).toMatchObject([
    {
      found: "0 of 1 nodes take pods; n1: its kubelet has said nothing yet",
      change: "kubectl describe node n1",
    },
  ]);
});

it("a pool whose pods are scheduled is told who serves it, and which rights that one lacks", async () => {
  const lacking = ["patch pods/status", "create pods/eviction"];
  const status = {
    found: "the service may not patch pods/status in the cluster",
    change: "kubectl apply -f examples/kubernetes/scheduler/rights.yaml gives it the rights",
  };
  const settings = { ...OTHERS, familyLabel: "flow" };
  expect(await wrong(settings, { lacking })).toEqual([status]);
  expect(await wrong({ ...settings, evict: true }, { lacking })).toEqual([
    status,
    {
      found: "the service may not create pods/eviction in the cluster",
      change: "kubectl apply -f examples/kubernetes/scheduler/evictions.yaml gives it the rights",
    },
  ]);
  const served = async (lease: object | null): Promise<string> =>
    (await found(settings, { lease })).at(-1)!.found;
  expect(await served({})).toBe(
    "croft schedule-pods serves this pool, not croft serve (nobody holds its lease); its log and /readyz say how it does",
  );
  expect(await served(null)).toContain("(who has its lease is not known)");
  const renewTime = new Date(Date.now() - 7_200_000).toISOString();
  expect(await served({ holderIdentity: "host_1", renewTime })).toMatch(
    /\(host_1 has its lease, renewed 720\d s ago\)/,
  );
});

it.each([
  [
    "another namespace",
    { ...OWN, namespace: "lab" },
    "get pods/log",
    "a copy of examples/kubernetes/own-jobs.yaml with the namespace lab in place of croft (kubectl apply -f) gives it the rights",
  ],
  [
    "another name of the scheduler",
    { ...OTHERS, schedulerName: "night" },
    "update leases",
    "a copy of examples/kubernetes/scheduler/rights.yaml with the lease croft-night in place of croft-croft (kubectl apply -f) gives it the rights",
  ],
])(
  "rights that the examples give by other names are told with them: %s",
  async (_, settings, lacking, change) => {
    expect(await wrong(settings, { lacking: [lacking] })).toEqual([{ found: expect.any(String), change }]);
  },
);

it("a token of another service account is told by its name", async () => {
  const claims = { sub: "system:serviceaccount:croft:default" };
  const token = `x.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.x`;
  const [only] = await wrong(OTHERS, { lacking: ["list nodes"], user: { token } });
  expect(only.change).toBe(
    "the service is croft/default; examples/kubernetes/scheduler/rights.yaml is for croft/croft-scheduler where the namespace is croft: give it a token of that one, or correct namespace",
  );
});

it("a namespace that there is not is told, where the service may ask", async () => {
  expect(await wrong({ ...OWN, namespace: "lab" }, { hasNamespace: false })).toEqual([
    {
      found: "there is no namespace lab",
      change: "kubectl create namespace lab, or correct namespace",
    },
  ]);
});

it("a kubeconfig that everybody may read is told", async () => {
  const [only] = await wrong(OWN, { mode: 0o644 });
  expect(only).toEqual({
    found: expect.stringMatching(/^everybody on this machine may read \S+kubeconfig, /),
    change: expect.stringMatching(/^chmod 600 \S+kubeconfig$/),
  });
});

it("a program that prints no token is told, and a context that there is not, with what to correct", async () => {
  const exec = { command: "false", apiVersion: "client.authentication.k8s.io/v1" };
  expect(await wrong(OWN, { user: { exec } })).toEqual([
    {
      found: expect.stringMatching(/^there is nothing to show to it: false: status 1$/),
      change: expect.stringContaining("kubectl cluster-info"),
    },
  ]);
  expect(await wrong({ ...OWN, context: "d" }, {})).toEqual([
    {
      found: expect.stringContaining("there is no context d: name one of c by"),
      change: expect.stringMatching(/^correct kubeconfig and context of the pool's engine/),
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
