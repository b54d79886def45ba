import { nodeOperators } from "./terms.ts";
import type { ScheduledPod } from "./objects.ts";

/** What a pod may ask for and does not get: it stays pending, and is told. */
interface Feature {
  readonly name: string;
  /** Whether a pod asks for it. */
  isAsked(pod: ScheduledPod, gpuResource: string): boolean;
  readonly message: string;
}

/** Volumes that every node can mount, so that they have no say in where a pod goes. */
const VOLUMES = [
  "configMap",
  "downwardAPI",
  "emptyDir",
  "gitRepo",
  "hostPath",
  "image",
  "nfs",
  "projected",
  "secret",
];
const TOLERATION_OPERATORS = [undefined, "", "Exists", "Equal"];
const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

/** What leaves a pod pending. To support one: take it out here. */
export const unsupported: readonly Feature[] = [
  {
    name: "pod affinity",
    isAsked: ({ spec }) => isSome(spec.affinity?.podAffinity?.[REQUIRED]),
    message: "it asks to be near other pods (required podAffinity)",
  },
  {
    name: "pod anti-affinity",
    isAsked: ({ spec }) => isSome(spec.affinity?.podAntiAffinity?.[REQUIRED]),
    message: "it asks to be away from other pods (required podAntiAffinity)",
  },
  {
    name: "topology spread",
    isAsked: ({ spec }) =>
      (spec.topologySpreadConstraints ?? []).some((each) => each.whenUnsatisfiable !== "ScheduleAnyway"),
    message: "it asks to be spread (topologySpreadConstraints with DoNotSchedule)",
  },
  {
    name: "operator of node affinity",
    isAsked: ({ spec }) =>
      (spec.affinity?.nodeAffinity?.[REQUIRED]?.nodeSelectorTerms ?? []).some(
        ({ matchExpressions = [], matchFields = [] }) =>
          [...matchExpressions, ...matchFields].some(({ operator }) => !nodeOperators.includes(operator)) ||
          matchFields.some(({ key }) => key !== "metadata.name"),
      ),
    message: "its node affinity has an operator or a field that is not known here",
  },
  {
    name: "operator of tolerations",
    isAsked: ({ spec }) =>
      (spec.tolerations ?? []).some(({ operator }) => !TOLERATION_OPERATORS.includes(operator)),
    message: "a toleration of it has an operator that is not known here",
  },
  {
    name: "resource claims",
    isAsked: ({ spec }) => isSome(spec.resourceClaims),
    message: "it asks for devices by resource claims, which its scheduler would have to allocate",
  },
  {
    name: "volumes",
    isAsked: ({ spec }) =>
      (spec.volumes ?? []).some((volume) =>
        Object.keys(volume).some((field) => field !== "name" && !VOLUMES.includes(field)),
      ),
    message: `it has a volume that may bind it to some nodes; these have no say: ${VOLUMES.join(", ")}`,
  },
  {
    name: "host ports",
    isAsked: ({ spec }) =>
      [...(spec.containers ?? []), ...(spec.initContainers ?? [])].some(({ ports = [] }) =>
        ports.some(({ hostPort = 0 }) => hostPort !== 0),
      ),
    message: "it asks for ports of its node (hostPort)",
  },
  {
    name: "other resources",
    isAsked: (pod, gpuResource) =>
      resourcesOf(pod).some((name) => !["cpu", "memory", gpuResource].includes(name)),
    message:
      "it requests a resource that is not counted here: only cpu, memory and the pool's gpuResource are",
  },
  {
    name: "workload reference",
    isAsked: ({ spec }) => spec.workloadRef !== undefined,
    message: "it is of a gang by workloadRef: a PodGroup is understood",
  },
];

/** What is accepted and has no say. */
export const ignored: readonly Feature[] = [
  {
    name: "preferences",
    isAsked: ({ spec: { affinity, topologySpreadConstraints = [] } }) =>
      [affinity?.nodeAffinity, affinity?.podAffinity, affinity?.podAntiAffinity].some((each) =>
        isSome(each?.[PREFERRED]),
      ) || topologySpreadConstraints.some(({ whenUnsatisfiable }) => whenUnsatisfiable === "ScheduleAnyway"),
    message:
      "its preferences among nodes (preferred affinity, ScheduleAnyway) have no say: the pool's policy decides",
  },
];

/** Why a pod cannot be scheduled here, however empty the cluster is; null: it can. */
export function whyUnsupported(pod: ScheduledPod, gpuResource: string): string | null {
  const asked = unsupported.filter((feature) => feature.isAsked(pod, gpuResource));
  return asked.length === 0
    ? null
    : `croft does not schedule it: ${asked.map(({ message }) => message).join("; ")}`;
}

function resourcesOf({ spec }: ScheduledPod): string[] {
  const containers = [
    ...(spec.containers ?? []),
    ...(spec.initContainers ?? []),
    { resources: spec.resources },
  ];
  return [
    ...Object.keys(spec.overhead ?? {}),
    ...containers.flatMap(({ resources }) => [
      ...Object.keys(resources?.requests ?? {}),
      ...Object.keys((resources as { limits?: object } | undefined)?.limits ?? {}),
    ]),
  ];
}

function isSome(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list.length > 0;
}
