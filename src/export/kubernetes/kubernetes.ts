import type { Exporter } from "../exporter.ts";
import { admission } from "./admission.ts";
import { checkNames, familyPatch, otherPatch } from "./pods.ts";
import { readme } from "./readme.ts";
import { tried } from "../tried.ts";

export const kubernetes: Exporter = {
  name: "kubernetes",
  title: "Kubernetes",
  summary: "patches with affinities for pod templates, and a policy that refuses pods without them",
  kinds: ["queue", "group", "project"],
  takesTtl: false,
  tried: tried.kubernetes,
  files: (request) => {
    checkNames(request);
    return [
      readme(request),
      ...request.families.map((family) => familyPatch(family, request)),
      ...(request.policy === "exclusive" ? [otherPatch(request)] : []),
      admission(request),
    ];
  },
};
