import { isPassing, type ApiFailure, type Connection } from "../engines/kubernetes/connection.ts";
import type { ScheduledPod } from "./objects.ts";
import { byAge, newUnit, type Unit, type Verdict } from "./unit.ts";
import type { PodWish } from "./wish.ts";

/** The kinds of PodGroup: where they are, and where each says how many of its pods start together. */
const kinds = [
  {
    path: "/apis/scheduling.k8s.io/v1alpha2",
    nameOf: ({ spec }: ScheduledPod) => spec.schedulingGroup?.podGroupName,
    leastOf: (group: GroupSpec) => group.schedulingPolicy?.gang?.minCount ?? 1,
  },
  {
    path: "/apis/scheduling.x-k8s.io/v1alpha1",
    nameOf: ({ metadata: { labels = {} } }: ScheduledPod) =>
      labels["scheduling.x-k8s.io/pod-group"] ?? labels["pod-group.scheduling.sigs.k8s.io"],
    leastOf: (group: GroupSpec) => group.minMember ?? 1,
  },
];

interface GroupSpec {
  readonly minMember?: number;
  readonly schedulingPolicy?: { readonly gang?: { readonly minCount?: number } };
}

/** How many pods of a gang start together; or why that is not known. */
export type Least = { readonly least: number } | { readonly problem: string };

/** The path of the PodGroup that a pod is of, which is the name of its gang; null: it is of none. */
export function gangOf(pod: ScheduledPod): string | null {
  for (const { path, nameOf } of kinds) {
    const name = nameOf(pod);
    if (name !== undefined && name !== "")
      return `${path}/namespaces/${pod.metadata.namespace}/podgroups/${encodeURIComponent(name)}`;
  }
  return null;
}

function leastOf(gang: string, group: { readonly spec?: GroupSpec }): Least {
  const kind = kinds.find(({ path }) => gang.startsWith(path))!;
  const least = kind.leastOf(group.spec ?? {});
  return Number.isInteger(least) && least >= 1 && least <= MOST_PODS
    ? { least }
    : { problem: `its PodGroup asks for ${least} pods together: from 1 to ${MOST_PODS} can` };
}

/** Asks for a gang's PodGroup. An API server that does not answer now says nothing against what is known. */
export async function readLeast(
  connection: Connection,
  gang: string,
  known: Least | undefined,
): Promise<Least> {
  const answer = await connection.call({ method: "GET", path: gang });
  if (answer.ok) return leastOf(gang, answer.value as object);
  return known !== undefined && isPassing(answer) ? known : { problem: whyNoGroup(gang, answer) };
}

/** Why a PodGroup cannot be had, and what to do. */
function whyNoGroup(gang: string, { status, message }: ApiFailure): string {
  const [, version = "", namespace = "", name = ""] =
    /^\/apis\/(.*)\/namespaces\/(.*)\/podgroups\/(.*)$/.exec(gang) ?? [];
  const group = `PodGroup ${namespace}/${decodeURIComponent(name)} of ${version}`;
  return status === 404
    ? `there is no ${group}: make it, or install its kind where the cluster has none`
    : `its ${group} cannot be had: ${message}`;
}

/** A job may have more tasks; an object of the API that asks for more is a mistake. */
const MOST_PODS = 10_000;

export interface Member {
  readonly pod: ScheduledPod;
  readonly wish: PodWish;
}

/**
 * The pods of a gang that start together: as many as are missing of its least number, or each by itself where that many
 * are on nodes already.
 *
 * @param placed how many are on nodes, or about to be
 */
export function gather(
  gang: string,
  members: readonly Member[],
  placed: number,
  known: Least,
): Unit[] | Verdict {
  if ("problem" in known) return { reason: "GangIncomplete", message: known.problem };
  const sorted = members.toSorted((left, right) => byAge(left.pod, right.pod));
  const missing = known.least - placed;
  if (missing <= 0) return sorted.map(({ pod, wish }) => newUnit(pod.metadata.uid, [pod.metadata.uid], wish));
  if (sorted.length < missing)
    return {
      reason: "GangIncomplete",
      message: `it waits for the others of its gang: there are ${sorted.length + placed} of ${known.least} pods`,
    };
  const together = sorted.slice(0, missing);
  const wish = together[0]!.wish;
  // A job has one request for all of its tasks.
  if (together.some((each) => JSON.stringify(requestOf(each.wish)) !== JSON.stringify(requestOf(wish))))
    return {
      reason: "GangIncomplete",
      message:
        "croft does not schedule it: the pods of its gang differ in what they ask for, in their terms or in their priority",
    };
  const estimateSeconds = Math.max(...together.map((each) => each.wish.estimateSeconds));
  const uids = together.map(({ pod }) => pod.metadata.uid);
  return [newUnit(gang, uids, { ...wish, tasks: missing, estimateSeconds })];
}

/** All but its run time, which may differ. */
function requestOf(wish: PodWish): object {
  return { ...wish, estimateSeconds: 0 };
}
