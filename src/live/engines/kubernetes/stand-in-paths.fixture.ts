import type { ApiObject, Pod } from "./objects.ts";

/** The collections that the stand-in for an API server has. */
export const kinds = ["nodes", "pods", "events", "leases", "podgroups", "poddisruptionbudgets"] as const;
export type Kind = (typeof kinds)[number];

export type Stored = ApiObject &
  Partial<Pick<Pod, "spec">> & {
    readonly status?: Pod["status"] & BudgetStatus;
    readonly [field: string]: unknown;
  };

interface BudgetStatus {
  readonly disruptionsAllowed?: number;
}

/** What a path names. */
export interface Target {
  /** Of the API; empty: the core's. */
  readonly group: string;
  readonly kind: Kind;
  readonly namespace: string | null;
  readonly name: string | null;
  readonly part: string | null;
}

export function targetOf(path: string): Target | null {
  const match =
    /^(?:\/api\/v1|\/apis\/([^/]+)\/[^/]+)(?:\/namespaces\/([^/]+))?\/([a-z]+)(?:\/([^/]+)(?:\/(status|binding|eviction|log))?)?$/.exec(
      path,
    );
  const [, group = "", namespace, kind = "", name, part] = match ?? [];
  if (!kinds.includes(kind as Kind)) return null;
  return { group, kind: kind as Kind, namespace: namespace ?? null, name: name ?? null, part: part ?? null };
}

export function keyOf(object: Pick<Target, "namespace" | "name"> | Stored): string {
  const { namespace, name } = "metadata" in object ? object.metadata : object;
  return `${namespace ?? ""}/${name}`;
}

export function matcher({ namespace }: Target, query: URLSearchParams): (object: Stored) => boolean {
  const terms = (key: string): string[] => (query.get(key) ?? "").split(",").filter((term) => term !== "");
  const labels = terms("labelSelector").map((term) => term.split("="));
  const fields = terms("fieldSelector").map((term) => /^([^!=]+)(!?=)(.*)$/.exec(term)!);
  return (object) => {
    if (namespace !== null && object.metadata.namespace !== namespace) return false;
    if (labels.some(([label, value]) => object.metadata.labels?.[label] !== value)) return false;
    return fields.every(([, field, operator, value]) => {
      const has = field === "spec.nodeName" ? object.spec?.nodeName : object.status?.phase;
      return ((has ?? "") === value) === (operator === "=");
    });
  };
}
