import type { ScheduledPod } from "./objects.ts";

type Named = Pick<ScheduledPod, "metadata">;

/** Pods, as another one is told of them. Who may read its namespace may not know of those of others. */
export function namesFor({ metadata: { namespace } }: Named, pods: readonly Named[]): string {
  const own = pods.filter(({ metadata }) => metadata.namespace === namespace);
  const names = own.map(({ metadata }) => `${namespace}/${metadata.name}`);
  const others = pods.length - own.length;
  if (others > 0)
    names.push(others === 1 ? "a pod of another namespace" : `${others} pods of other namespaces`);
  return names.join(", ");
}
