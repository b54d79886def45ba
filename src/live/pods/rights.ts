import type { ApiRequest, Connection } from "../engines/kubernetes/connection.ts";
import { isOfRights } from "../engines/kubernetes/missing-right.ts";
import { giverOf, leaseOf } from "../engines/kubernetes/needed-rights.ts";
import type { Plan } from "./plan.ts";

const FILES = "examples/kubernetes/scheduler";
/** The resources that only `evict: true` needs. */
const EVICTIONS = ["poddisruptionbudgets", "pods/eviction"];
/** What is not done without a right, by its resource. */
const consequences: Readonly<Record<string, string>> = {
  "pods/status": "pods are not told why they are pending",
  "pods/binding": "no pod is bound",
  events: "no event tells why pods cannot be scheduled",
};

/** What gives the right to use a resource: goes on with "gives". */
export function giverOfRight(resource: string, { namespace, schedulerName }: Named): string {
  const file = `${FILES}/${EVICTIONS.includes(resource) ? "evictions.yaml" : "rights.yaml"}`;
  const lease = EVICTIONS.includes(resource) ? null : leaseOf({ schedulerName });
  return giverOf(file, { namespace, lease });
}

type Named = Pick<Plan, "namespace" | "schedulerName">;

/**
 * A connection that says which rights are missing, once, and that they are there again. What lists and watches is not
 * among it: that says so itself.
 */
export function tellingRights(connection: Connection, named: Named, log: (text: string) => void): Connection {
  /** By verb and resource: the namespaces where it was refused. */
  const missing = new Map<string, Set<string>>();
  return {
    ...connection,
    call: async (request) => {
      const answer = await connection.call(request);
      const { verb, resource, namespace } = rightOf(request);
      const right = `${verb} ${resource}`;
      const places = missing.get(right);
      if (answer.ok) {
        if (places?.has(namespace) === true) {
          missing.delete(right);
          log(`may ${right} again, in the namespace ${namespace}`);
        }
      } else if (answer.status === 403 && isOfRights(answer.message) && namespace !== "") {
        if (places === undefined) {
          const consequence = consequences[resource];
          const so = consequence === undefined ? "" : `: ${consequence}`;
          log(
            `may not ${right} in the namespace ${namespace}${so}. ${giverOfRight(resource, named)} gives it the right; until then it is tried now and then`,
          );
        }
        missing.set(right, (places ?? new Set()).add(namespace));
      }
      return answer;
    },
  };
}

function rightOf({ method, path }: ApiRequest): { verb: string; resource: string; namespace: string } {
  const [, namespace = "", kind = "", name, part] =
    /\/namespaces\/([^/]+)\/([^/]+)(?:\/([^/]+)(?:\/([^/]+))?)?$/.exec(path) ?? [];
  const reading = name === undefined ? "list" : "get";
  const verbs: Readonly<Record<string, string>> = { POST: "create", PUT: "update", PATCH: "patch" };
  return {
    verb: verbs[method] ?? reading,
    resource: part === undefined ? kind : `${kind}/${part}`,
    namespace,
  };
}
