import { readFileSync } from "node:fs";

import { parseAllDocuments } from "yaml";

import type { Connection } from "../src/live/engines/kubernetes/connection.ts";

const RIGHTS = "/apis/rbac.authorization.k8s.io/v1";
const PLACES: Readonly<Record<string, { readonly group: string; readonly plural: string }>> = {
  Namespace: { group: "/api/v1", plural: "namespaces" },
  ServiceAccount: { group: "/api/v1", plural: "serviceaccounts" },
  Role: { group: RIGHTS, plural: "roles" },
  RoleBinding: { group: RIGHTS, plural: "rolebindings" },
  ClusterRole: { group: RIGHTS, plural: "clusterroles" },
  ClusterRoleBinding: { group: RIGHTS, plural: "clusterrolebindings" },
};

/** Makes what a manifest of rights has, as `kubectl apply` would. */
export async function grantRights(admin: Connection, path: string): Promise<void> {
  for (const document of parseAllDocuments(readFileSync(path, "utf8"))) {
    const body = document.toJS() as { kind: string; metadata: { namespace?: string } };
    const place = PLACES[body.kind];
    if (place === undefined) throw new Error(`no place is known for a ${body.kind}`);
    const { namespace } = body.metadata;
    const within = namespace === undefined ? "" : `/namespaces/${namespace}`;
    const answer = await admin.call({
      method: "POST",
      path: `${place.group}${within}/${place.plural}`,
      body,
    });
    if (!answer.ok) throw new Error(`${body.kind}: ${answer.message}`);
  }
}
