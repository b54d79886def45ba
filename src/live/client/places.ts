import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ownHome, ownUser } from "../../workload/own-user.ts";

/** Where the farm is: a socket on this machine, or an address. */
export type Server = { readonly socket: string } | { readonly url: URL; readonly token: string | null };

/**
 * The socket of this user's farm: in the runtime folder of the XDG base directories or, without one, in the folder
 * for temporary files.
 */
export function defaultSocket(environment: NodeJS.ProcessEnv): string {
  const runtime = environment["XDG_RUNTIME_DIR"];
  if (runtime !== undefined && runtime.startsWith("/")) return join(runtime, "croft", "croft.sock");
  // A folder with the user's number in its name, which only its owner may enter.
  return join(tmpdir(), `croft-${ownUser().uid}`, "croft.sock");
}

/**
 * The socket of this user's farm or, where there is none, his own of the machine's farm: `croft serve --users` with the
 * shipped unit.
 */
export function usersSocket(environment: NodeJS.ProcessEnv): string {
  const own = defaultSocket(environment);
  const ofMachine = join(MACHINE_FOLDER, "users", `${ownUser().username}.sock`);
  return !existsSync(own) && existsSync(ofMachine) ? ofMachine : own;
}

/**
 * What somebody is told who has no socket of the machine's farm; empty where the machine has none for its users.
 *
 * @param folder of the machine's farm
 */
export function withoutSocket(folder = MACHINE_FOLDER): string {
  const { username } = ownUser();
  const users = join(folder, "users");
  return existsSync(users) && !existsSync(join(users, `${username}.sock`))
    ? `; this machine's farm, at ${folder}, has no socket for ${username}: its administrator adds you to the Unix group of its users`
    : "";
}

const MACHINE_FOLDER = "/run/croft";

/** Where the farm of this user keeps its data. */
export function defaultData(environment: NodeJS.ProcessEnv): string {
  const state = environment["XDG_STATE_HOME"];
  return state !== undefined && state.startsWith("/")
    ? join(state, "croft")
    : join(ownHome(environment), ".local", "state", "croft");
}
