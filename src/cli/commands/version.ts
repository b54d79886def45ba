import { Command } from "commander";

import { print } from "../terminal.ts";
import { version } from "../package.ts";

export function versionCommand(): Command {
  return new Command("version")
    .description("print the version of Croft, and what it runs on")
    .action(() =>
      print(`croft ${version} (Node.js ${process.versions.node}, ${process.platform}-${process.arch})`),
    );
}
