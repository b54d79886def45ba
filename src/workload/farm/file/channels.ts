import type { Channel } from "../farm.ts";
import type { ChannelEntries } from "./farm-shape.ts";

/** Channels of a farm file: each is a program or an address. */
export function channelsOf(entries: ChannelEntries): Channel[] {
  return Array.from(entries, ([name, { value, at }]): Channel => {
    const { command, webhook } = value;
    if ((command === null) === (webhook === null)) return at.refuse("give one of command and webhook");
    if (webhook !== null)
      return URL.canParse(webhook)
        ? { name, kind: "webhook", url: webhook }
        : at.refuse(`this is no address: ${webhook}`);
    const [program] = command!;
    if (!program!.startsWith("/")) return at.refuse(`give the program by its path, from /: ${program}`);
    return { name, kind: "command", command: command! };
  });
}

/** As a farm file has them. */
export function channelsEntry(channels: readonly Channel[]): object {
  return Object.fromEntries(
    channels.map((channel) => [
      channel.name,
      channel.kind === "command" ? { command: channel.command } : { webhook: channel.url },
    ]),
  );
}
