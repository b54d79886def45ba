import type { Pod, Toleration } from "../engines/kubernetes/objects.ts";

/** What is read of a pod to schedule it. */
export interface ScheduledPod extends Pod {
  readonly metadata: Pod["metadata"] & {
    readonly annotations?: Readonly<Record<string, string>>;
    readonly creationTimestamp?: string;
  };
  readonly spec: Pod["spec"] & {
    readonly schedulerName?: string;
    readonly priority?: number;
    readonly preemptionPolicy?: string;
    readonly activeDeadlineSeconds?: number;
    readonly nodeSelector?: Readonly<Record<string, string>>;
    readonly tolerations?: readonly Toleration[];
    readonly affinity?: Affinity;
    readonly schedulingGates?: readonly { readonly name: string }[];
    readonly schedulingGroup?: { readonly podGroupName?: string };
    readonly workloadRef?: object;
    readonly topologySpreadConstraints?: readonly { readonly whenUnsatisfiable?: string }[];
    readonly resourceClaims?: readonly object[];
    readonly volumes?: readonly Readonly<Record<string, unknown>>[];
  };
  readonly status?: NonNullable<Pod["status"]> & { readonly nominatedNodeName?: string };
}

export interface Affinity {
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: {
      readonly nodeSelectorTerms: readonly NodeSelectorTerm[];
    };
    readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly object[];
  };
  readonly podAffinity?: PodAffinity;
  readonly podAntiAffinity?: PodAffinity;
}

interface PodAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly object[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly object[];
}

export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeExpression[];
  readonly matchFields?: readonly NodeExpression[];
}

export interface NodeExpression {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}
