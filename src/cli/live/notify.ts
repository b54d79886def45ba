import { InvalidArgumentError } from "commander";

import { notifyMoments, type Notify, type NotifyMoment } from "../../live/store/job-request.ts";

/** An option that may be given several times: a channel, `ops`, and when it is told, `ops:start,fail`. */
export function notify(text: string, earlier: readonly Notify[] = []): readonly Notify[] {
  const [channel, when = "end", ...more] = text.split(":") as [string, ...string[]];
  if (channel === "" || more.length > 0)
    throw new InvalidArgumentError("Give a channel of the farm, and when it is told: ops, ops:start,fail.");
  if (earlier.some((each) => each.channel === channel))
    throw new InvalidArgumentError(`Give ${channel} once, with all that it is told: ${channel}:start,end.`);
  const on = when.split(",").map((each): NotifyMoment => {
    const moment = notifyMoments.find((known) => known === each.trim());
    if (moment === undefined)
      throw new InvalidArgumentError(`Allowed after the colon are ${notifyMoments.join(", ")}.`);
    return moment;
  });
  return [...earlier, { channel, on: [...new Set(on)] }];
}
