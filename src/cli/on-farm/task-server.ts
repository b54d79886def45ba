import { Client, serverOf } from "../../live/client/client.ts";
import type { Server } from "../../live/client/places.ts";
import { say } from "../terminal.ts";

/**
 * The environment variables by which a task reaches the farm that it runs on. CROFT_TASK_SERVER and CROFT_TASK_TOKEN name
 * an address and a token for tasks; without them tasks use those of this command. The names here do not begin with
 * CROFT_, since a farm refuses such variables from its users.
 *
 * @throws InputError where the address is none
 */
export function taskVariables(server: Server, variables: NodeJS.ProcessEnv): Record<string, string> {
  const { CROFT_TASK_SERVER: address, CROFT_TASK_TOKEN: token } = variables;
  const seen = address === undefined ? server : serverOf({ server: address }, variables);
  if ("socket" in seen) return { FARM_SOCKET: seen.socket };
  const shown = token ?? seen.token;
  return { FARM_SERVER: seen.url.href, ...(shown === null ? {} : { FARM_TOKEN: shown }) };
}

/** The farm that a task runs on. */
export function farmOfTask(variables: NodeJS.ProcessEnv): Client {
  const { FARM_SERVER, FARM_SOCKET, FARM_TOKEN } = variables;
  const server = serverOf(
    {},
    { CROFT_SERVER: FARM_SERVER, CROFT_SOCKET: FARM_SOCKET, CROFT_TOKEN: FARM_TOKEN },
  );
  return new Client(server, { say: (text) => say(`croft: ${text}`) });
}
