import type { Container, Pod, Quantities } from "./objects.ts";
import { mibOf, milliOf } from "./quantity.ts";

export interface Use {
  coresMilli: number;
  memoryMiB: number;
  gpuMilli: number;
}

/**
 * What a pod takes of its node, as kube-scheduler counts it: its containers and those that run beside them, or the
 * largest step of its initialization; requests of the pod as a whole go before. A container that is resized takes the
 * largest of what it asks for, what is set aside for it, and what it has.
 */
export function usedBy({ spec, status }: Pod, gpuResource: string): Use {
  const states = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  const of = (container: Container): Use => {
    const { requests = {}, limits = {} } = container.resources ?? {};
    const use = useOf({ ...limits, ...requests }, gpuResource);
    const state = states.find(({ name }) => name === container.name);
    if (state?.allocatedResources !== undefined) raise(use, useOf(state.allocatedResources, gpuResource));
    if (state?.resources?.requests !== undefined) raise(use, useOf(state.resources.requests, gpuResource));
    return use;
  };
  const running: Use = { coresMilli: 0, memoryMiB: 0, gpuMilli: 0 };
  for (const container of spec.containers ?? []) add(running, of(container));
  const beside: Use = { coresMilli: 0, memoryMiB: 0, gpuMilli: 0 };
  const largest: Use = { coresMilli: 0, memoryMiB: 0, gpuMilli: 0 };
  for (const container of spec.initContainers ?? []) {
    const step = of(container);
    if (container.restartPolicy === "Always") {
      add(beside, step);
      raise(largest, beside);
    } else {
      add(step, beside);
      raise(largest, step);
    }
  }
  add(running, beside);
  raise(running, largest);
  const whole = spec.resources?.requests;
  if (whole !== undefined) {
    const use = useOf(whole, gpuResource);
    if (whole["cpu"] !== undefined) running.coresMilli = use.coresMilli;
    if (whole["memory"] !== undefined) running.memoryMiB = use.memoryMiB;
  }
  add(running, useOf(spec.overhead ?? {}, gpuResource));
  return running;
}

function useOf(quantities: Quantities, gpuResource: string): Use {
  return {
    coresMilli: milliOf(quantities["cpu"]),
    memoryMiB: mibOf(quantities["memory"]),
    gpuMilli: milliOf(quantities[gpuResource]),
  };
}

function add(to: Use, use: Use): void {
  to.coresMilli += use.coresMilli;
  to.memoryMiB += use.memoryMiB;
  to.gpuMilli += use.gpuMilli;
}

function raise(to: Use, use: Use): void {
  to.coresMilli = Math.max(to.coresMilli, use.coresMilli);
  to.memoryMiB = Math.max(to.memoryMiB, use.memoryMiB);
  to.gpuMilli = Math.max(to.gpuMilli, use.gpuMilli);
}
