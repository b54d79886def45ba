import { attemptKey, parseAttemptKey, type AttemptId } from "../attempt-id.ts";
import type { StartRequest } from "../engine.ts";
import type { Pod, Quantities, Toleration } from "./objects.ts";
import type { KubernetesSettings } from "./settings.ts";

/** The name of the only container. */
export const CONTAINER = "job";
/** No scheduler of this name runs for these: each is bound by the engine that made it. */
const SCHEDULER = "croft-own";
const OUR_LABELS = { "app.kubernetes.io/managed-by": "croft" } as const;
const ATTEMPT_LABEL = "croft.dev/attempt";

/** What the API takes as the name of a variable. Shells export functions under other names. */
const VARIABLE = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;

/** A pod as it is created. */
export interface PodManifest {
  readonly apiVersion: "v1";
  readonly kind: "Pod";
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly spec: Readonly<Record<string, unknown>>;
}

export function podNameOf({ job, attempt }: AttemptId): string {
  return `croft-${job}-${attempt}`;
}

/** The attempt that a pod is named for; null: none. By the name, since labels can be changed. */
export function attemptOf({ metadata: { name } }: Pod): AttemptId | null {
  const match = /^croft-(.+)-(\d+)$/.exec(name);
  return match === null ? null : parseAttemptKey(`${match[1]}.${match[2]}`);
}

/** Whether a pod of the attempt's name was made for it. */
export function isMadeFor(key: string, { metadata: { labels } }: Pod): boolean {
  return labels?.[ATTEMPT_LABEL] === key;
}

/** The pod that runs a request on its machine. */
export function podOf(request: StartRequest, settings: KubernetesSettings): PodManifest {
  const { id, command, directory, environment, limits, user } = request;
  const { coresMilli, memoryMiB, gpuMilli } = request.placement[0]!;
  const key = attemptKey(id);
  const gpus: Quantities = gpuMilli === 0 ? {} : { [settings.gpuResource]: String(gpuMilli / 1000) };
  const requests: Quantities = {
    cpu: `${Math.ceil(coresMilli)}m`,
    memory: `${Math.ceil(memoryMiB)}Mi`,
    ...gpus,
  };
  const most: Quantities = {
    ...(limits.coresMilli === null ? {} : { cpu: `${Math.ceil(limits.coresMilli)}m` }),
    ...(limits.memoryMiB === null ? {} : { memory: `${Math.ceil(limits.memoryMiB)}Mi` }),
    ...gpus,
  };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: podNameOf(id),
      labels: { ...OUR_LABELS, [ATTEMPT_LABEL]: key },
      annotations: user === null ? {} : { "croft.dev/user": user },
    },
    spec: {
      schedulerName: SCHEDULER,
      restartPolicy: "Never",
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: Math.ceil(limits.graceSeconds),
      ...(limits.seconds === null ? {} : { activeDeadlineSeconds: Math.max(1, Math.ceil(limits.seconds)) }),
      nodeSelector: settings.nodeSelector,
      tolerations: [...settings.tolerations, ...awayTolerations(settings.unreachablePatienceSeconds)],
      containers: [
        {
          name: CONTAINER,
          image: settings.image,
          command: command.map(unexpanded),
          workingDir: directory,
          env: Object.entries({ ...environment, CROFT_ATTEMPT: key })
            .filter(([name]) => VARIABLE.test(name))
            .map(([name, value]) => ({ name, value: unexpanded(value) })),
          resources: { requests, limits: most },
        },
      ],
    },
  };
}

/** How long a pod stays on a node that is not heard of. Without them the cluster adds its own: 300 s. */
function awayTolerations(tolerationSeconds: number): Toleration[] {
  return ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"].map((key) => ({
    key,
    operator: "Exists",
    effect: "NoExecute",
    tolerationSeconds,
  }));
}

/** Kubernetes puts variables in place of `$(NAME)`, in commands and variables; `$$` is a dollar. */
function unexpanded(text: string): string {
  return text.replaceAll("$", "$$$$");
}
