import { nodeOperators } from "./terms.ts";
import type { ScheduledPod } from "./objects.ts";

/** What a pod may ask for and does not get: it stays pending, and is told. */
interface Feature {
  readonly name: string;
  /** What of it a pod asks for, by name; empty: it asks for none. */
  asked(pod: ScheduledPod, gpuResource: string): readonly string[];
  /** @param what the names of what it asks for */
  message(what: string): string;
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
    asked: ({ spec }) => keysOf(spec.affinity?.podAffinity?.[REQUIRED]),
    message: (what) => `it asks to be near other pods (required podAffinity by ${what})`,
  },
  {
    name: "pod anti-affinity",
    asked: ({ spec }) => keysOf(spec.affinity?.podAntiAffinity?.[REQUIRED]),
    message: (what) => `it asks to be away from other pods (required podAntiAffinity by ${what})`,
  },
  {
    name: "topology spread",
    asked: ({ spec }) =>
      keysOf(spec.topologySpreadConstraints?.filter((each) => each.whenUnsatisfiable !== "ScheduleAnyway")),
    message: (what) => `it asks to be spread (topologySpreadConstraints with DoNotSchedule by ${what})`,
  },
  {
    name: "operator of node affinity",
    asked: ({ spec }) =>
      (spec.affinity?.nodeAffinity?.[REQUIRED]?.nodeSelectorTerms ?? []).flatMap(
        ({ matchExpressions = [], matchFields = [] }) => [
          ...[...matchExpressions, ...matchFields]
            .filter(({ operator }) => !nodeOperators.includes(operator))
            .map(({ key, operator }) => `${operator} of ${key}`),
          ...matchFields.filter(({ key }) => key !== "metadata.name").map(({ key }) => `the field ${key}`),
        ],
      ),
    message: (what) => `its node affinity has an operator or a field that is not known here: ${what}`,
  },
  {
    name: "operator of tolerations",
    asked: ({ spec }) =>
      (spec.tolerations ?? [])
        .filter(({ operator }) => !TOLERATION_OPERATORS.includes(operator))
        .map(({ key = "", operator }) => `${operator} of ${key}`),
    message: (what) => `a toleration of it has an operator that is not known here: ${what}`,
  },
  {
    name: "resource claims",
    asked: ({ spec }) => (spec.resourceClaims ?? []).map(nameOf),
    message: (what) =>
      `it asks for devices by resource claims (${what}), which its scheduler would have to allocate`,
  },
  {
    name: "volumes",
    asked: ({ spec }) =>
      (spec.volumes ?? []).flatMap((volume) =>
        Object.keys(volume)
          .filter((field) => field !== "name" && !VOLUMES.includes(field))
          .map((field) => `${nameOf(volume)}: ${field}`),
      ),
    message: (what) =>
      `it has a volume that may bind it to some nodes (${what}); these have no say: ${VOLUMES.join(", ")}`,
  },
  {
    name: "host ports",
    asked: ({ spec }) =>
      [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap(({ ports = [] }) =>
        ports.filter(({ hostPort = 0 }) => hostPort !== 0).map(({ hostPort }) => String(hostPort)),
      ),
    message: (what) => `it asks for ports of its node (hostPort ${what})`,
  },
  {
    name: "other resources",
    asked: (pod, gpuResource) =>
      resourcesOf(pod).filter((name) => !["cpu", "memory", gpuResource].includes(name)),
    message: (what) =>
      `it requests what is not counted here (${what}): only cpu, memory and the pool's gpuResource are`,
  },
  {
    name: "workload reference",
    asked: ({ spec }) => (spec.workloadRef === undefined ? [] : [nameOf(spec.workloadRef)]),
    message: (what) => `it is of a gang by workloadRef (${what}): a PodGroup is understood`,
  },
];

/** What is accepted and has no say. */
export const ignored: readonly Feature[] = [
  {
    name: "preferences",
    asked: ({ spec: { affinity, topologySpreadConstraints = [] } }) => [
      ...(["nodeAffinity", "podAffinity", "podAntiAffinity"] as const).filter(
        (each) => (affinity?.[each]?.[PREFERRED] ?? []).length > 0,
      ),
      ...topologySpreadConstraints.flatMap(({ whenUnsatisfiable }) =>
        whenUnsatisfiable === "ScheduleAnyway" ? ["topologySpreadConstraints"] : [],
      ),
    ],
    message: (what) =>
      `its preferences among nodes (preferred affinity, ScheduleAnyway) have no say: the pool's policy decides (${what})`,
  },
];

/** Why a pod cannot be scheduled here, however empty the cluster is; null: it can. */
export function whyUnsupported(pod: ScheduledPod, gpuResource: string): string | null {
  const messages = messagesOf(unsupported, pod, gpuResource);
  return messages.length === 0 ? null : `croft does not schedule it: ${messages.join("; ")}`;
}

/** What is to be said of those features that a pod asks for. */
export function messagesOf(features: readonly Feature[], pod: ScheduledPod, gpuResource: string): string[] {
  return features.flatMap((feature) => {
    const asked = [...new Set(feature.asked(pod, gpuResource))];
    return asked.length === 0 ? [] : [feature.message(asked.join(", "))];
  });
}

function keysOf(terms: readonly object[] = []): string[] {
  return terms.map((term) => (term as { topologyKey?: string }).topologyKey ?? "no topologyKey");
}

function nameOf(object: object): string {
  return (object as { name?: string }).name ?? "without a name";
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
