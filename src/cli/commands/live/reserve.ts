import { Command } from "commander";

import type { PoolView } from "../../../live/service/farm-views.ts";
import type { ReservationView } from "../../../live/service/made-reservations.ts";
import { InputError } from "../../../workload/errors.ts";
import type { ServerFlags } from "../../../live/client/client.ts";
import { addFarmOptions, farmOf, type JobsFlags } from "../../live/farm.ts";
import { moment, type Moment } from "../../live/moments.ts";
import { defined } from "../../live/request-options.ts";
import { table, type Column } from "../../live/tables.ts";
import { local } from "../../live/local-time.ts";
import { duration, names } from "../../options.ts";
import { print } from "../../terminal.ts";

interface ReserveFlags extends JobsFlags {
  readonly pool?: string;
  readonly machines?: readonly string[];
  readonly from?: Moment;
  readonly until?: Moment;
  readonly for?: number;
  readonly users?: readonly string[];
  readonly groups?: readonly string[];
  readonly projects?: readonly string[];
  readonly reason?: string;
}

const MOST_NAMED = 5;

function machinesText({ machines }: ReservationView): string {
  return machines.length <= MOST_NAMED ? machines.join(",") : `${machines.length} machines`;
}

const columns: readonly Column<ReservationView>[] = [
  { title: "reservation", text: ({ name }) => name },
  { title: "pool", text: ({ pool }) => pool },
  { title: "machines", text: machinesText },
  { title: "from", text: ({ from }) => local(from) },
  { title: "until", text: ({ until }) => local(until) },
  { title: "for", text: peopleOf },
  { title: "by", text: ({ actor }) => actor ?? "the farm's file" },
  { title: "", text: ({ reason }) => reason },
];

export function reserveCommand(): Command {
  const command = new Command("reserve")
    .description("keep machines for some people for a time; what runs there runs on")
    .argument("<name>", "what the reservation is called, unlike any other")
    .option("--pool <name>", "the pool of its machines (the farm's only one)")
    .option("--machines <names>", "its machines, with commas between (all of the pool)", names)
    .option("--from <time>", "when it begins: 22:00, +2h, 2026-10-01T22:00 (now)", moment)
    .option(
      "--until <time>",
      "when it is over: 02:00 after it begins, a date; this or --for is given",
      moment,
    )
    .option("--for <time>", "how long it is: 4h, 90m", duration)
    .option("--users <names>", "whose jobs may start there (nobody's)", names)
    .option("--groups <names>", "the groups, which jobs name, whose jobs may", names)
    .option("--projects <paths>", "the projects, each with those below it, whose jobs may", names)
    .option("--reason <text>", "what it is for")
    .option("--json", "print the reservation as JSON");
  return addFarmOptions(command).action(async (name: string, flags: ReserveFlags) => {
    const { machines, users, groups, projects, reason } = flags;
    if ((flags.until === undefined) === (flags.for === undefined))
      throw new InputError("give either --until or --for: when the reservation is over");
    const farm = farmOf(flags);
    const now = await farm.time();
    const from = flags.from?.(now) ?? now;
    const until = flags.until?.(from) ?? from + 1000 * flags.for!;
    const pool = flags.pool ?? onlyPool(await farm.get<PoolView[]>("/v1/pools"));
    const made = await farm.send<ReservationView>(
      "POST",
      "/v1/reservations",
      defined({
        name,
        pool,
        machines,
        from: new Date(from).toISOString(),
        until: new Date(until).toISOString(),
        users,
        groups,
        projects,
        reason,
      }),
    );
    if (flags.json === true) await print(JSON.stringify(made, null, 2));
  });
}

export function unreserveCommand(): Command {
  const command = new Command("unreserve")
    .description("take back reservations that were made by croft reserve")
    .argument("<name...>", "their names");
  return addFarmOptions(command).action(async (reservations: string[], flags: ServerFlags) => {
    const farm = farmOf(flags);
    for (const name of reservations)
      await farm.send("DELETE", `/v1/reservations/${encodeURIComponent(name)}`);
  });
}

export function reservationsCommand(): Command {
  const command = new Command("reservations")
    .description("list the machines that are kept for some people for a time, now or later")
    .option("--json", "as a JSON array");
  return addFarmOptions(command).action(async (flags: JobsFlags) => {
    const all = await farmOf(flags).get<ReservationView[]>("/v1/reservations");
    await print(flags.json === true ? JSON.stringify(all, null, 2) : table(columns, all));
  });
}

function onlyPool(pools: readonly PoolView[]): string {
  const [only, other] = pools;
  if (only === undefined || other !== undefined)
    throw new InputError(`give --pool: one of ${pools.map(({ name }) => name).join(", ")}`);
  return only.name;
}

function peopleOf({ users, groups, projects }: ReservationView): string {
  return [...users, ...groups.map((group) => `group ${group}`), ...projects].join(", ") || "nobody";
}
