import type { EngineSettings } from "../engine-kind.ts";

/** Something that a role allows. */
export interface Right {
  readonly group?: string;
  readonly resource: string;
  readonly verbs: readonly string[];
  /** Or of the whole cluster. */
  readonly isOfNamespace: boolean;
  /** The only object that it is for. */
  readonly name?: string;
}

const FOLDER = "examples/kubernetes";
/** As the examples have them. */
const NAMESPACE = "croft";
const LEASE = "croft-croft";

/** The rights that a pool needs, by the file of the examples that gives them. */
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
  const lease = leaseOf(values);
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

/** The name of the lease of a pool whose pods are scheduled. */
export function leaseOf({ schedulerName }: EngineSettings): string {
  return `croft-${typeof schedulerName === "string" ? schedulerName : "croft"}`;
}

/** What of a pool the examples have by other names. */
export interface Named {
  readonly namespace: string;
  /** Null: it has none. */
  readonly lease: string | null;
}

/** What gives the rights of a file of the examples: goes on with "gives". The names in it are those of the examples. */
export function giverOf(file: string, { namespace, lease }: Named): string {
  const changes = [
    ...(namespace === NAMESPACE ? [] : [`the namespace ${namespace} in place of ${NAMESPACE}`]),
    ...(lease === null || lease === LEASE ? [] : [`the lease ${lease} in place of ${LEASE}`]),
  ];
  if (changes.length === 0) return `kubectl apply -f ${file}`;
  return `a copy of ${file} with ${changes.join(" and ")} (kubectl apply -f)`;
}

/** The service account that a file of the examples makes, if it is made in that namespace. */
export function accountOf(file: string, namespace: string): string {
  return `${namespace}/${file.endsWith("own-jobs.yaml") ? "croft" : "croft-scheduler"}`;
}
