import { fileURLToPath } from "node:url";

import { farmSchema, writeFileAtomically } from "../src/workload/index.ts";

/** Writes the farm file's JSON Schema where it is published from; a test holds it against the reader. */
const file = fileURLToPath(new URL("../schemas/farm.schema.json", import.meta.url));
await writeFileAtomically(file, [`${JSON.stringify(farmSchema, null, 2)}\n`]);
