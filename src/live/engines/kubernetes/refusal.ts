import type { AskedOfEngine } from "../engine-kind.ts";

/** Why no pod can be what a job asks for; null: one can. */
export function refusalOf({ input, output, errorOutput, signal, gpus }: AskedOfEngine): string | null {
  if (signal !== null) return "a pod gets no signal before its time is over, but for SIGTERM";
  if (input !== null)
    return `a pod cannot read ${input} of the service's machine: let its command read it from a volume`;
  const path = output ?? errorOutput;
  if (path !== null)
    return `a pod cannot write to ${path} of the service's machine: name no file, and the farm keeps its output`;
  return Number.isInteger(gpus) ? null : "a pod has whole GPUs, and a part of one is asked for";
}
