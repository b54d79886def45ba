import type { Channel } from "../../workload/index.ts";
import type { Message, ChannelKind } from "./channel.ts";
import { command } from "./command.ts";
import { webhook } from "./webhook.ts";

const kinds: { readonly [Kind in Channel["kind"]]: ChannelKind<Extract<Channel, { kind: Kind }>> } = {
  command,
  webhook,
};

/** A channel of the farm, ready to tell. */
export interface ReadyChannel {
  readonly name: string;
  /** See `ChannelKind`. */
  tell(message: Message, signal: AbortSignal): Promise<void>;
}

export function readyChannel(channel: Channel): ReadyChannel {
  const kind = kinds[channel.kind] as ChannelKind;
  return { name: channel.name, tell: (message, signal) => kind.tell(channel, message, signal) };
}
