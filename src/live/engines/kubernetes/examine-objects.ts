import type { Machine } from "../engine.ts";
import type { Finding } from "../finding.ts";
import type { Clock } from "../system/clock.ts";
import type { Connection } from "./connection.ts";
import { stateOf } from "./fleet.ts";
import type { Node, Toleration } from "./objects.ts";
import { selecting, selectorOf } from "./settings.ts";

const WHAT = "Kubernetes";
/** A look, not a count: clusters are large. */
const MOST_NODES = 500;

/** Whether the pool has nodes, and any of them takes pods. */
export async function examineNodes(
  connection: Connection,
  nodeSelector: Readonly<Record<string, string>>,
  tolerations: readonly Toleration[],
): Promise<Finding[]> {
  const query = { ...selecting(nodeSelector), limit: MOST_NODES };
  const answer = await connection.call({ method: "GET", path: "/api/v1/nodes", query });
  const nodes = answer.ok ? (answer.value as { items?: readonly Node[] }).items : undefined;
  // That a right is missing is told by itself.
  if (nodes === undefined) return [];
  if (nodes.length === 0) return [{ what: WHAT, ...withoutNodes(selectorOf(nodeSelector)) }];
  const closed = nodes
    .map((node) => ({ node, ...stateOf(node, tolerations) }))
    .filter(({ state }) => state !== "up");
  const [first] = closed;
  const found = `${nodes.length - closed.length} of ${nodes.length} nodes take pods`;
  if (first === undefined) return [{ what: WHAT, found, change: null }];
  return [
    {
      what: WHAT,
      found: `${found}; ${first.node.metadata.name}: ${first.reason}`,
      change: closed.length < nodes.length ? null : openerOf(first.node, first.state),
    },
  ];
}

/** What makes a node take pods. */
function openerOf({ metadata: { name }, spec }: Node, state: Machine["state"]): string {
  if (state === "down") return `kubectl describe node ${name}`;
  if (spec?.unschedulable === true) return `kubectl uncordon ${name}`;
  return "add it to tolerations of the pool's engine, or take it away with kubectl taint";
}

/** @param labels the pool's node selector; empty: it has none */
function withoutNodes(labels: string): Omit<Finding, "what"> {
  if (labels === "") return { found: "the cluster has no nodes", change: "kubectl get nodes" };
  return {
    found: `no node has the label ${labels} of the pool's nodeSelector`,
    change: `kubectl label node NAME ${labels.replaceAll(",", " ")}, or correct nodeSelector`,
  };
}

/** Who serves a pool whose pods are scheduled. */
export async function examineLease(
  connection: Connection,
  namespace: string,
  name: string,
  clock: Clock,
): Promise<Finding> {
  const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/${name}`;
  const answer = await connection.call({ method: "GET", path });
  const spec = answer.ok ? ((answer.value as { spec?: LeaseSpec }).spec ?? {}) : {};
  const { holderIdentity: holder = "", renewTime = "" } = spec;
  const ago = Math.round(clock.unixSeconds() - Date.parse(renewTime) / 1000);
  const isKnown = answer.ok || answer.status === 404;
  const who = !isKnown
    ? "who has its lease is not known"
    : holder === "" || !Number.isFinite(ago)
      ? "nobody holds its lease"
      : `${holder} has its lease, renewed ${Math.max(0, ago)} s ago`;
  return {
    what: WHAT,
    found: `croft schedule-pods serves this pool, not croft serve (${who}); its log and /readyz say how it does`,
    change: null,
  };
}

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly renewTime?: string;
}
