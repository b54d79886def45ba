import type { ExportedFile, ExportRequest } from "../exporter.ts";
import type { ExportedFamily } from "../exported-family.ts";
import { header, lines } from "../text.ts";
import { FAMILY_LABEL, QUEUE_LABEL } from "./pods.ts";
import { tried } from "../tried.ts";

/** Refuses pods that do not carry what their family, or none, asks for. */
export function admission(request: ExportRequest): ExportedFile {
  const exclusive = request.policy === "exclusive";
  const family = request.families.reduceRight(
    (otherwise, each) => `${condition(each)} ? '${each.id}' : (${otherwise})`,
    "''",
  );
  const text = `
${header("#", {
  what:
    "admission policy: refuses pods whose label is not that of their family" +
    (exclusive ? ", and others that do not keep off." : "."),
  where: "kubectl apply -f admission.yaml; then label the namespaces where it is to count: croft-packing=on.",
  check: "kubectl apply --dry-run=server -f admission.yaml; then a pod without the patch is refused.",
  request,
  tried: tried.kubernetes,
})}
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: croft-packing
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules:
      - apiGroups: [""]
        apiVersions: ["v1"]
        operations: ["CREATE"]
        resources: ["pods"]
  variables:
    - name: family
      expression: >-
        ${family}
    - name: label
      expression: >-
        object.metadata.?labels[?'${FAMILY_LABEL}'].orValue('')
${
  exclusive
    ? `    # Whether the pod keeps off nodes with pods of any family.
    - name: keepsOff
      expression: >-
        object.spec.?affinity.?podAntiAffinity.?requiredDuringSchedulingIgnoredDuringExecution.orValue([])
        .exists(t, t.topologyKey == 'kubernetes.io/hostname' && has(t.namespaceSelector) &&
        t.?labelSelector.?matchExpressions.orValue([])
        .exists(e, e.key == '${FAMILY_LABEL}' && e.operator == 'Exists'))
`
    : ""
}  validations:
    - expression: variables.label == variables.family
      messageExpression: >-
        "job packing: the label ${FAMILY_LABEL} has to be '" + variables.family + "', not '" + variables.label + "'"
${
  exclusive
    ? `    - expression: variables.keepsOff
      message: "job packing: the pod has to keep off the nodes of other families: see the patches of the export"
`
    : ""
}---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: croft-packing
spec:
  policyName: croft-packing
  validationActions: [Deny]
  matchResources:
    namespaceSelector:
      matchLabels: { croft-packing: "on" }
`;
  return { name: "admission.yaml", text: lines(text), isExecutable: false };
}

function condition({ kind, name }: ExportedFamily): string {
  return kind === "queue"
    ? `object.metadata.?labels[?'${QUEUE_LABEL}'].orValue('') == '${name}'`
    : `request.namespace == '${name}'`;
}
