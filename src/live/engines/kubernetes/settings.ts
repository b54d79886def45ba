import type { EngineSettings } from "../engine-kind.ts";
import { Settings } from "../settings.ts";
import type { Toleration } from "./objects.ts";

/** Which cluster, as whom, and where. */
export interface AccessSettings {
  /** Null: in a pod its service account, else `KUBECONFIG`, else `~/.kube/config`. */
  readonly kubeconfigPath: string | null;
  /** Null: the current one of the kubeconfig. */
  readonly context: string | null;
  readonly namespace: string;
}

/** Which nodes are machines, and what counts as their GPUs. */
export interface ResourceSettings {
  /** Labels that a node has to have to be a machine of the pool. */
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** The resource that counts as GPUs. */
  readonly gpuResource: string;
}

export interface KubernetesSettings extends AccessSettings, ResourceSettings {
  readonly image: string;
  readonly tolerations: readonly Toleration[];
  /** How long a pod may wait on its node before it is taken not to start there. */
  readonly startPatienceSeconds: number;
  /** How long a pod stays on a node that is not heard of before it is evicted. */
  readonly unreachablePatienceSeconds: number;
}

const DNS_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const RESOURCE = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?\/[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$/;

/** @throws {InputError} where one cannot be used */
export function readSettings(values: EngineSettings): KubernetesSettings {
  const settings = new Settings("kubernetes", values);
  const schedule = settings.choice("schedule", ["own", "all"], "own");
  if (schedule === "all")
    throw settings.wrong(
      "schedule",
      "pods of others are scheduled by croft schedule-pods, not by croft serve: give own, or leave it out",
    );
  const image = settings.text("image");
  if (image === null || /\s/.test(image))
    throw settings.wrong("image", "give the container image that the pool's jobs run in");
  const read: KubernetesSettings = {
    ...readAccess(settings),
    ...readResources(settings),
    image,
    tolerations: settings.groups("tolerations").map(readToleration),
    startPatienceSeconds: settings.number("startPatienceSeconds", { from: 1, to: 1e6, otherwise: 300 }),
    unreachablePatienceSeconds: settings.number("unreachablePatienceSeconds", {
      from: 0,
      to: 1e6,
      otherwise: 300,
    }),
  };
  settings.done();
  return read;
}

export function readAccess(settings: Settings): AccessSettings {
  const kubeconfigPath = settings.text("kubeconfig");
  if (kubeconfigPath !== null && !kubeconfigPath.startsWith("/"))
    throw settings.wrong("kubeconfig", "give the absolute path of a kubeconfig");
  const namespace = settings.text("namespace");
  if (namespace === null || !DNS_LABEL.test(namespace))
    throw settings.wrong(
      "namespace",
      "give the namespace of the pool, in lower-case letters, digits and -: what croft makes is made in it",
    );
  return { kubeconfigPath, context: settings.text("context"), namespace };
}

export function readResources(settings: Settings): ResourceSettings {
  const gpuResource = settings.text("gpuResource") ?? "nvidia.com/gpu";
  if (!RESOURCE.test(gpuResource))
    throw settings.wrong("gpuResource", "give the name of a resource, such as nvidia.com/gpu");
  return { nodeSelector: readNodeSelector(settings), gpuResource };
}

/** As the API takes it: `a=b,c=d`; empty: all are selected. */
export function selectorOf(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([label, value]) => `${label}=${value}`)
    .join(",");
}

/** What a list of the nodes with these labels is asked for with. */
export function selecting(labels: Readonly<Record<string, string>>): { labelSelector?: string } {
  const selector = selectorOf(labels);
  return selector === "" ? {} : { labelSelector: selector };
}

function readNodeSelector(settings: Settings): Record<string, string> {
  const selector: Record<string, string> = {};
  for (const [label, value] of settings.group("nodeSelector")?.entries() ?? []) {
    if (typeof value !== "string")
      throw settings.wrong(
        "nodeSelector",
        `${label}: give a text, in quotes if it looks like a number or true`,
      );
    selector[label] = value;
  }
  return selector;
}

function readToleration(settings: Settings): Toleration {
  const key = settings.text("key");
  const value = settings.text("value");
  const effect = settings.choice("effect", ["NoSchedule", "PreferNoSchedule", "NoExecute", "any"], "any");
  const operator = settings.choice("operator", ["Exists", "Equal"], value === null ? "Exists" : "Equal");
  if (operator === "Exists" && value !== null)
    throw settings.wrong("value", "leave it out where the operator is Exists");
  if (operator === "Equal" && key === null)
    throw settings.wrong("key", "give the key of the taint, or leave out the value");
  settings.done();
  return {
    operator,
    ...(key === null ? {} : { key }),
    ...(value === null ? {} : { value }),
    ...(effect === "any" ? {} : { effect }),
  };
}
