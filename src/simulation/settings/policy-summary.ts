import { findPolicy } from "../../core/index.ts";
import { registry } from "./plugin.ts";

/** What a pool's policy does, in a few words for those who have not heard of it; undefined for others. */
export function policySummary(name: string): string | undefined {
  const policy = findPolicy(name, registry);
  if (policy === undefined) return undefined;
  const { kind, heuristic } = policy;
  const place = `each on ${heuristic.summary}`;
  if (kind.name === heuristic.name)
    return `in order of arrival; machines are kept free for a job that does not fit, and later jobs use the others; ${place}`;
  return name.includes("/") ? `${kind.summary}; ${place}` : kind.summary;
}
