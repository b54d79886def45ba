import type { Channel } from "../../workload/index.ts";
import type { ChannelKind } from "./channel.ts";

/** Sends it by POST. Any status from 200 to 299 says that it was taken. */
export const webhook: ChannelKind<Extract<Channel, { kind: "webhook" }>> = {
  async tell({ url }, { id, attempt, body }, signal) {
    const answer = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "croft",
        "croft-notification": String(id),
        "croft-attempt": String(attempt),
      },
      body,
      // The address of the farm file is the one that its owner trusts.
      redirect: "manual",
      signal,
    }).catch((error: unknown) => {
      throw new Error(reasonOf(error));
    });
    // What else it says is not read.
    await answer.body?.cancel().catch(() => undefined);
    if (!answer.ok) throw new Error(`it answers with the status ${answer.status}`);
  },
};

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError" || error.name === "AbortError") return "it does not answer";
  const { cause } = error;
  return cause instanceof Error ? cause.message || String((cause as { code?: unknown }).code) : error.message;
}
