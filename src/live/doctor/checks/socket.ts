import { statSync } from "node:fs";
import { dirname } from "node:path";

import { LONGEST_PATH_BYTES } from "../../api/listening.ts";
import { strangerAtSocket } from "../../client/strangers.ts";
import type { Check } from "../check.ts";
import { nearest } from "../host.ts";

export const socket: Check = {
  name: "socket",
  isOfService: true,
  look({ socket: path, host }) {
    const what = path;
    if (Buffer.byteLength(path) > LONGEST_PATH_BYTES)
      return [
        {
          what,
          found: `its path is longer than ${LONGEST_PATH_BYTES} bytes`,
          change: "give a shorter one with --socket",
        },
      ];
    const folder = dirname(path);
    const stranger = strangerAtSocket(path);
    if (stranger !== null)
      return [
        {
          what,
          found: stranger,
          change: stranger.includes("may write to")
            ? `chmod go-w ${folder}`
            : "set XDG_RUNTIME_DIR, or give another with --socket, to the service and its clients",
        },
      ];
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat !== undefined && !stat.isSocket())
      return [{ what, found: "something that is no socket is there", change: `mv ${path} ${path}.other` }];
    if (stat === undefined && !host.mayWrite(nearest(folder)))
      return [
        {
          what,
          found: `${host.user.username} may make no socket in ${nearest(folder)}`,
          change: "give another with --socket, or run croft doctor as the service's user",
        },
      ];
    return [
      {
        what,
        found: stat === undefined ? "not there: croft serve makes it" : "only its owner may open it",
        change: null,
      },
    ];
  },
};
