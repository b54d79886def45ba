import type { EngineKind } from "../engine-kind.ts";
import { KubernetesEngine } from "./engine.ts";
import { examine } from "./examine.ts";
import { refusalOf } from "./refusal.ts";
import { readSettings } from "./settings.ts";

/** A namespace of a Kubernetes cluster. */
export const kubernetes: EngineKind = {
  name: "kubernetes",
  summary: "a namespace of a Kubernetes cluster, where each attempt is a pod that is bound to its machine",
  create: (settings, system) => new KubernetesEngine(readSettings(settings), system),
  examine,
  refuses: refusalOf,
};
