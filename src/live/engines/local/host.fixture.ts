/**
 * A process with an engine in it, to be killed: starts what it reads, a request a line, and writes what is reported.
 *
 *     node host.fixture.ts STATE-FOLDER
 */
import { createInterface } from "node:readline";

import type { StartRequest } from "../engine.ts";
import { systemClock } from "../system/clock.ts";
import { systemCommands } from "../system/commands.ts";
import { systemDisk } from "../system/disk.ts";
import { recordsDisk } from "../system/records-disk.ts";
import { LocalEngine } from "./engine.ts";
import { systemProcesses } from "./processes.ts";
import { readSettings } from "./settings.ts";

const engine = new LocalEngine(readSettings({ name: "here", allowRoot: true }), {
  clock: systemClock(),
  disk: systemDisk,
  records: recordsDisk,
  commands: systemCommands,
  processes: systemProcesses,
  cgroups: null,
  folder: process.argv[2],
});
await engine.open((report) => process.stdout.write(`${JSON.stringify(report)}\n`));
for await (const line of createInterface({ input: process.stdin }))
  engine.start(JSON.parse(line) as StartRequest);
