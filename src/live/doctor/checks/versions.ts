import type { Check } from "../check.ts";

const NODE = [24, 0];
/** The first with all that the farm's statements use. */
const SQLITE = [3, 46];

export const versions: Check = {
  name: "versions",
  look: ({ host }) => [
    {
      what: "Node.js",
      found: host.versions["node"] ?? "unknown",
      change: isFrom(host.versions["node"], NODE)
        ? null
        : "install Node.js 24 or newer, or use the executable: docs/install.md",
    },
    {
      what: "SQLite in it",
      found: host.versions["sqlite"] ?? "none",
      change: isFrom(host.versions["sqlite"], SQLITE)
        ? null
        : `install a Node.js that is built with SQLite ${SQLITE.join(".")} or newer: node -p process.versions.sqlite`,
    },
  ],
};

function isFrom(version: string | undefined, [major, minor]: readonly number[]): boolean {
  const [ownMajor = 0, ownMinor = 0] = (version ?? "").split(".").map(Number);
  return ownMajor > major! || (ownMajor === major && ownMinor >= minor!);
}
