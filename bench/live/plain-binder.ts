/**
 * What bindings cost at the least: requests for them, sixteen at a time, and nothing else.
 * `node plain-binder.ts SERVER TOKEN PODS NODES` binds pod-0, pod-1, … of the default namespace to node-0, node-1, … in turn.
 */
import { connect } from "../../src/live/engines/kubernetes/connection.ts";

const [server, token, pods, nodes] = process.argv.slice(2);
const IN_FLIGHT = 16;
const connection = connect(async () => ({
  server,
  tls: { rejectUnauthorized: false },
  headers: { authorization: `Bearer ${token}` },
}));
let next = 0;
await Promise.all(
  Array.from({ length: IN_FLIGHT }, async () => {
    while (next < Number(pods)) {
      const at = next++;
      const name = `pod-${at}`;
      const answer = await connection.call({
        method: "POST",
        path: `/api/v1/namespaces/default/pods/${name}/binding`,
        body: {
          apiVersion: "v1",
          kind: "Binding",
          metadata: { name },
          target: { apiVersion: "v1", kind: "Node", name: `node-${at % Number(nodes)}` },
        },
      });
      if (!answer.ok) throw new Error(answer.message);
    }
  }),
);
connection.close();
