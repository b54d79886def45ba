import { Type } from "typebox";

import { reservationViews, type ReservationView } from "../service/made-reservations.ts";
import { madeReservations } from "../store/reservations.ts";
import { listed, Refusal } from "../refusal.ts";
import type { Route } from "./api.ts";
import { json, ref } from "./answers.ts";
import { unixSecondsOf } from "./instants.ts";
import { listOf, text } from "./schema-parts.ts";
import { ReservationBody, ReservationParams } from "./farm-schemas.ts";
import type { ServiceHandle } from "./service-handle.ts";

export const reservationRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/v1/reservations",
    summary: "list the reservations that are not over: the farm's file's, and those that were made",
    role: "viewer",
    answers: json(listOf(ref("Reservation"))),
    handle: (_, farm) => views(farm),
  },
  {
    method: "POST",
    path: "/v1/reservations",
    summary: "keep machines for some people for a time; what runs there runs on",
    role: "operator",
    body: ReservationBody,
    answers: json(ref("Reservation")),
    async handle({ body, identity }, farm) {
      await checkWhom(body as ReservationBody, farm);
      const { from, until, machines = null, reason = null, ...rest } = body as ReservationBody;
      await farm.reserve({
        users: [],
        groups: [],
        projects: [],
        ...rest,
        machines,
        fromSeconds: from === undefined ? farm.service.unixSeconds() : unixSecondsOf(from),
        untilSeconds: unixSecondsOf(until),
        reason,
        actor: identity.user,
      });
      return views(farm).find(({ name }) => name === rest.name);
    },
  },
  {
    method: "DELETE",
    path: "/v1/reservations/:reservation",
    summary: "take back a reservation that was made; one of the farm's file goes with the file",
    role: "operator",
    params: ReservationParams,
    answers: json(Type.Object({ name: text() })),
    async handle({ params, identity }, farm) {
      const { reservation: name } = params as ReservationParams;
      await farm.unreserve(name, identity.user);
      return { name };
    },
  },
];

/** @throws Refusal where one of those for whom it is is known to nobody: a mistyped name would keep the machines from all */
async function checkWhom(
  { users = [], groups = [], projects = [] }: ReservationBody,
  { grants, service }: ServiceHandle,
): Promise<void> {
  const { names } = service.submitting;
  for (const user of users)
    if (!(await grants.knows(user)))
      throw new Refusal(
        422,
        `there is no user ${user} on the farm's machine, and the farm's file names none (groups: { …: { users: [${user}] } })`,
      );
  for (const group of groups)
    if (!names.groups.includes(group) && !(await grants.hasUnixGroup(group)))
      throw new Refusal(
        422,
        `there is no group ${group} on the farm's machine, and the farm's file names none (groups: { ${group}: { users: [ … ] } })`,
      );
  const unknown = projects.find((project) => !names.isProject(project));
  if (unknown !== undefined)
    throw new Refusal(
      422,
      `no pool has a share for the project ${unknown}, and the farm's file does not name it: ${listed(names.projects)}`,
    );
}

function views({ service, database }: ServiceHandle): ReservationView[] {
  return reservationViews(service.farm, madeReservations(database), service.unixSeconds());
}
