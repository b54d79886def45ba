import type { EngineSettings, System } from "../engine-kind.ts";
import type { Finding } from "../finding.ts";
import { connect } from "./connection.ts";
import { findCredentials, readText } from "./credentials.ts";
import { readSettings } from "./settings.ts";

/** As examples/kubernetes/own-jobs.yaml gives them. */
const RIGHTS = [
  { resource: "pods", verbs: ["get", "list", "watch", "create", "delete"], isOfNamespace: true },
  { resource: "pods/binding", verbs: ["create"], isOfNamespace: true },
  { resource: "pods/log", verbs: ["get"], isOfNamespace: true },
  { resource: "pods", verbs: ["list", "watch"], isOfNamespace: false },
  { resource: "nodes", verbs: ["list", "watch"], isOfNamespace: false },
] as const;

/** Whether there are credentials, the API server answers, and it lets the service do what it has to. */
export async function examine(values: EngineSettings, system: System): Promise<Finding[]> {
  const settings = readSettings(values);
  const { namespace } = settings;
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
    if (!version.ok)
      return [
        {
          what,
          found: `it does not answer: ${version.message}`,
          change: "kubectl cluster-info, with the same kubeconfig",
        },
      ];
    const findings: Finding[] = [{ what, found: "it answers", change: null }];
    for (const { resource, verbs, isOfNamespace } of RIGHTS)
      for (const verb of verbs) {
        const [name, subresource = ""] = resource.split("/");
        const answer = await connection.call({
          method: "POST",
          path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
          body: {
            apiVersion: "authorization.k8s.io/v1",
            kind: "SelfSubjectAccessReview",
            spec: {
              resourceAttributes: {
                verb,
                resource: name,
                subresource,
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
              ? `the service may not ${verb} ${resource} ${place}`
              : `whether it may ${verb} ${resource} ${place} is not answered: ${answer.message}`,
            change: "kubectl apply -f examples/kubernetes/own-jobs.yaml gives it the rights",
          });
      }
    return findings;
  } finally {
    connection.close();
  }
}
