import type { Channel } from "../../workload/index.ts";

/** What a channel tells. */
export interface Message {
  /** Unlike any other's of the farm: who is told again knows it by this. */
  readonly id: number;
  /** From 1; above 1 it may have been told before. */
  readonly attempt: number;
  /** `Body` as JSON. */
  readonly body: string;
}

/** A way to tell. Another way is another file, and a line of `channels.ts`. */
export interface ChannelKind<Of extends Channel = Channel> {
  /**
   * Tells, and resolves when it was taken.
   *
   * @param signal ends it, with all that it has begun
   * @throws Error that says why it was not
   */
  tell(channel: Of, message: Message, signal: AbortSignal): Promise<void>;
}

/** How long telling may take. */
export const TELL_SECONDS = 30;
