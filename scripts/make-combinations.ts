import { fileURLToPath } from "node:url";

import { writeFileAtomically } from "../src/workload/index.ts";
import { combinationsPage } from "./combinations-page.ts";

/** Writes the page of what goes together with what; a test holds it against the table. */
const file = fileURLToPath(new URL("../docs/combinations.md", import.meta.url));
await writeFileAtomically(file, [combinationsPage()]);
