import { statSync } from "node:fs";

import { Client } from "../../client/client.ts";
import { FarmError, OthersFarm } from "../../client/farm-error.ts";
import type { PoolView } from "../../service/farm-views.ts";
import type { Check } from "../check.ts";

/** The service, if it runs. */
export const service: Check = {
  name: "service",
  isOfService: true,
  async look({ socket, version }) {
    const what = `the farm at ${socket}`;
    if (statSync(socket, { throwIfNoEntry: false })?.isSocket() !== true)
      return [{ what, found: "it does not run", change: null }];
    const client = new Client({ socket });
    try {
      const { version: running } = await client.get<{ version: string }>("/v1/farm");
      const writeError = await client.writeError();
      const pools = await client.get<PoolView[]>("/v1/pools");
      return [
        {
          what,
          found: running === version ? `it runs, ${version}` : `it runs ${running}, and this is ${version}`,
          change: running === version ? null : "restart it: systemctl restart croft",
        },
        ...(writeError === null
          ? []
          : [{ what, found: writeError, change: `docs/live/operate.md, "Watch it", has what to do` }]),
        ...pools
          .filter(({ unreachable }) => unreachable !== null)
          .map(({ name, unreachable }) => ({
            what: `pool ${name}`,
            found: `unreachable: ${unreachable!.reason}`,
            change: `see what its engine says: croft doctor --pool ${name}`,
          })),
      ];
    } catch (error) {
      if (!(error instanceof FarmError)) throw error;
      return [
        {
          what,
          found: error.message,
          change:
            error instanceof OthersFarm
              ? "run croft doctor as the service's user, or as root"
              : "remove what is left of it, or start it: systemctl start croft",
        },
      ];
    }
  },
};
