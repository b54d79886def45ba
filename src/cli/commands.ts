import type { Command } from "commander";

import { explainCommand } from "./commands/explain.ts";
import { exportCommand } from "./commands/export.ts";
import { fractionalCommand } from "./commands/fractional.ts";
import { policiesCommand } from "./commands/policies.ts";
import { simulateCommand } from "./commands/simulate.ts";
import { studyCommand } from "./commands/study.ts";
import { workloadCommand } from "./commands/workload.ts";

/** Every command. To add one: a file beside the others, and a line here. */
export const commands: readonly (() => Command)[] = [
  simulateCommand,
  explainCommand,
  studyCommand,
  workloadCommand,
  fractionalCommand,
  policiesCommand,
  exportCommand,
];
