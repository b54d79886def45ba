import { InputError } from "../../workload/index.ts";
import type { ExportedFile, ExportRequest } from "../exporter.ts";
import type { ExportedFamily } from "../exported-family.ts";
import { header, lines } from "../text.ts";
import { tried } from "../tried.ts";

/** The label that says of which family a pod is. */
export const FAMILY_LABEL = "croft-packing";
/** Where Kueue has the queue of a pod. */
export const QUEUE_LABEL = "kueue.x-k8s.io/queue-name";

const DNS_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** @throws {InputError} for names that neither a namespace nor a queue of Kueue can have */
export function checkNames({ families }: ExportRequest): void {
  for (const { kind, name } of families)
    if (!DNS_LABEL.test(name))
      throw new InputError(
        `${kind}=${name} names no ${kind === "queue" ? "queue of Kueue" : "namespace"}: those have lower-case ` +
          "letters, digits and hyphens, and begin and end with one of the first two",
      );
}

export function patchName(id: string): string {
  return `patch-${id}.yaml`;
}

/** A patch for the pods of a family. */
export function familyPatch(family: ExportedFamily, request: ExportRequest): ExportedFile {
  const term = (indent: string) =>
    [
      "- weight: 100",
      "  podAffinityTerm:",
      "    topologyKey: kubernetes.io/hostname",
      "    namespaceSelector: {}",
      "    labelSelector:",
      `      matchLabels: { ${FAMILY_LABEL}: ${family.id} }`,
    ]
      .map((line) => indent + line)
      .join("\n");
  const kind = request.policy === "none" ? "podAntiAffinity" : "podAffinity";
  const text = `
${header("#", {
  what: `patch for pod templates of ${family.kind} ${family.name}: their family, and which nodes they prefer.`,
  where:
    "in the kustomization of what makes the pods; see README.md. An affinity of its own is kept, its list of preferences is not.",
  check: "kubectl kustomize .",
  request,
  tried: tried.kubernetes,
})}
apiVersion: batch/v1
kind: Job
metadata:
  name: any
spec:
  template:
    metadata:
      labels: { ${FAMILY_LABEL}: ${family.id} }
    spec:
      affinity:
        ${kind}:
          preferredDuringSchedulingIgnoredDuringExecution:
${term("            ")}
${request.policy === "exclusive" ? otherFamilies(family) : ""}`;
  return { name: patchName(family.id), text: lines(text), isExecutable: false };
}

/** Keeps a family off the nodes of the others. */
function otherFamilies({ id }: ExportedFamily): string {
  return keepOff(`                - { key: ${FAMILY_LABEL}, operator: Exists }
                - { key: ${FAMILY_LABEL}, operator: NotIn, values: [${id}] }`);
}

function keepOff(expressions: string): string {
  return `        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            - topologyKey: kubernetes.io/hostname
              namespaceSelector: {}
              labelSelector:
                matchExpressions:
${expressions.replaceAll(/^ {16}/gm, "                  ")}`;
}

/** A patch for all other pods, which the exclusive policy keeps off the families' nodes. */
export function otherPatch(request: ExportRequest): ExportedFile {
  const text = `
${header("#", {
  what: "patch for pod templates of no family: keeps them off nodes with pods of one.",
  where: "in the kustomization of what makes the pods; see README.md.",
  check: "kubectl kustomize .",
  request,
  tried: tried.kubernetes,
})}
apiVersion: batch/v1
kind: Job
metadata:
  name: any
spec:
  template:
    spec:
      affinity:
${keepOff(`                - { key: ${FAMILY_LABEL}, operator: Exists }`)}
`;
  return { name: patchName("others"), text: lines(text), isExecutable: false };
}
