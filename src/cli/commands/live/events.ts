import { Command } from "commander";

import type { Client, ServerFlags } from "../../../live/client/client.ts";
import { FarmError } from "../../../live/client/farm-error.ts";
import type { EventView } from "../../../live/store/job-views.ts";
import { addFarmOptions, farmOf } from "../../live/farm.ts";
import { printable } from "../../live/printable.ts";
import { local } from "../../live/local-time.ts";
import { positiveInteger } from "../../options.ts";
import { print } from "../../terminal.ts";

interface EventsFlags extends ServerFlags {
  readonly follow?: true;
  readonly job?: number;
  readonly after?: number;
  readonly json?: true;
}

export function eventsCommand(): Command {
  const command = new Command("events")
    .description("tell what has happened on a farm")
    .option("--follow", "from now on, as it happens")
    .option("--job <number>", "only to this job", positiveInteger)
    .option("--after <number>", "only after this event", positiveInteger)
    .option("--json", "as JSON, a line an event");
  return addFarmOptions(command).action(async ({ follow, job, after, json, ...server }: EventsFlags) => {
    const farm = farmOf(server);
    const show = (event: EventView): Promise<void> =>
      print(json === true ? JSON.stringify(event) : line(event));
    const query = new URLSearchParams();
    if (job !== undefined) query.set("job", String(job));
    if (after !== undefined) query.set("after", String(after));
    if (follow === true) {
      query.set("follow", "true");
      for (;;) await farm.insist(() => followed(farm, query, show));
    }
    for (let last = after ?? 0; ;) {
      query.set("after", String(last));
      const events = await farm.get<EventView[]>(`/v1/events?${query.toString()}`);
      for (const event of events) await show(event);
      if (events.length === 0) return;
      last = events.at(-1)!.seq;
    }
  });
}

/** Shows what happens until the farm is away. The query remembers the last event that was seen. */
async function followed(
  farm: Client,
  query: URLSearchParams,
  show: (event: EventView) => Promise<void>,
): Promise<void> {
  let hasHeard = false;
  try {
    for await (const text of farm.lines(`/v1/events?${query.toString()}`)) {
      hasHeard = true;
      // First comes the number where it begins.
      if (!query.has("after") && text.startsWith("id: ")) query.set("after", text.slice("id: ".length));
      if (!text.startsWith("data: ")) continue;
      const event = JSON.parse(text.slice("data: ".length)) as EventView;
      await show(event);
      query.set("after", String(event.seq));
    }
  } catch (error) {
    if (!hasHeard || !(error instanceof FarmError)) throw error;
  }
}

function line({ seq, at, kind, job, actor, text }: EventView): string {
  return [
    String(seq).padStart(6),
    local(at),
    kind.padEnd(10),
    job === null ? "" : `job ${job}`,
    actor === null ? "" : `by ${printable(actor)}`,
    printable(text),
  ]
    .filter((part) => part !== "")
    .join("  ");
}
