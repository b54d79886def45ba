import type { ExportedFile, ExportRequest } from "../exporter.ts";
import { lines, policyInWords } from "../text.ts";
import { FAMILY_LABEL, patchName, QUEUE_LABEL } from "./pods.ts";
import { tried } from "../tried.ts";

export function readme(request: ExportRequest): ExportedFile {
  const { policy, families } = request;
  const exclusive = policy === "exclusive";
  const text = `
# Job packing for Kubernetes

${policyInWords(request)}

A project or a group is a namespace. A queue is a queue of Kueue: the pod's label \`${QUEUE_LABEL}\`, which has to be in the pod template as well as on the Job. Users cannot be families: pods are made by controllers, in their own name.

## How it works

Kubernetes places pods by what they carry, so each family's pods carry a label (\`${FAMILY_LABEL}\`) and a ${policy === "none" ? "preference for nodes without" : "preference for nodes with"} pods of that label${exclusive ? ", and all pods, whatever their family, a requirement to keep off the nodes of others" : ""}:

${families.map(({ kind, name, id }) => `- \`${patchName(id)}\`: for pods of ${kind} ${name}`).join("\n")}
${exclusive ? `- \`${patchName("others")}\`: for all others\n` : ""}- \`admission.yaml\`: refuses pods that do not carry what they should, in namespaces labelled \`croft-packing=on\`

## Install

1. Where pods are made, add the patch to the kustomization (or write the same lines into the chart):

   \`\`\`yaml
   resources: [job.yaml]
   patches:
     - path: ${patchName(families[0]!.id)}
       target: { kind: Job } # Deployment and StatefulSet have the same template
   \`\`\`

2. When all that makes pods carries it: \`kubectl apply -f admission.yaml\`, and \`kubectl label namespace NAME croft-packing=on\` for each namespace of batch jobs. Leave kube-system alone.

## Check

\`\`\`sh
kubectl kustomize .                                   # the pod template has label and affinity
kubectl apply --dry-run=server -f admission.yaml
kubectl run plain --image=busybox -n NAME             # ${exclusive ? "refused" : "refused in a family's namespace, where it has no label"}
kubectl get pods -A -o wide -l ${FAMILY_LABEL}          # the families' pods, and their nodes
\`\`\`

## What to know

- Tried ${tried.kubernetes}
${
  exclusive
    ? `- **Stricter than the policy's definition.** The scheduler reads a requirement to keep off both ways: where a pod runs that keeps off a family, that family's pods are not placed either. So a family starts on nodes free of others (and of other families), and on a full cluster waits for one. Preemption and priorities can help it.
- The scheduler sees its own placements at once: pods placed together do not break exclusivity.
- Pods in namespaces without the label, such as those of daemon sets, count for nothing and run everywhere.
- No TTL: a pod's requirement does not change while it runs.
`
    : "- A preference is one score among others: the weight 100 is the largest, and a node's own score may still outweigh it.\n"
}- Inter-pod affinity costs the scheduler time: its documentation advises against it in clusters of more than several hundred nodes.
`;
  return { name: "README.md", text: lines(text), isExecutable: false };
}
