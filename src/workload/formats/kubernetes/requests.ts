import { at, isObject, listOf } from "../../input/json.ts";
import { quantity } from "./quantity.ts";

/** What a pod asks for; 0 if it asks for none. */
export interface PodRequests {
  readonly cores: number;
  readonly memoryMiB: number;
  readonly gpus: number;
}

/**
 * What a pod asks for by its spec: the sum of its containers, or of an init container if that alone is more. Init
 * containers that keep running count with the others, and so does the overhead.
 */
export function podRequests(spec: unknown): PodRequests {
  const inits = listOf(at(spec, "initContainers"));
  const isStaying = (container: unknown): boolean => at(container, "restartPolicy") === "Always";
  const together = [...listOf(at(spec, "containers")), ...inits.filter(isStaying)].map(containerRequests);
  const alone = inits.filter((container) => !isStaying(container)).map(containerRequests);
  const overhead = requestsOf(at(spec, "overhead"), undefined);
  const of = (key: keyof PodRequests): number =>
    Math.max(sum(together, key), ...alone.map((each) => each[key])) + overhead[key];
  return { cores: of("cores"), memoryMiB: of("memoryMiB"), gpus: of("gpus") };
}

function sum(requests: readonly PodRequests[], key: keyof PodRequests): number {
  return requests.reduce((total, each) => total + each[key], 0);
}

function containerRequests(container: unknown): PodRequests {
  return requestsOf(at(container, "resources", "requests"), at(container, "resources", "limits"));
}

/** The request; if only a limit is set, the limit. */
function requestsOf(requests: unknown, limits: unknown): PodRequests {
  const amount = (name: string): number => {
    const requested = quantity(at(requests, name));
    const value = Number.isNaN(requested) ? quantity(at(limits, name)) : requested;
    return value >= 0 ? value : 0;
  };
  const names = [requests, limits].flatMap((each) => (isObject(each) ? Object.keys(each) : []));
  const gpuNames = [...new Set(names)].filter((name) => name.endsWith("/gpu"));
  return {
    cores: amount("cpu"),
    memoryMiB: amount("memory") / 1024 ** 2,
    gpus: gpuNames.reduce((total, name) => total + amount(name), 0),
  };
}
