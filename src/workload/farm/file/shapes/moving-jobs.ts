import { list, mapping, number, optional, required, yesOrNo } from "../shape.ts";
import { MAX_INT32, MAX_POOLS, nameText, name, seconds, someSeconds } from "./parts.ts";

export const virtualPool = mapping({
  name: required("unlike any other virtual pool's", nameText),
  site: optional("where it takes jobs; may be left out where there is one site", name, null),
  pools: optional("the pools that it can send jobs to; all unless given", list(name, 1, MAX_POOLS), null),
  routing: optional("how it chooses among them: round-robin, utilization", name, null),
  viewAge: optional("how old its view of the pools is", seconds, 0),
  queue: optional(
    "whether jobs wait here while no candidate pool has room for them; otherwise they wait in a pool",
    yesOrNo,
    false,
  ),
});

export const transfer = mapping({
  from: required("a site", name),
  to: required("another site", name),
  delay: required("what a job takes; the way back takes as long unless it is listed itself", seconds),
});

export const preemption = mapping({
  victim: optional("the rule that chooses the job to suspend; none: no job is suspended", name, null),
  keepsMemory: optional("whether a suspended job keeps its memory and its GPUs", yesOrNo, null),
});

export const rescheduling = mapping({
  strategy: optional("NoRes, ResSusUtil, ResSusRand, ResSusWaitUtil, ResSusWaitRand, …", name, null),
  waitThreshold: optional("a job that has waited longer in a pool may be moved (30m)", seconds, null),
  check: optional("how often waiting jobs are checked (1m)", someSeconds, null),
  maxRestarts: optional(
    "how often a job is restarted at most; no cap unless given",
    number({ min: 0, max: MAX_INT32, whole: true }),
    null,
  ),
  candidates: optional(
    "the pools where a job may be restarted that names none; where it may first be sent unless given",
    list(name, 1, MAX_POOLS),
    null,
  ),
  checkpoint: optional("a restart loses only what came after the last of these", someSeconds, null),
});
