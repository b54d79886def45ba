import type { Stored } from "./stand-in-paths.fixture.ts";

interface Budget {
  readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> };
}

/** What the API server answers to an eviction that it refuses. */
interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
}

/** The budget that an eviction of a pod takes from, as it is afterwards, if one covers it; or why it is refused. */
export function budgetAfter(
  pod: Stored,
  budgets: readonly Stored[],
): { readonly budget: Stored | null } | { readonly refusal: Refusal } {
  if (pod.status?.phase !== "Running" || pod.metadata.deletionTimestamp !== undefined)
    return { budget: null };
  const { labels = {}, namespace } = pod.metadata;
  const covering = budgets.filter(({ metadata, spec }) => {
    const { matchLabels = {} } = (spec as Budget | undefined)?.selector ?? {};
    const isSelected = Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
    return metadata.namespace === namespace && isSelected;
  });
  if (covering.length > 1) {
    const message =
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
    return { refusal: { status: 500, reason: "InternalError", message } };
  }
  const [budget] = covering;
  if (budget === undefined) return { budget: null };
  const { disruptionsAllowed = 0 } = budget.status ?? {};
  if (disruptionsAllowed > 0)
    return {
      budget: { ...budget, status: { ...budget.status, disruptionsAllowed: disruptionsAllowed - 1 } },
    };
  const message = "Cannot evict pod as it would violate the pod's disruption budget.";
  return { refusal: { status: 429, reason: "TooManyRequests", message } };
}
