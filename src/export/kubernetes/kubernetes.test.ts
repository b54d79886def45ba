import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";

import { packingPolicies, type ExportRequest } from "../exporter.ts";
import { parseExportedFamilies } from "../exported-family.ts";
import { installed, run, temporaryFolders } from "../tools.fixture.ts";
import { kubernetes } from "./kubernetes.ts";

const folderOf = temporaryFolders();

function exported(policy: ExportRequest["policy"], families: readonly string[]) {
  return kubernetes.files({ policy, families: parseExportedFamilies(families), ttlSeconds: null });
}

const job = `
apiVersion: KIND_VERSION
kind: KIND
metadata: { name: mine }
spec:
  template:
    metadata:
      labels: { app: mine }
    spec:
      restartPolicy: Never
      containers: [{ name: main, image: busybox }]
      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms: [{ matchExpressions: [{ key: disk, operator: Exists }] }]
`;

interface Template {
  readonly spec: {
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: { readonly affinity: Readonly<Record<string, unknown>> };
    };
  };
}

const kubectl = installed("kubectl");
const skipped = kubectl === null ? " (skipped: kubectl is not installed)" : "";
describe.skipIf(kubectl === null)(`the patches, as kubectl applies them${skipped}`, () => {
  /** A workload with the patch, as it would be sent to a cluster. */
  function patched(policy: ExportRequest["policy"], id: string, kind: string) {
    const folder = folderOf(exported(policy, ["queue=ams", "project=chip"]));
    const version = kind === "Job" ? "batch/v1" : "apps/v1";
    writeFileSync(join(folder, "job.yaml"), job.replace("KIND_VERSION", version).replace("KIND", kind));
    writeFileSync(
      join(folder, "kustomization.yaml"),
      `resources: [job.yaml]\npatches:\n  - path: patch-${id}.yaml\n    target: { kind: ${kind} }\n`,
    );
    const yaml = run(kubectl!, ["kustomize", folder]);
    const json = run(kubectl!, ["annotate", "--local", "-f", "-", "by=test", "-o", "json"], { input: yaml });
    const { template } = (JSON.parse(json) as Template).spec;
    return { labels: template.metadata.labels, affinity: template.spec.affinity };
  }

  const term = (selector: object) => ({
    topologyKey: "kubernetes.io/hostname",
    namespaceSelector: {},
    labelSelector: selector,
  });
  const prefers = {
    preferredDuringSchedulingIgnoredDuringExecution: [
      { weight: 100, podAffinityTerm: term({ matchLabels: { "croft-packing": "queue_ams" } }) },
    ],
  };

  it.each(["Job", "Deployment"])(
    "give the pods of a %s their label and preference, and keep what is there",
    (kind) => {
      const { labels, affinity } = patched("relaxed", "queue_ams", kind);
      expect(labels).toEqual({ app: "mine", "croft-packing": "queue_ams" });
      expect(affinity).toEqual({ nodeAffinity: expect.anything(), podAffinity: prefers });
    },
  );

  it("spread", () => {
    expect(patched("none", "queue_ams", "Job").affinity).toEqual({
      nodeAffinity: expect.anything(),
      podAntiAffinity: prefers,
    });
  });

  it("keep families and others apart", () => {
    const keepsOff = (...more: object[]) => ({
      requiredDuringSchedulingIgnoredDuringExecution: [
        term({ matchExpressions: [{ key: "croft-packing", operator: "Exists" }, ...more] }),
      ],
    });
    expect(patched("exclusive", "queue_ams", "Job").affinity).toEqual({
      nodeAffinity: expect.anything(),
      podAffinity: prefers,
      podAntiAffinity: keepsOff({ key: "croft-packing", operator: "NotIn", values: ["queue_ams"] }),
    });
    const others = patched("exclusive", "others", "Job");
    expect(others.labels).toEqual({ app: "mine" });
    expect(others.affinity).toEqual({ nodeAffinity: expect.anything(), podAntiAffinity: keepsOff() });
  });
});

describe("the manifests", () => {
  it.each(packingPolicies)("%s: are YAML, and the admission policy is bound", (policy) => {
    const files = exported(policy, ["queue=ams", "project=chip"]).filter(({ name }) =>
      name.endsWith(".yaml"),
    );
    for (const { name, text } of files) {
      const documents = parseAllDocuments(text, { strict: true });
      const kinds = documents.map((document) => {
        expect([...document.errors, ...document.warnings], name).toEqual([]);
        return document.get("kind");
      });
      expect(kinds).toEqual(
        name === "admission.yaml"
          ? ["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"]
          : ["Job"],
      );
    }
  });
});

describe("families in Kubernetes", () => {
  it.each(["queue=Ams", "project=a.b", "queue=a_b", "group=a-", `queue=${"a".repeat(64)}`])(
    "%s is refused: nothing there has such a name",
    (family) => {
      expect(() => exported("relaxed", [family])).toThrow(/names no/);
    },
  );

  it("go to the first that fits, in the admission policy as elsewhere", () => {
    const text = exported("relaxed", ["queue=ams", "project=chip"]).find(
      ({ name }) => name === "admission.yaml",
    )!.text;
    expect(text).toContain("== 'ams' ? 'queue_ams' : (request.namespace == 'chip' ? 'project_chip' : (''))");
  });
});
