/** Writes the manual page that the package has: `npm run build` runs it. */
import { mkdirSync, writeFileSync } from "node:fs";

import { commands } from "../src/cli/commands.ts";
import { makeProgram } from "../src/cli/program.ts";
import { version } from "../src/cli/package.ts";
import { manPage } from "./man-page.ts";

mkdirSync("dist/man", { recursive: true });
writeFileSync("dist/man/croft.1", manPage(await makeProgram(commands, true), version));
