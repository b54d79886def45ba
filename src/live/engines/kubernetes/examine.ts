import { stat } from "node:fs/promises";

import type { EngineSettings, System } from "../engine-kind.ts";
import type { Finding } from "../finding.ts";
import { Settings } from "../settings.ts";
import { connect, isUnauthorized, type ApiAnswer, type Connection } from "./connection.ts";
import { findCredentials, readText, serviceAccountOf, type CredentialSource } from "./credentials.ts";
import { examineLease, examineNodes } from "./examine-objects.ts";
import { accountOf, giverOf, leaseOf, rightsOf, type Right } from "./needed-rights.ts";
import type { Toleration } from "./objects.ts";
import {
  readAccess,
  readResources,
  readSettings,
  type AccessSettings,
  type ResourceSettings,
} from "./settings.ts";

const WHAT = "Kubernetes";
const EVERYBODY_READS = 0o004;
/** Pods say themselves what they tolerate. */
const ANY_TAINT: readonly Toleration[] = [{ operator: "Exists" }];

interface Examined extends AccessSettings, ResourceSettings {
  readonly tolerations: readonly Toleration[];
}

/**
 * Whether there are credentials, the API server answers, lets the service do what it has to, and has nodes that take
 * pods.
 */
export async function examine(values: EngineSettings, system: System): Promise<Finding[]> {
  const isForOthers = values["schedule"] === "all";
  // What else such a pool may have is the scheduler's to read.
  const settings = isForOthers ? readForOthers(new Settings("kubernetes", values)) : readSettings(values);
  let credentials: CredentialSource;
  try {
    credentials = await findCredentials(settings, system, process.env, readText);
  } catch (error) {
    return [
      {
        what: WHAT,
        found: (error as Error).message,
        change:
          "correct kubeconfig and context of the pool's engine, or set KUBECONFIG for the service: docs/live/kubernetes.md",
      },
    ];
  }
  const connection = connect(credentials);
  try {
    const version = await connection.call({ method: "GET", path: "/version" });
    if (!version.ok) return [await unanswered(version, credentials)];
    const findings = [
      { what: WHAT, found: "it answers", change: null },
      ...(await examineKubeconfig(credentials)),
      ...(await examineNamespace(connection, settings.namespace)),
      ...(await examineRights(connection, values, settings.namespace, credentials)),
      ...(await examineNodes(
        connection,
        settings.nodeSelector,
        isForOthers ? ANY_TAINT : settings.tolerations,
      )),
    ];
    return isForOthers
      ? [...findings, await examineLease(connection, settings.namespace, leaseOf(values), system.clock)]
      : findings;
  } finally {
    connection.close();
  }
}

async function unanswered(
  answer: Exclude<ApiAnswer, { ok: true }>,
  credentials: CredentialSource,
): Promise<Finding> {
  // A program that prints tokens may fail.
  const origin = await credentials().then(
    (found) => found.origin,
    () => undefined,
  );
  if (!isUnauthorized(answer))
    return {
      what: WHAT,
      found: answer.status === null ? answer.message : `it does not answer: ${answer.message}`,
      change: "kubectl cluster-info, with the same kubeconfig",
    };
  if (origin === undefined)
    return {
      what: WHAT,
      found: `there is nothing to show to it: ${answer.message}`,
      change: "correct what the user of the kubeconfig has: kubectl cluster-info, with the same kubeconfig",
    };
  return {
    what: WHAT,
    found: `it answers that it does not know the service (401): ${origin.what} is wrong or has expired`,
    change: `to renew it, ${origin.renewal}`,
  };
}

/** Whoever reads it may do what the service may. */
async function examineKubeconfig(credentials: CredentialSource): Promise<Finding[]> {
  const path = (await credentials()).origin?.path;
  const found = path === undefined ? null : await stat(path).catch(() => null);
  // That of a service account is a folder.
  if (found === null || !found.isFile() || (found.mode & EVERYBODY_READS) === 0) return [];
  return [
    {
      what: WHAT,
      found: `everybody on this machine may read ${path}, and do with it what the service may`,
      change: `chmod 600 ${path}`,
    },
  ];
}

async function examineNamespace(connection: Connection, namespace: string): Promise<Finding[]> {
  const answer = await connection.call({ method: "GET", path: `/api/v1/namespaces/${namespace}` });
  // Most may not ask.
  if (answer.ok || answer.status !== 404) return [];
  return [
    {
      what: WHAT,
      found: `there is no namespace ${namespace}`,
      change: `kubectl create namespace ${namespace}, or correct namespace`,
    },
  ];
}

async function examineRights(
  connection: Connection,
  values: EngineSettings,
  namespace: string,
  credentials: CredentialSource,
): Promise<Finding[]> {
  const lease = values["schedule"] === "all" ? leaseOf(values) : null;
  const bearer = (await credentials()).headers["authorization"] ?? "";
  const account = serviceAccountOf(bearer.replace(/^Bearer /, ""));
  const findings: Finding[] = [];
  for (const [file, rights] of Object.entries(rightsOf(values)))
    for (const right of rights)
      for (const verb of right.verbs) {
        const answer = await ask(connection, right, verb, namespace);
        const { resource, isOfNamespace } = right;
        const place = isOfNamespace ? `in the namespace ${namespace}` : "in the cluster";
        const isAllowed =
          answer.ok && (answer.value as { status?: { allowed?: unknown } } | null)?.status?.allowed === true;
        if (isAllowed) continue;
        const meant = accountOf(file, namespace);
        findings.push({
          what: WHAT,
          found: answer.ok
            ? `the service may not ${verb} ${resource} ${place}`
            : `whether it may ${verb} ${resource} ${place} is not answered: ${answer.message}`,
          change:
            account === null || account === meant
              ? `${giverOf(file, { namespace, lease })} gives it the rights`
              : `the service is ${account}; ${file} is for ${meant} where the namespace is ${namespace}: give it a token of that one, or correct namespace`,
        });
      }
  return findings;
}

function ask(
  connection: Connection,
  { group = "", resource: path, isOfNamespace, name }: Right,
  verb: string,
  namespace: string,
): Promise<ApiAnswer> {
  const [resource, subresource = ""] = path.split("/");
  return connection.call({
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
}

function readForOthers(settings: Settings): Examined {
  return { ...readAccess(settings), ...readResources(settings), tolerations: [] };
}
