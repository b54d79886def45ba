import type { Check } from "./check.ts";
import { cgroups } from "./checks/cgroups.ts";
import { clocks } from "./checks/clocks.ts";
import { dataFolder } from "./checks/data-folder.ts";
import { database } from "./checks/database.ts";
import { disk } from "./checks/disk.ts";
import { engine } from "./checks/engine.ts";
import { farmFile } from "./checks/farm-file.ts";
import { hooks } from "./checks/hooks.ts";
import { limits } from "./checks/limits.ts";
import { notify } from "./checks/notify.ts";
import { service } from "./checks/service.ts";
import { socket } from "./checks/socket.ts";
import { unit } from "./checks/unit.ts";
import { users } from "./checks/users.ts";
import { versions } from "./checks/versions.ts";

/** Every check, in the order in which they are told. To add one: a file beside the others, and a line here. */
export const checks: readonly Check[] = [
  versions,
  farmFile,
  users,
  dataFolder,
  database,
  disk,
  socket,
  service,
  clocks,
  limits,
  cgroups,
  engine,
  hooks,
  notify,
  unit,
];
