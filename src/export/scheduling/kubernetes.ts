import type { SchedulingExporter } from "./advice.ts";
import type { SchedulingPolicy } from "./policy.ts";

export const kubernetesScheduling: SchedulingExporter = {
  name: "kubernetes",
  title: "Kubernetes, with Kueue for the order",
  tried:
    "not on a cluster: the structure of the files is checked. Written from the documentation of Kubernetes 1.30 and Kueue 0.8.",
  advise: (policy) => ({
    settings: [
      {
        name: "kube-scheduler.yaml",
        where: "to kube-scheduler, --config FILE; a profile of its own leaves other pods alone",
        lines: schedulerLines(policy),
      },
      {
        name: "cluster-queue.yaml",
        where:
          "to Kueue, into the spec of the ClusterQueue: kubectl patch clusterqueue NAME --type merge --patch-file",
        lines: [
          policy.passing === "none"
            ? "# No workload passes the first one that does not fit."
            : "# Workloads that fit pass those that do not.",
          "spec:",
          `  queueingStrategy: ${policy.passing === "none" ? "StrictFIFO" : "BestEffortFIFO"}`,
        ],
      },
    ],
    missing: missing(policy),
    know: [
      "Pods name the profile: schedulerName: croft.",
      "Kueue admits by quota, not by what is free on each node: set the ClusterQueue's nominalQuota to what its nodes have.",
    ],
    check: [
      "kubectl get clusterqueue -o custom-columns=NAME:.metadata.name,STRATEGY:.spec.queueingStrategy",
      "kubectl get pods -o wide    # where pods of one kind go",
    ],
  }),
};

interface Scoring {
  readonly type: "MostAllocated" | "LeastAllocated";
  readonly cpu: number;
  readonly memory: number;
}

const scorings: Readonly<Record<string, Scoring>> = {
  "best-fit-cores": { type: "MostAllocated", cpu: 1, memory: 0 },
  "worse-fit-cores": { type: "LeastAllocated", cpu: 1, memory: 0 },
  "best-fit-memory": { type: "MostAllocated", cpu: 0, memory: 1 },
  "worse-fit-memory": { type: "LeastAllocated", cpu: 0, memory: 1 },
};

function schedulerLines({ placement }: SchedulingPolicy): string[] {
  const isBalanced = placement === "mix-fit" || placement === "mix-fit-origin";
  const scoring = scorings[placement] ?? { type: "MostAllocated", cpu: 1, memory: 1 };
  const resources = (["cpu", "memory"] as const).filter((name) => scoring[name] > 0);
  return [
    isBalanced
      ? "# Nodes whose cores and memory are used in equal parts first: near mix-fit."
      : scorings[placement] === undefined
        ? "# The fullest node that fits first."
        : `# Nodes by ${placement}, as parts of what each has.`,
    "apiVersion: kubescheduler.config.k8s.io/v1",
    "kind: KubeSchedulerConfiguration",
    "profiles:",
    "  - schedulerName: croft",
    "    plugins:",
    "      score:",
    "        disabled:",
    '          - name: "*"',
    "        enabled:",
    `          - name: ${isBalanced ? "NodeResourcesBalancedAllocation" : "NodeResourcesFit"}`,
    "    pluginConfig:",
    ...(isBalanced
      ? ["      - name: NodeResourcesBalancedAllocation", "        args:", "          resources:"]
      : [
          "      - name: NodeResourcesFit",
          "        args:",
          "          scoringStrategy:",
          `            type: ${scoring.type}`,
          "            resources:",
        ]),
    ...resources.flatMap((name) => {
      const indent = isBalanced ? "            " : "              ";
      return [`${indent}- name: ${name}`, `${indent}  weight: 1`];
    }),
  ];
}

function missing({ passing, placement, beyond, fairShare }: SchedulingPolicy): string[] {
  return [
    ...(["easy", "easy-sjbf", "backfill", "conservative"].includes(passing)
      ? [
          "Neither Kubernetes nor Kueue knows how long a job will run: nothing is kept free for a job that waits, and there is no backfilling. With these lines any workload that fits passes, as under first-fit; with StrictFIFO none would pass.",
        ]
      : []),
    ...(fairShare === null
      ? []
      : fairShare === "running"
        ? [
            "Nothing is written for fair share. Near to it: fairSharing in Kueue's configuration shares out what the queues of a cohort borrow, by weight and by what they use now; within a quota jobs come in order.",
          ]
        : [
            `Nothing is written for fair share. Newer versions of Kueue order the LocalQueues of a ClusterQueue by what they used: admissionFairSharing in Kueue's configuration, with usageHalfLifeTime: ${fairShare.halfLifeSeconds}s. It was not tried.`,
          ]),
    ...(placement === "first-fit"
      ? [
          "There is no order of nodes: the lines take the fullest node that fits, which packs as first-fit does.",
        ]
      : scorings[placement] === undefined && !placement.startsWith("mix-fit")
        ? [`kube-scheduler does not choose nodes by ${placement}.`]
        : []),
    ...(beyond === null ? [] : [`Kubernetes does not do this: ${beyond}.`]),
  ];
}
