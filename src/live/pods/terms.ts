import type { Node, Taint, Toleration } from "../engines/kubernetes/objects.ts";
import { tolerates } from "../engines/kubernetes/tolerates.ts";
import type { NodeExpression, NodeSelectorTerm, ScheduledPod } from "./objects.ts";

/** What a pod asks of the node that it may be on, amounts aside. */
export interface Terms {
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** One of them has to be met; null: nothing is asked. */
  readonly affinity: readonly NodeSelectorTerm[] | null;
  readonly tolerations: readonly Toleration[];
  /** It is on this node already; null: it is on none. */
  readonly pinnedTo: string | null;
  /** Whether others may be evicted for it: no matter of nodes, but one in which jobs of a kind are alike. */
  readonly preempts: boolean;
}

/** The operators that node affinity may have. A later version of the API may have more. */
export const nodeOperators: readonly string[] = ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"];

export function termsOf({ spec }: ScheduledPod): Terms {
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return {
    nodeSelector: spec.nodeSelector ?? {},
    affinity: required?.nodeSelectorTerms ?? null,
    tolerations: spec.tolerations ?? [],
    pinnedTo: null,
    preempts: spec.preemptionPolicy !== "Never",
  };
}

/** Why a node may not take a pod with these terms; null: it may. */
export function whyNot(terms: Terms, node: Node): string | null {
  const { name, labels = {} } = node.metadata;
  if (terms.pinnedTo !== null) return terms.pinnedTo === name ? null : "are not the one that it is on";
  const isSelected = Object.entries(terms.nodeSelector).every(([label, value]) => labels[label] === value);
  if (!isSelected || terms.affinity?.some((term) => meets(term, name, labels)) === false)
    return "did not match the pod's node affinity or selector";
  const taint = taintsOf(node).find(
    (each) => !terms.tolerations.some((toleration) => tolerates(toleration, each)),
  );
  return taint === undefined ? null : `had the untolerated taint ${taint.key}`;
}

/** The taints that keep pods off: of a cordoned node too, where its controller has not added it yet. */
export function taintsOf({ spec }: Node): readonly Taint[] {
  const taints = (spec?.taints ?? []).filter(({ effect }) => effect !== "PreferNoSchedule");
  const cordon = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };
  const isTold = taints.some(({ key }) => key === cordon.key);
  return spec?.unschedulable === true && !isTold ? [...taints, cordon] : taints;
}

/** A term that asks for nothing is met by no node. */
function meets(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  name: string,
  labels: Readonly<Record<string, string>>,
): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  return (
    matchExpressions.every((expression) => holds(expression, labels[expression.key])) &&
    matchFields.every((field) => holds(field, field.key === "metadata.name" ? name : undefined))
  );
}

function holds({ operator, values = [] }: NodeExpression, value: string | undefined): boolean {
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
    case "Lt": {
      const [left, right] = [value, values[0]].map((each) =>
        /^-?\d+$/.test(each ?? "") ? BigInt(each!) : null,
      );
      if (left == null || right == null) return false;
      return operator === "Gt" ? left > right : left < right;
    }
    default:
      return false;
  }
}
