import { at, isObject, listOf, textOf } from "../../input/json.ts";
import { quantity } from "./quantity.ts";

/** What a pod asks for; 0 if it asks for none. */
export interface PodRequests {
  readonly cores: number;
  readonly memoryMiB: number;
  readonly gpus: number;
}

/** Is told what is odd about a pod's requests. */
interface RequestNotes {
  /** A quantity that is none; it counts as 0. */
  unreadable(text: string): void;
  /** A resource, or a list of claims, that is not counted. */
  notCounted(name: string): void;
  /** The pod holds something else than its spec asks for. */
  resized(): void;
}

/** What a container, or a pod as a whole, sets of each resource; null if it sets none. */
type Amounts = Readonly<Record<keyof PodRequests, number | null>>;

const NONE: PodRequests = { cores: 0, memoryMiB: 0, gpus: 0 };

/**
 * What the scheduler counts for a pod, as `PodRequests` of k8s.io/component-helpers/resource computes it: the requests
 * of the containers or those of the pod as a whole, and the overhead. Of a pod that was resized it is the most of what
 * was asked for, allocated and in effect.
 */
export function podRequests(spec: unknown, status: unknown, notes: RequestNotes): PodRequests {
  const overhead = filled(amountsOf(at(spec, "overhead"), undefined, notes));
  const ofPod = amountsOf(at(spec, "resources", "requests"), undefined, notes);
  const limitOfPod = amountsOf(undefined, at(spec, "resources", "limits"), notes);
  const asked = togetherOf(spec, (container) =>
    amountsOf(at(container, "resources", "requests"), at(container, "resources", "limits"), notes),
  );
  if (at(spec, "resourceClaims") !== undefined) notes.notCounted("resourceClaims");
  const wanted = withPod(asked, ofPod, limitOfPod);
  const held = heldOf(spec, status, ofPod, limitOfPod, overhead);
  if (held === null || sameRequests(held, wanted)) return plus(wanted, overhead);
  notes.resized();
  return plus(isInfeasible(status) ? held : most(held, wanted), overhead);
}

/**
 * The most of what is allocated to the pod and of what is in effect; null if the status tells neither, as before
 * version 1.33.
 */
function heldOf(
  spec: unknown,
  status: unknown,
  ofPod: Amounts,
  limitOfPod: Amounts,
  overhead: PodRequests,
): PodRequests | null {
  const statuses = new Map(
    [...listOf(at(status, "containerStatuses")), ...listOf(at(status, "initContainerStatuses"))].map(
      (each) => [textOf(at(each, "name")), each],
    ),
  );
  let isTold = false;
  const heldBy = (container: unknown, ...keys: readonly string[]): Amounts => {
    const own = statuses.get(textOf(at(container, "name")));
    const told = at(own, ...keys) ?? at(own, "allocatedResources");
    if (isObject(told)) isTold = true;
    const asked = at(container, "resources");
    return either(
      amountsOf(told, undefined, null),
      amountsOf(at(asked, "requests"), at(asked, "limits"), null),
    );
  };
  const containers = [["allocatedResources"], ["resources", "requests"]].map((keys) => {
    const together = togetherOf(spec, (container) => heldBy(container, ...keys));
    // What the kubelet tells of the pod as a whole has the overhead in it.
    const pod = amountsOf(at(status, ...keys), undefined, null);
    if (ofPod.cores === null && ofPod.memoryMiB === null) return withPod(together, ofPod, limitOfPod);
    if (pod.cores !== null || pod.memoryMiB !== null) isTold = true;
    const without = (key: "cores" | "memoryMiB"): number | null =>
      ofPod[key] === null || pod[key] === null ? ofPod[key] : Math.max(0, pod[key] - overhead[key]);
    const held = { cores: without("cores"), memoryMiB: without("memoryMiB"), gpus: null };
    return withPod(together, held, limitOfPod);
  });
  return isTold ? containers.reduce(most) : null;
}

/** Whether the node can never give the pod what it was resized to. */
function isInfeasible(status: unknown): boolean {
  const pending = listOf(at(status, "conditions")).find((each) => at(each, "type") === "PodResizePending");
  return at(pending, "reason") === "Infeasible" || at(status, "resize") === "Infeasible";
}

/**
 * The sum of the containers and of the init containers that keep running, or what an init container asks for together
 * with those that were started before it, if that is more.
 */
function togetherOf(spec: unknown, amountsIn: (container: unknown) => Amounts): PodRequests {
  let running = listOf(at(spec, "containers"))
    .map((container) => filled(amountsIn(container)))
    .reduce(plus, NONE);
  let sidecars = NONE;
  let starting = NONE;
  for (const container of listOf(at(spec, "initContainers"))) {
    const own = filled(amountsIn(container));
    if (at(container, "restartPolicy") === "Always") {
      running = plus(running, own);
      sidecars = plus(sidecars, own);
      starting = most(starting, sidecars);
    } else {
      starting = most(starting, plus(sidecars, own));
    }
  }
  return most(running, starting);
}

/**
 * What the pod as a whole requests overrides its containers'. Where it has a limit only, its containers' requests count,
 * and without those the limit.
 */
function withPod(containers: PodRequests, pod: Amounts, limit: Amounts): PodRequests {
  const of = (key: "cores" | "memoryMiB"): number => pod[key] ?? (containers[key] || (limit[key] ?? 0));
  return { cores: of("cores"), memoryMiB: of("memoryMiB"), gpus: containers.gpus };
}

function plus(a: PodRequests, b: PodRequests): PodRequests {
  return { cores: a.cores + b.cores, memoryMiB: a.memoryMiB + b.memoryMiB, gpus: a.gpus + b.gpus };
}

function most(a: PodRequests, b: PodRequests): PodRequests {
  return {
    cores: Math.max(a.cores, b.cores),
    memoryMiB: Math.max(a.memoryMiB, b.memoryMiB),
    gpus: Math.max(a.gpus, b.gpus),
  };
}

function either(a: Amounts, b: Amounts): Amounts {
  return {
    cores: a.cores ?? b.cores,
    memoryMiB: a.memoryMiB ?? b.memoryMiB,
    gpus: a.gpus ?? b.gpus,
  };
}

function filled({ cores, memoryMiB, gpus }: Amounts): PodRequests {
  return { cores: cores ?? 0, memoryMiB: memoryMiB ?? 0, gpus: gpus ?? 0 };
}

function sameRequests(a: PodRequests, b: PodRequests): boolean {
  return a.cores === b.cores && a.memoryMiB === b.memoryMiB && a.gpus === b.gpus;
}

/** The requests; where only a limit is set, the limit. */
function amountsOf(requests: unknown, limits: unknown, notes: RequestNotes | null): Amounts {
  const amount = (name: string): number | null => {
    for (const told of [at(requests, name), at(limits, name)]) {
      if (told === undefined || told === null) continue;
      const value = quantity(told);
      if (value >= 0) return value;
      notes?.unreadable(typeof told === "string" ? told : JSON.stringify(told));
    }
    return null;
  };
  const names = new Set([requests, limits].flatMap((each) => (isObject(each) ? Object.keys(each) : [])));
  let gpus: number | null = null;
  for (const name of names) {
    if (name.endsWith("/gpu")) gpus = (gpus ?? 0) + (amount(name) ?? 0);
    else if (name !== "cpu" && name !== "memory") notes?.notCounted(name);
  }
  const memory = amount("memory");
  return { cores: amount("cpu"), memoryMiB: memory === null ? null : memory / 1024 ** 2, gpus };
}
