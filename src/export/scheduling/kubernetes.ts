import type { SchedulingExporter, Setting } from "./advice.ts";
import { attainable } from "./attainable.ts";
import { clusterQueueSyntax, schedulerSyntax } from "./kubernetes-syntax.ts";
import type { SchedulingPolicy } from "./policy.ts";

export const kubernetesScheduling: SchedulingExporter = {
  name: "kubernetes",
  title: "Kubernetes, with Kueue for the order",
  against: "kube-scheduler's configuration, and what kubectl get clusterqueue NAME -o yaml prints",
  tried:
    "not on a cluster: the structure of the files is checked. Written from the documentation of Kubernetes 1.30 and Kueue 0.8.",
  ofUnlimited: () => null,
  advise: (policy) => ({
    files: [
      {
        name: "kube-scheduler.yaml",
        where:
          "to kube-scheduler, --config FILE. If it has a configuration, add the profile croft to that, and leave the rest as it is: pods whose profile is missing are not scheduled",
        settings: [
          {
            name: "profile croft",
            value: scoringText(policy),
            does: "Pods that name the profile go to nodes in this order; others are scheduled as before.",
            load: "a restart of kube-scheduler (pods go on)",
          },
        ],
        syntax: schedulerSyntax(profileLines(policy)),
      },
      {
        name: "cluster-queue.yaml",
        where: "to Kueue, into the spec of the ClusterQueue",
        settings: [queueing(policy)],
        syntax: clusterQueueSyntax,
      },
    ],
    decisions: [],
    missing: missing(policy),
    know: [
      "With --config kube-scheduler takes what --kubeconfig said from clientConnection.kubeconfig in the file: check that path before the restart, and afterwards that a new pod is scheduled.",
      "Under the profile only this order counts: what pods prefer (affinities, spreading, taints that prefer) does not; what they require does. Let pods that need more stay with the default.",
      "Pods name the profile: schedulerName: croft. Before you take the profile out again let no waiting pod name it: nobody would schedule it.",
      "Kueue admits by quota, not by what is free on each node: set the ClusterQueue's nominalQuota to what its nodes have.",
      "Kueue before 0.7 refuses a change of queueingStrategy. Leave it then: to delete a ClusterQueue takes the workloads that wait in it out of the queue.",
    ],
    check: [
      "kubectl get workloads -A --no-headers | wc -l    # before and after: as many",
      "kubectl get clusterqueue -o custom-columns=NAME:.metadata.name,STRATEGY:.spec.queueingStrategy",
      "kubectl get pods -o wide    # where pods of one kind go",
    ],
  }),
  attainable: (policy) =>
    attainable(policy, {
      passing: { easy: "all", "easy-sjbf": "all", backfill: "all", conservative: "all", kept: "all" },
      placement: [...Object.keys(scorings), "mix-fit"],
      otherwise: "best-fit-cores",
    }),
};

function queueing({ passing }: SchedulingPolicy): Setting {
  const isStrict = passing === "none";
  return {
    name: "queueingStrategy",
    value: isStrict ? "StrictFIFO" : "BestEffortFIFO",
    byDefault: "BestEffortFIFO",
    does: isStrict
      ? "No workload passes the first one that does not fit: one of more than the quota holds up all behind it for good."
      : "Workloads that fit pass those that do not.",
    load: "kubectl patch clusterqueue NAME --type merge --patch-file cluster-queue.yaml",
  };
}

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

function isBalanced({ placement }: SchedulingPolicy): boolean {
  return placement === "mix-fit" || placement === "mix-fit-origin";
}

function scoringText(policy: SchedulingPolicy): string {
  if (isBalanced(policy)) return "nodes whose cores and memory are used in equal parts first: near mix-fit";
  return scorings[policy.placement] === undefined
    ? "the fullest node that fits first"
    : `nodes by ${policy.placement}, as parts of what each has`;
}

/** The profile, as a member of the list `profiles`. */
function profileLines(policy: SchedulingPolicy): string[] {
  const scoring = scorings[policy.placement] ?? { type: "MostAllocated", cpu: 1, memory: 1 };
  const resources = (["cpu", "memory"] as const).filter((name) => scoring[name] > 0);
  return [
    "  - schedulerName: croft",
    "    plugins:",
    "      score:",
    "        disabled:",
    '          - name: "*"',
    "        enabled:",
    `          - name: ${isBalanced(policy) ? "NodeResourcesBalancedAllocation" : "NodeResourcesFit"}`,
    "    pluginConfig:",
    ...(isBalanced(policy)
      ? ["      - name: NodeResourcesBalancedAllocation", "        args:", "          resources:"]
      : [
          "      - name: NodeResourcesFit",
          "        args:",
          "          scoringStrategy:",
          `            type: ${scoring.type}`,
          "            resources:",
        ]),
    ...resources.flatMap((name) => {
      const indent = isBalanced(policy) ? "            " : "              ";
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
