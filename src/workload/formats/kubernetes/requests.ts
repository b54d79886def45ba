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
 *
 * @param onUnreadable called with each quantity that is none; it counts as 0
 */
export function podRequests(spec: unknown, onUnreadable: (text: string) => void): PodRequests {
  const inits = listOf(at(spec, "initContainers"));
  const isStaying = (container: unknown): boolean => at(container, "restartPolicy") === "Always";
  const ofContainer = (container: unknown): PodRequests =>
    requestsOf(at(container, "resources", "requests"), at(container, "resources", "limits"), onUnreadable);
  const together = [...listOf(at(spec, "containers")), ...inits.filter(isStaying)].map(ofContainer);
  const alone = inits.filter((container) => !isStaying(container)).map(ofContainer);
  const overhead = requestsOf(at(spec, "overhead"), undefined, onUnreadable);
  const of = (key: keyof PodRequests): number =>
    Math.max(sum(together, key), ...alone.map((each) => each[key])) + overhead[key];
  return { cores: of("cores"), memoryMiB: of("memoryMiB"), gpus: of("gpus") };
}

function sum(requests: readonly PodRequests[], key: keyof PodRequests): number {
  return requests.reduce((total, each) => total + each[key], 0);
}

/** The request; if only a limit is set, the limit. */
function requestsOf(requests: unknown, limits: unknown, onUnreadable: (text: string) => void): PodRequests {
  const amount = (name: string): number => {
    for (const told of [at(requests, name), at(limits, name)]) {
      if (told === undefined || told === null) continue;
      const value = quantity(told);
      if (value >= 0) return value;
      onUnreadable(typeof told === "string" ? told : JSON.stringify(told));
    }
    return 0;
  };
  const names = [requests, limits].flatMap((each) => (isObject(each) ? Object.keys(each) : []));
  const gpuNames = [...new Set(names)].filter((name) => name.endsWith("/gpu"));
  return {
    cores: amount("cpu"),
    memoryMiB: amount("memory") / 1024 ** 2,
    gpus: gpuNames.reduce((total, name) => total + amount(name), 0),
  };
}
