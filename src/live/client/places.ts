import { homedir, tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/** Where the farm of this user listens: the runtime folder of the XDG base directories, or what stands for it. */
export function defaultSocket(environment: NodeJS.ProcessEnv): string {
  const runtime = environment["XDG_RUNTIME_DIR"];
  if (runtime !== undefined && runtime.startsWith("/")) return join(runtime, "croft", "croft.sock");
  // A name of one's own, in a folder that only its owner may enter.
  return join(tmpdir(), `croft-${userInfo().uid}`, "croft.sock");
}

/** Where the farm of this user keeps its data. */
export function defaultData(environment: NodeJS.ProcessEnv): string {
  const state = environment["XDG_STATE_HOME"];
  return state !== undefined && state.startsWith("/")
    ? join(state, "croft")
    : join(homedir(), ".local", "state", "croft");
}
