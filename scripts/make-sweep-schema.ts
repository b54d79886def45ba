import { fileURLToPath } from "node:url";

import { sweepSchema } from "../src/cli/sweep/sweep-shape.ts";
import { writeFileAtomically } from "../src/workload/index.ts";

/** Writes the sweep file's JSON Schema where it is published from; a test holds it against the reader. */
const file = fileURLToPath(new URL("../schemas/sweep.schema.json", import.meta.url));
await writeFileAtomically(file, [`${JSON.stringify(sweepSchema, null, 2)}\n`]);
