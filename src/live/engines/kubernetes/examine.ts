import type { EngineSettings, System } from "../engine-kind.ts";
import type { Finding } from "../finding.ts";
import { Settings } from "../settings.ts";
import { connect, isUnauthorized } from "./connection.ts";
import { findCredentials, readText } from "./credentials.ts";
import {
  readAccess,
  readResources,
  readSettings,
  selecting,
  selectorOf,
  type AccessSettings,
  type ResourceSettings,
} from "./settings.ts";

interface Right {
  readonly group?: string;
  readonly resource: string;
  readonly verbs: readonly string[];
  /** Or of the whole cluster. */
  readonly isOfNamespace: boolean;
  /** The only object that it is for. */
  readonly name?: string;
}

const FOLDER = "examples/kubernetes";

/** The rights that a pool needs, by the file that gives them. */
export function rightsOf(values: EngineSettings): Readonly<Record<string, readonly Right[]>> {
  const cluster = { isOfNamespace: false };
  const namespace = { isOfNamespace: true };
  if (values["schedule"] !== "all")
    return {
      [`${FOLDER}/own-jobs.yaml`]: [
        { resource: "pods", verbs: ["get", "list", "watch", "create", "delete"], ...namespace },
        { resource: "pods/binding", verbs: ["create"], ...namespace },
        { resource: "pods/log", verbs: ["get"], ...namespace },
        { resource: "pods", verbs: ["list", "watch"], ...cluster },
        { resource: "nodes", verbs: ["list", "watch"], ...cluster },
      ],
    };
  const { schedulerName } = values;
  const lease = `croft-${typeof schedulerName === "string" ? schedulerName : "croft"}`;
  const leases = { group: "coordination.k8s.io", resource: "leases", ...namespace };
  const groups = ["scheduling.k8s.io", "scheduling.x-k8s.io"];
  return {
    [`${FOLDER}/scheduler/rights.yaml`]: [
      { resource: "nodes", verbs: ["list", "watch"], ...cluster },
      { resource: "pods", verbs: ["get", "list", "watch"], ...cluster },
      { resource: "pods/binding", verbs: ["create"], ...cluster },
      { resource: "pods/status", verbs: ["patch"], ...cluster },
      { resource: "events", verbs: ["create"], ...cluster },
      ...groups.map((group) => ({ group, resource: "podgroups", verbs: ["get"], ...cluster })),
      { ...leases, verbs: ["create"] },
      { ...leases, verbs: ["get", "update"], name: lease },
    ],
    ...(values["evict"] === true
      ? {
          [`${FOLDER}/scheduler/evictions.yaml`]: [
            { group: "policy", resource: "poddisruptionbudgets", verbs: ["list"], ...cluster },
            { resource: "pods/eviction", verbs: ["create"], ...cluster },
          ],
        }
      : {}),
  };
}

/** Whether there are credentials, the API server answers, and it lets the service do what it has to. */
export async function examine(values: EngineSettings, system: System): Promise<Finding[]> {
  const isForOthers = values["schedule"] === "all";
  // What else such a pool may have is the scheduler's to read.
  const settings = isForOthers ? readForOthers(new Settings("kubernetes", values)) : readSettings(values);
  const { namespace, nodeSelector } = settings;
  const what = "Kubernetes";
  let credentials: Awaited<ReturnType<typeof findCredentials>>;
  try {
    credentials = await findCredentials(settings, system, process.env, readText);
  } catch (error) {
    return [
      {
        what,
        found: (error as Error).message,
        change:
          "set KUBECONFIG for the service, or give kubeconfig in the pool's engine: docs/live/kubernetes.md",
      },
    ];
  }
  const connection = connect(credentials);
  try {
    const version = await connection.call({ method: "GET", path: "/version" });
    const { origin } = await credentials();
    if (!version.ok && isUnauthorized(version) && origin !== undefined)
      return [
        {
          what,
          found: `it answers that it does not know the service (401): ${origin.what} is wrong or has expired`,
          change: `to renew it, ${origin.renewal}`,
        },
      ];
    if (!version.ok)
      return [
        {
          what,
          found: `it does not answer: ${version.message}`,
          change: "kubectl cluster-info, with the same kubeconfig",
        },
      ];
    const findings: Finding[] = [{ what, found: "it answers", change: null }];
    if (isForOthers)
      findings.push({
        what,
        found: "croft schedule-pods serves this pool, not croft serve; its log and /readyz say how it does",
        change: null,
      });
    const rights = Object.entries(rightsOf(values)).flatMap(([file, all]) =>
      all.map((right) => ({ file, right })),
    );
    for (const { file, right } of rights)
      for (const verb of right.verbs) {
        const { group = "", resource: path, isOfNamespace, name } = right;
        const [resource, subresource = ""] = path.split("/");
        const answer = await connection.call({
          method: "POST",
          path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
          body: {
            apiVersion: "authorization.k8s.io/v1",
            kind: "SelfSubjectAccessReview",
            spec: {
              resourceAttributes: {
                verb,
                group,
                resource,
                subresource,
                ...(name === undefined ? {} : { name }),
                ...(isOfNamespace ? { namespace } : {}),
              },
            },
          },
        });
        const place = isOfNamespace ? `in the namespace ${namespace}` : "in the cluster";
        const isAllowed =
          answer.ok && (answer.value as { status?: { allowed?: unknown } } | null)?.status?.allowed === true;
        if (!isAllowed)
          findings.push({
            what,
            found: answer.ok
              ? `the service may not ${verb} ${path} ${place}`
              : `whether it may ${verb} ${path} ${place} is not answered: ${answer.message}`,
            change: `kubectl apply -f ${file} gives it the rights`,
          });
      }
    const query = { ...selecting(nodeSelector), limit: 1 };
    const nodes = await connection.call({ method: "GET", path: "/api/v1/nodes", query });
    if (nodes.ok && (nodes.value as { items?: readonly unknown[] }).items?.length === 0)
      findings.push({ what, ...withoutNodes(selectorOf(nodeSelector)) });
    return findings;
  } finally {
    connection.close();
  }
}

function readForOthers(settings: Settings): AccessSettings & ResourceSettings {
  return { ...readAccess(settings), ...readResources(settings) };
}

/** @param labels those that nodes have to have; empty: any will do */
function withoutNodes(labels: string): Omit<Finding, "what"> {
  if (labels === "") return { found: "the cluster has no nodes", change: "kubectl get nodes" };
  return {
    found: `no node has the label ${labels} of the pool's nodeSelector`,
    change: `kubectl label node NAME ${labels.replaceAll(",", " ")}, or correct nodeSelector`,
  };
}
